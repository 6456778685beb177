"""A house bot as it enters a ladder: a program under a name of its own."""

from dataclasses import dataclass, field

from mamenoki.sdk.bot import Json


@dataclass(frozen=True, slots=True)
class Entry:
    """One house bot: what it is called, what it plays, and the program and settings behind it."""

    name: str
    game: str
    variant: str
    program: str
    settings: dict[str, Json] = field(default_factory=dict)
