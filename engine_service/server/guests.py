"""The remote players that are here: their streams, versions, places, and the seats that they hold."""

import time
from collections import Counter
from dataclasses import dataclass, field

from engine_service.server.bench import Bench, owner_of
from engine_service.server.chair import Chair
from engine_service.server.stream import Stream
from service.errors import Fenced
from service.presence import Present
from storage.tables import SeatRow


@dataclass(slots=True)
class Guest:
    """A player of this engine. ``stream`` is None while it is away and its seats wait for it."""

    player_id: int
    version_id: int = 0
    name: str = ""
    places: int = 0
    since: int = 0
    stream: Stream | None = None
    chairs: set[Chair] = field(default_factory=set)

    @property
    def matches(self) -> int:
        """Places that are taken: one a match, however many of its seats are the player's."""
        return len({chair.match.id for chair in self.chairs})

    @property
    def bot(self) -> str:
        """``owner/bot``."""
        return self.name.rpartition("@")[0]


class Guests:
    """All of them, by player id. ``changed`` is True when presence should be published anew.

    ``owner_matches``: how many seats all bots of one owner may hold at once.
    """

    def __init__(self, bench: Bench, owner_matches: int) -> None:
        self.bench = bench
        self._owner_matches = owner_matches
        self._guests: dict[int, Guest] = {}
        self._held: Counter[str] = Counter()
        self.changed = False

    def welcome(self, player_id: int, version_id: int, name: str, places: int, stream: Stream) -> Guest:
        """A player's stream opens; an older one of the same player is fenced off."""
        guest = self._guests.setdefault(player_id, Guest(player_id))
        if guest.stream is not None:
            guest.stream.close(Fenced(f"a newer stream of {name} has taken over; close one of the two"))
        guest.version_id, guest.name, guest.places = version_id, name, places
        guest.stream, guest.since = stream, int(time.time() * 1000)
        self.changed = True
        return guest

    def farewell(self, player_id: int, stream: Stream) -> bool:
        """A player's stream is gone. False if a newer one had taken over."""
        guest = self._guests.get(player_id)
        if guest is None or guest.stream is not stream:
            return False
        guest.stream = None
        self._forget(guest)
        self.changed = True
        return True

    def hold(self, chair: Chair) -> None:
        """Takes a place of the player's for a seat."""
        guest = self._guests.setdefault(chair.player_id, Guest(chair.player_id))
        if chair not in guest.chairs:
            guest.chairs.add(chair)
            self._held[owner_of(chair.row.full_name)] += 1
        self.changed = True

    def release(self, chair: Chair) -> None:
        """Gives the place back."""
        guest = self._guests.get(chair.player_id)
        if guest is not None and chair in guest.chairs:
            guest.chairs.remove(chair)
            self._let_go(owner_of(chair.row.full_name))
            self._forget(guest)
            self.changed = True

    def find(self, player_id: int) -> Guest | None:
        """That player, if it is here or has seats."""
        return self._guests.get(player_id)

    def free(self, guest: Guest, now: int) -> int:
        """Places for further matches at the monotonic time ``now``."""
        if guest.stream is None or self.bench.left_ms(guest.bot, now):
            return 0
        return max(0, min(guest.places - guest.matches, self._left_of_owner(guest)))

    def present(self, engine: str, now: int) -> list[Present]:
        """What is to be published at the monotonic time ``now``."""
        return [
            Present(guest.player_id, guest.version_id, self.free(guest, now), engine, guest.since)
            for guest in self._guests.values()
            if guest.stream is not None
        ]

    @property
    def places(self) -> tuple[int, int]:
        """Granted places of all who are here, and those that are taken."""
        here = [guest for guest in self._guests.values() if guest.stream is not None]
        return sum(guest.places for guest in here), sum(guest.matches for guest in here)

    def absent(self, rows: list[SeatRow], now: int) -> tuple[int, str] | None:
        """The first of a match's seats that cannot be filled now, and why."""
        wanted: dict[int, int] = {}
        for row in rows:
            wanted[row.player_id] = wanted.get(row.player_id, 0) + 1
            why = self._why_not(row, wanted[row.player_id], now)
            if why is not None:
                return row.seat, f"seat {row.seat}: {why}"
        return None

    def _why_not(self, row: SeatRow, wanted: int, now: int) -> str | None:
        guest = self._guests.get(row.player_id)
        if guest is None or guest.stream is None:
            return f"{row.full_name} is not connected"
        if guest.version_id != row.version_id:
            return f"{row.full_name} is connected as {guest.name}"
        left = self.bench.left_ms(guest.bot, now)
        if left:
            return f"{row.full_name} is on the bench for {left} ms: {self.bench.why(guest.bot)}"
        if guest.matches >= guest.places:
            return f"{row.full_name} has no free place of {guest.places}"
        if self._left_of_owner(guest) < wanted:
            return f"the owner of {row.full_name} has {self._owner_matches} seats, the most at once"
        return None

    def _left_of_owner(self, guest: Guest) -> int:
        """Seats that the bots of its owner may still take."""
        return self._owner_matches - self._held[owner_of(guest.name)]

    def _let_go(self, owner: str) -> None:
        self._held[owner] -= 1
        if not self._held[owner]:
            del self._held[owner]

    def _forget(self, guest: Guest) -> None:
        if guest.stream is None and not guest.chairs:
            self._guests.pop(guest.player_id, None)
