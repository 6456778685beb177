"""What a bot died of, read from how its process ended and from its last words."""

from bot_runner.errors import Cause, Exit
from bot_runner.process import Ended

_MEMORY_WORDS = (
    "MemoryError",
    "bad_alloc",
    "out of memory",
    "Out of memory",
    "memory allocation",
    "Cannot allocate",
)
_SIGNALS: dict[int, tuple[Cause, str]] = {
    9: ("memory", "killed by the kernel, which had no memory left for it"),
    24: ("cpu", "its processor time for a match is used up"),
    25: ("crash", "it wrote to a file"),
    31: ("crash", "it made a system call in a way of another machine"),
}


def exit_of(ended: Ended, stderr: str) -> Exit:
    """What an ended process died of. Running out of memory looks different in every language: by the
    kernel's hand, or by its own, with a word of it in the last lines of its log."""
    tail = "\n".join(stderr.splitlines()[-12:])
    if ended.signal is not None:
        cause, why = _SIGNALS.get(ended.signal, ("crash", f"signal {ended.signal}"))
    else:
        cause, why = "crash", f"exit with {ended.code} before its match was over"
    if cause == "crash" and ended.code != 0 and any(word in tail for word in _MEMORY_WORDS):
        cause, why = "memory", f"out of memory; {why}"
    return Exit(cause, why, ended.code, ended.signal, stderr)
