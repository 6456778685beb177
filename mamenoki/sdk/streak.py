"""When a bot does its author more harm than good."""

from mamenoki.sdk.errors import BotKeepsFailing

ENOUGH = 3
ILLEGAL = "illegal"
"""Why a seat is forfeited whose bot would not answer legally."""


class Streak:
    """The matches in a row that a bot has lost by its own fault: it raised, or answered illegally.

    They are told apart by any key, and each counts once, however many of its seats the bot has. Once it is ``over``, what still
    comes from the matches in play adds to it and no longer ends it.
    """

    def __init__(self) -> None:
        self._faults: dict[object, str] = {}

    @property
    def over(self) -> bool:
        """Whether the bot has to be taken off."""
        return len(self._faults) >= ENOUGH

    def raised(self, match: object) -> None:
        """The bot raised, and its seat is resigned."""
        self._faults[match] = "raised"

    def ended(self, match: object, forfeit: str | None) -> None:
        """A match is over; ``forfeit`` is why the seat was given up."""
        if forfeit == ILLEGAL:
            self._faults.setdefault(match, "answered illegally")
        elif match not in self._faults and not self.over:
            self._faults.clear()

    def verdict(self) -> BotKeepsFailing:
        """What to tell the author."""
        how = " or ".join(sorted(set(self._faults.values()), reverse=True))
        return BotKeepsFailing(
            f"the bot {how} in {len(self._faults)} matches in a row and was taken off; "
            "what went wrong is above: fix it, try it with `mamenoki play`, connect again"
        )
