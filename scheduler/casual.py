"""Casual tables: unrated, made for one person who wants to play against house bots now.

The dispatcher leaves them alone; whoever seats the person begins them, and voids them if that fails.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mamenoki import house
from mamenoki.sdk.bot import Bot, Seat
from mamenoki.sdk.tickets import SeatTicket
from scheduler.ladders import HOUSE
from scheduler.tables import new_table
from storage import identity, ladders, tables
from storage.database import Transaction, now_ms
from storage.errors import Invalid
from storage.ladders import EntrantRow, LadderRow
from storage.new_tables import new_ids

GUESTS = identity.GUESTS
CLOCK: Mapping[str, int | None] = {
    "first_ms": 300_000,
    "move_ms": 300_000,
    "bank_ms": 0,
    "grace_ms": 300_000,
}
"""A person has five minutes a move; house bots have no limit."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A ladder's game, and the house bots that stand on it."""

    ladder: LadderRow
    bots: Sequence[EntrantRow]


def offers(tx: Transaction) -> list[Offer]:
    """What can be played casually: every ladder with a house bot on it."""
    found = [Offer(ladder, _house(tx, ladder.id)) for ladder in ladders.ladders(tx)]
    return [offer for offer in found if offer.bots]


def seat_guest(tx: Transaction, offer: Offer, bots: Sequence[str], seat: int) -> str:
    """Plans an unrated table with a guest at ``seat`` and those bots, by name, at the others; its id.

    Invalid for a bot that the offer does not have, and for a seat that the table does not have.
    """
    versions = {bot.name: (bot.player_id, bot.version_id) for bot in offer.bots}
    unknown = [name for name in bots if name not in versions]
    if unknown:
        raise Invalid(
            f"no house bot {unknown[0]!r} plays {offer.ladder.name}; there are: {', '.join(versions)}"
        )
    if not 0 <= seat <= len(bots):
        raise Invalid(f"seat {seat}: a table of {len(bots) + 1} has seats 0 to {len(bots)}")
    seating = [versions[name] for name in bots]
    seating.insert(seat, _guest(tx))
    (id,) = new_ids(now_ms(tx), 1)
    table = new_table(offer.ladder, id, seating, rated=False, clock=CLOCK)
    tables.plan(tx, [table])
    return table.id


def make_bot(ticket: SeatTicket, seat: Seat) -> Bot:
    """The house bot for a seat at such a table."""
    return house.make(seat.game, ticket.program, ticket.settings)


def _guest(tx: Transaction) -> tuple[int, int]:
    """The one player that all guests play as: nothing of them is kept."""
    player = identity.ensure_player(tx, identity.ensure_owner(tx, GUESTS), "guest", "person")
    return player.id, identity.ensure_version(tx, player.id, "1").id


def _house(tx: Transaction, ladder_id: int) -> list[EntrantRow]:
    return [one for one in ladders.entrants(tx, ladder_id) if one.kind == HOUSE]
