"""One seat of a live match, as the wire sees it: who fills it, what it has been shown."""

from collections.abc import Iterable
from hmac import compare_digest
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from engine_service.core.referee import Decision
from engine_service.server.seats import BRIDGED
from engine_service.v1 import play_pb2
from storage.tables import SeatRow

if TYPE_CHECKING:
    from engine_service.server.live import LiveMatch
    from engine_service.server.stream import Stream

TICKET_BYTES = 16
MAX_SIGHTINGS = 1000
"""In one update; a seat that has to be shown more gets several."""


class Chair:
    """A seat. Its sightings are numbered for itself, without gaps: ``log[n]`` is its n-th, as JSON.

    ``sent``: how many went out on the current stream; ``acked``: how many an answer
    that counted has shown to have arrived. ``dirty``: it waits in its stream's queue.
    """

    __slots__ = (
        "accepted",
        "acked",
        "asked",
        "dirty",
        "log",
        "match",
        "opened_ms",
        "player_id",
        "pulled",
        "remote",
        "row",
        "seat",
        "sent",
        "shown",
        "stream",
        "ticket",
    )

    def __init__(self, match: "LiveMatch", row: SeatRow) -> None:
        self.match = match
        self.row = row
        self.seat = row.seat
        self.player_id = row.player_id
        self.remote = row.kind not in BRIDGED
        self.ticket = "" if self.remote else token_hex(TICKET_BYTES)
        self.accepted = False
        self.stream: Stream | None = None
        self.log: list[str] = []
        self.pulled = 0
        self.sent = 0
        self.acked = 0
        self.asked = 0  # the decision last sent and not yet answered; 0: none
        self.shown = 0  # sightings that had been sent with it
        self.opened_ms = 0
        self.dirty = False

    def opens_with(self, ticket: str) -> bool:
        """Whether this is the ticket; takes the same time whatever it is."""
        return bool(self.ticket) and compare_digest(self.ticket.encode(), ticket.encode())

    def owe(self) -> None:
        """There is something to tell whoever fills this seat."""
        stream = self.stream
        if stream is not None and not self.dirty:
            self.dirty = True
            stream.queue(self)

    def attach(self, stream: "Stream") -> None:
        """A stream fills this seat from here on; it is shown what has not been acknowledged."""
        self.leave_stream()
        self.stream = stream
        stream.chairs[self.match.id, self.seat] = self
        self.sent = self.acked
        self.dirty = False

    def leave_stream(self) -> None:
        """Nobody fills this seat."""
        if self.stream is not None:
            self.stream.chairs.pop((self.match.id, self.seat), None)
            self.stream = None
        self.dirty = False

    def recall(self) -> None:
        """Show everything from sighting 0 again."""
        self.sent = 0
        self.owe()

    def write(
        self,
        response: play_pb2.PlayResponse,
        decision: Decision | None,
        legal: list[str],
        view: Any,  # UTF-8 bytes, which a string field takes as they are
        now: int,
    ) -> int:
        """Adds an update to the response and gives its rough size in bytes. Still dirty if not all fitted.

        ``legal``: the decision's texts, given apart because making them may raise.
        """
        log, first = self.log, self.sent
        last = min(len(log), first + MAX_SIGHTINGS)
        sightings = log[first:last]
        self.sent = last
        update = response.updates.add()  # fields one by one: by keyword costs more
        update.match = self.match.id
        update.seat = self.seat
        update.first_sighting = first
        update.sightings.extend(sightings)
        if last < len(log):
            return 200 + sum(map(len, sightings))
        self.dirty = False
        update.view = view
        if decision is not None:
            self._ask(update.decision, decision, legal, now)
        return 200 + len(view) + sum(map(len, sightings))

    def _ask(self, message: play_pb2.Decision, decision: Decision, legal: list[str], now: int) -> None:
        message.id = decision.id
        message.legal.extend(legal)
        bank = decision.bank_ms
        if decision.deadline_ms is not None:
            left = decision.deadline_ms - now - bank
            if left >= 0:
                message.left_ms = left
            else:
                bank = max(0, bank + left)
        if bank:
            message.bank_ms = bank
        self.asked = decision.id
        self.shown = self.sent
        self.opened_ms = decision.opened_ms

    def pull(self) -> None:
        """Takes up the sightings since the last time."""
        match = self.match
        referee = match.referee
        count = referee.sighting_count
        if count > self.pulled:
            known, log = match.texts, self.log
            for number, event in referee.sightings(self.seat, self.pulled):
                log.append(known[number] if number in known else match.text_of(number, event))
            self.pulled = count


def by_player(chairs: Iterable[Chair]) -> list[list[Chair]]:
    """The chairs of each player together, players in the order of their first."""
    found: dict[int, list[Chair]] = {}
    for chair in chairs:
        found.setdefault(chair.player_id, []).append(chair)
    return list(found.values())
