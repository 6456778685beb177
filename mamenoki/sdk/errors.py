"""What the SDK raises.

::

    SdkError
    ├── BotError            a bot cannot be made or cannot be trusted to play
    │   ├── UnknownProgram  no house program of that name plays this game
    │   ├── BadSettings     a program does not take these settings
    │   ├── BotKeepsFailing a connected bot raised or answered illegally in too many matches in a row
    │   └── BotEnded        the bot's process is gone, by its own doing
    ├── Resigned            whoever plays the seat gives it up
    ├── HostFault           what runs a bot has failed it: never the bot's loss
    └── Refused             the server will not have us; the message says what to do
        ├── NotAllowed      the token is missing, wrong, expired or lacks a scope
        └── Replaced        a newer connection of the same bot took over
"""


class SdkError(Exception):
    """The root of what the SDK raises by itself."""


class BotError(SdkError):
    """A bot cannot be made, or must not go on playing."""


class UnknownProgram(BotError):
    """Names the program, the game, and the programs that there are."""


class BadSettings(BotError):
    """Names the setting, the program, and what it takes."""


class BotKeepsFailing(BotError):
    """The bot raised or answered illegally in several matches in a row and was taken off before it lost more."""


class BotEnded(BotError):
    """How a bot's process ended: ``code`` or ``signal``, None where it has none, and its last ``stderr``."""

    def __init__(self, why: str, code: int | None, signal: int | None, stderr: str) -> None:
        super().__init__(why)
        self.code, self.signal, self.stderr = code, signal, stderr


class Resigned(SdkError):
    """Raised by a bot's ``choose``: its seat is given up. A bridge tells the server so, and it is no crash."""


class HostFault(SdkError):
    """The machine or the sandbox failed the bot. A bridge does not go on: the attempt is ended, at nobody's cost."""


class Refused(SdkError):
    """The server answered that it will not serve this client; trying again will not help."""


class NotAllowed(Refused):
    """The token is missing, unknown, expired, revoked, or lacks the scope."""


class Replaced(Refused):
    """Another connection of the same bot is newer; only the newest one plays."""
