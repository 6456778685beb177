"""One seat of one match, as a client of the server sees it: updates in, answers out.

A sitting outlives its connection: after a reconnect the server tells again what
was not acknowledged, and the sitting drops what it has already seen and repeats
the answer it has already given.
"""

from dataclasses import dataclass, field

import orjson

from engine_service.v1 import play_pb2 as pb
from mamenoki.sdk.bot import Decision, Json, Result, Seat

Key = tuple[str, int]
"""A match and a seat."""


def seat_of(started: pb.Started, seed: int) -> Seat:
    """The seat that the server speaks of; ``seed`` becomes the bot's own dice."""
    return Seat(
        match=started.match,
        seat=started.seat,
        game=started.game,
        variant=started.variant,
        config=orjson.loads(started.config or "{}"),
        players=list(started.players),
        first_ms=started.first_ms or None,
        move_ms=started.move_ms or None,
        bank_ms=started.bank_ms,
        seed=seed,
    )


def result_of(ended: pb.Ended) -> Result:
    """The end of a match as its bot is told it."""
    return Result(
        end=ended.end,
        scores=list(ended.scores),
        ranks=list(ended.ranks),
        placements=list(ended.placements),
        forfeit=ended.forfeit or None,
    )


LOST = Result(end="lost", scores=[], ranks=[], placements=[], forfeit=None)


@dataclass(slots=True)
class Sitting:
    """What a client remembers of a seat.

    ``shown`` is the number of the next sighting to come; ``fresh`` those that the bot
    has not been told yet. ``open`` is the newest decision, ``answer`` what was said to decision ``answered``
    (they count from 1; 0: to none).
    """

    seat: Seat
    shown: int = 0
    fresh: list[dict[str, Json]] = field(default_factory=list)
    open: pb.Decision | None = None
    view: str = "{}"
    answer: str = ""
    answered: int = 0

    def take(self, update: pb.Update) -> bool:
        """Take an update in. False: sightings are missing before it; ask for a recall."""
        skip = self.shown - update.first_sighting
        if skip < 0 and update.sightings:
            return False
        news = update.sightings[skip:] if skip > 0 else update.sightings
        for text in news:
            self.fresh.append(orjson.loads(text))
        self.shown += len(news)
        if update.view:  # a long list of sightings comes in parts; the last one has the view
            self.view = update.view
            self.open = update.decision if update.HasField("decision") else None
        return True

    def say(self, text: str) -> None:
        """What the bot said to the open decision."""
        if self.open is not None:
            self.answer, self.answered = text, self.open.id

    @property
    def said(self) -> bool:
        """Whether the open decision has an answer, which may not have reached the server."""
        return self.open is not None and self.open.id == self.answered

    def ask(self) -> Decision:
        """The open decision for the bot, with the sightings since the one before."""
        owed = self.open
        if owed is None:
            raise LookupError(f"seat {self.seat.seat} of {self.seat.match} owes nothing")
        fresh, self.fresh = self.fresh, []
        return Decision(
            id=owed.id,
            legal=list(owed.legal),
            view=orjson.loads(self.view),
            sightings=fresh,
            left_ms=self._left(owed),
            bank_ms=owed.bank_ms,
        )

    def _left(self, owed: pb.Decision) -> int | None:
        # 0 on the wire is "used up" or "no limit"; which one, the seat's limits tell.
        unlimited = self.seat.first_ms is None or self.seat.move_ms is None
        return None if owed.left_ms == 0 and unlimited else owed.left_ms

    def refused(self, refused: pb.Refused) -> bool:
        """Take a refusal in. True: the decision stays open and the bot may try again."""
        if self.open is None or refused.decision != self.open.id:
            return False
        if refused.reason not in (pb.Refused.REASON_NOTATION, pb.Refused.REASON_ILLEGAL):
            return False
        if refused.tries_left:
            self.answered = 0
        return refused.tries_left > 0
