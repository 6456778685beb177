"""Tracebacks as a bot's author wants them: beginning in the bot."""

import traceback
from pathlib import Path

OURS = str(Path(__file__).parent)


def trace_of(error: BaseException) -> str:
    """A traceback without the SDK's own frames that lead to the bot."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(OURS):
        trace = trace.tb_next
    return "".join(traceback.format_exception(type(error), error, trace))
