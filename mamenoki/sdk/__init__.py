"""What bot authors import: ``from mamenoki.sdk import Bot, Decision, Result, Seat``.

``local`` plays in this process, ``client`` on a server, ``bridge`` fills seats for
the server's own workers, ``replays`` tells a finished match in sentences.
"""

from mamenoki.sdk.bot import Bot, Decision, Result, Seat
from mamenoki.sdk.errors import BadSettings, BotError, SdkError, UnknownProgram

__all__ = ["BadSettings", "Bot", "BotError", "Decision", "Result", "SdkError", "Seat", "UnknownProgram"]
