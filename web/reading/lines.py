"""From storage's rows of tables and seats to the lines that pages show."""

from collections.abc import Sequence

from storage.hall import InPlayRow
from storage.results import PlayedRow
from storage.rows import DONE, RUNNING, EntrantSeat, SeatRow
from web.models import SeatLine, TableLine
from web.ties import tie_notes


def split_name(full_name: str) -> tuple[str, str, int]:
    """``owner/bot@3`` as owner, name and version; a person's version is 0."""
    owner, _, rest = full_name.partition("/")
    name, at, number = rest.rpartition("@")
    if at and number.isdecimal():
        return owner, name, int(number)
    return owner, rest, 0


def played_line(row: PlayedRow) -> TableLine:
    """A finished table in a list."""
    seats = played_seats(row) if row.entrant is None else [_together(row, row.entrant)]
    return TableLine(
        id=row.table_id,
        ladder=row.ladder,
        game=row.game,
        variant=row.variant,
        rated=row.ladder is not None,
        state=DONE,
        at=row.ended_at,
        seats=seats,
        ties=tie_notes(row.game, seats),
        together=0 if row.entrant is None else len(row.players),
    )


def _together(row: PlayedRow, entrant: EntrantSeat) -> SeatLine:
    """A table whose seats are all one entrant's, as one seat; its place is decided by the set's other tables."""
    why = next(iter(row.forfeits.values()), None)
    return SeatLine(0, *split_name(entrant.full_name), score=row.scores[0], forfeit=forfeit_words(why))


def played_seats(row: PlayedRow, strikes: Sequence[int] = ()) -> list[SeatLine]:
    """The seats of a finished table, in seat order."""
    return [
        SeatLine(
            seat,
            *split_name(name),
            placement=row.placements[seat],
            score=row.scores[seat],
            forfeit=forfeit_words(row.forfeits.get(seat)),
            strikes=strikes[seat] if strikes else 0,
        )
        for seat, name in enumerate(row.players)
    ]


FORFEITS = {
    "timeout": "too slow too often: the clock moved for it three times",
    "illegal": "too many answers that were no legal moves",
    "disconnect": "its connection was gone for too long",
    "crash": "the bot crashed",
    "resigned": "it resigned",
}


def forfeit_words(why: str | None) -> str | None:
    """A forfeit's reason for the reader; reasons that are not known stand as they are."""
    return None if why is None else FORFEITS.get(why, why)


def running_line(row: InPlayRow) -> TableLine:
    """A table in play, in a list."""
    return TableLine(
        id=row.table_id,
        ladder=row.ladder,
        game=row.game,
        variant=row.variant,
        rated=row.rated,
        state=RUNNING,
        at=row.since,
        seats=open_seats(row.seats) if row.entrant is None else [_open_together(row.entrant)],
        together=0 if row.entrant is None else len(row.seats),
    )


def _open_together(entrant: EntrantSeat) -> SeatLine:
    return SeatLine(0, *split_name(entrant.full_name))


def open_seats(seats: Sequence[SeatRow]) -> list[SeatLine]:
    """Who sits at a table that has no result."""
    return [SeatLine(seat.seat, *split_name(seat.full_name)) for seat in seats]
