"""What the SDK raises.

::

    SdkError
    ├── BotError            a bot cannot be made or cannot be trusted to play
    │   ├── UnknownProgram  no house program of that name plays this game
    │   ├── BadSettings     a program does not take these settings
    │   └── BotKeepsFailing a connected bot raised or answered illegally in too many matches in a row
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


class Refused(SdkError):
    """The server answered that it will not serve this client; trying again will not help."""


class NotAllowed(Refused):
    """The token is missing, unknown, expired, revoked, or lacks the scope."""


class Replaced(Refused):
    """Another connection of the same bot is newer; only the newest one plays."""
