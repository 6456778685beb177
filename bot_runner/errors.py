"""What running uploaded bots raises.

::

    RunnerError
    ├── BundleRefused     an upload breaks a rule; names the file and the rule: the author's to mend
    ├── BundleCorrupt     a stored bundle is not what was stored: a fault of ours, never a loss
    ├── SandboxMissing    this machine cannot shut a bot in as asked; says what is missing and how to get it
    ├── SandboxBroke      a sandbox that had worked did not start: a fault of ours, never a loss
    ├── NoSlot            every seat of this machine is taken (or poisoned by a process that will not die)
    └── BotDied           the bot is gone, by its own doing; says how, with the last that it wrote to stderr
"""

from dataclasses import dataclass
from typing import Literal

from mamenoki.sdk.errors import BotEnded, HostFault

Cause = Literal["crash", "memory", "cpu", "protocol", "timeout", "ended"]
"""``ended``: the worker ended it while it was asked."""


class RunnerError(Exception):
    """The root of what this package raises by itself."""


class BundleRefused(RunnerError):
    """``rule`` is a short fixed word, ``file`` the entry that breaks it (None: the archive as a whole)."""

    def __init__(self, rule: str, message: str, file: str | None = None) -> None:
        where = "the archive" if file is None else printable(file)
        super().__init__(f"{where}: {message} (rule: {rule})")
        self.rule, self.file, self.message = rule, file, message


class BundleCorrupt(RunnerError, HostFault):
    """Names the digest that was asked for."""


class SandboxMissing(RunnerError, HostFault):
    """Names the level, what is missing, and how to get it."""


class SandboxBroke(RunnerError, HostFault):
    """Holds what the sandbox's own program said."""


class NoSlot(RunnerError, HostFault):
    """Says how many seats there are and what keeps them."""


@dataclass(frozen=True, slots=True)
class Exit:
    """How a bot ended. Exactly one of ``code`` and ``signal`` is set, or neither if we ended it.

    ``why`` is one sentence; ``stderr`` the last of the bot's log, its control characters escaped.
    """

    cause: Cause
    why: str
    code: int | None = None
    signal: int | None = None
    stderr: str = ""


class BotDied(RunnerError, BotEnded):
    """The bot of a seat will not answer any more."""

    def __init__(self, exit: Exit) -> None:
        BotEnded.__init__(self, f"{exit.cause}: {exit.why}", exit.code, exit.signal, exit.stderr)
        self.exit = exit


def printable(text: str, most: int = 200) -> str:
    """A stranger's text for a message: quoted, its control characters escaped, cut at ``most`` characters."""
    shown = text if len(text) <= most else text[:most] + "…"
    return repr(shown)
