"""Found by Python at its start where this folder is on PYTHONPATH: a wall clock that is wrong.

``MAMENOKI_SKEW_S`` says by how many seconds. Stopwatches stay right, as on a machine whose
clock was set wrongly.
"""

import os
import time

_right, _right_ns = time.time, time.time_ns
_SKEW = int(os.environ.get("MAMENOKI_SKEW_S", "0"))


def _wrong() -> float:
    return _right() + _SKEW


def _wrong_ns() -> int:
    return _right_ns() + _SKEW * 1_000_000_000


time.time, time.time_ns = _wrong, _wrong_ns
