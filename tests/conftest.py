"""Fixtures live in tests/fixtures, one plugin for each real part.

How many examples a property is tried on: HYPOTHESIS_PROFILE is few, some (the default) or
many. The first two try the same ones every time; only the soak draws new ones, and prints
what makes a failure come again.
"""

import os
import signal

from hypothesis import HealthCheck, settings

pytest_plugins = ("tests.fixtures.databases", "tests.fixtures.valkey", "tests.fixtures.engine")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts background jobs so, and what a test starts would then never hear of ^C.
    signal.signal(signal.SIGINT, signal.default_int_handler)

SLOW_IS_FINE = [HealthCheck.too_slow, HealthCheck.data_too_large]

settings.register_profile(
    "few", max_examples=6, deadline=None, derandomize=True, database=None, suppress_health_check=SLOW_IS_FINE
)
settings.register_profile(
    "some",
    max_examples=30,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=SLOW_IS_FINE,
)
settings.register_profile(
    "many",
    max_examples=400,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=SLOW_IS_FINE,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "some"))
