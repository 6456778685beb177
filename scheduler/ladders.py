"""Use cases of the continuous ladder: opening one, entering house bots, planning its next tables."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Protocol

from engine_service.core.game import configure
from engine_service.games import find
from scheduler.domain.fairness import Fairness, assess
from scheduler.domain.matchmaking import Entrant, Rules, plan
from scheduler.domain.sets import plan_sets
from scheduler.sets import check_rule, check_size, plan_together
from scheduler.tables import plan_tables
from scheduler.teams import current_version, members_here
from service.presence import Present
from storage import folding, identity, ladders, planning, set_records, sets, tables
from storage.database import Transaction, now_ms
from storage.ladders import EntrantRow, LadderRow
from storage.submissions import UPLOADED
from storage.teams import TEAM, MemberRow

HOUSE = "house"
OURS = frozenset({HOUSE, UPLOADED})
"""The kinds of players that our workers run, and so are always here."""
NEWCOMER_SKILL = 25.0
REMEMBERED = 1_000
"""The latest tables of a ladder, by which seats and table sizes are evened out."""


@dataclass(frozen=True, slots=True)
class Limits:
    """``planned_most``: tables planned and not begun, of all ladders; ``tables_at_once``: a player's."""

    planned_most: int
    tables_at_once: int
    longest_wait_ms: int


class HouseBot(Protocol):
    """An entry of a roster: a house program under a name, with its settings."""

    @property
    def name(self) -> str: ...
    @property
    def program(self) -> str: ...
    @property
    def settings(self) -> Mapping[str, Any]: ...


def open_ladder(
    tx: Transaction,
    game_name: str,
    *,
    name: str = "",
    settings: Mapping[str, Any] | None = None,
    set_size: int | None = None,
    seats: int | None = None,
) -> LadderRow:
    """The ladder of ``mushi/standard`` or ``mushi``, made if missing; under its variant's name, or ``name``.

    ``settings`` are the variant's own but for those given. Where a variant is played together,
    ``set_size`` entrants meet on one deal, each at a table of ``seats`` seats; None: see
    ``scheduler.sets``. ConfigError if there is no such game, variant or setting, or number of
    seats. Conflict if the ladder exists with others.
    """
    game, variant = find(game_name)
    name = name or f"{game.card.id}/{variant.name}"
    config = configure(variant, settings or {})
    rule = check_rule(variant, set_size, seats)
    if rule is not None:
        check_size(rule.size)
    ladder = ladders.ensure_ladder(tx, name, game.card.id, variant.name, config, may_tie=variant.may_tie)
    if rule is not None:
        sets.ensure_rule(tx, ladder.id, rule)
    return ladder


def enter_house(tx: Transaction, ladder: LadderRow, roster: Iterable[HouseBot]) -> list[int]:
    """Puts house bots on a ladder; their player ids. Twice is once.

    A bot whose program or settings have changed since enters as a new version.
    """
    house = identity.ensure_owner(tx, HOUSE)
    return [_enter(tx, ladder, house, bot) for bot in roster]


def plan_next(
    tx: Transaction, ladder: LadderRow, present: Mapping[int, Present], limits: Limits, seed: int
) -> list[str]:
    """Plans the tables that the ladder should play next; their ids. ``present``: the remote players here now."""
    room = limits.planned_most - tables.backlog(tx).planned
    seats = ladders.entrants(tx, ladder.id)
    if room <= 0:
        return []
    here = standings(tx, ladder, seats, present, limits.tables_at_once)
    rule = sets.find_rule(tx, ladder.id)
    if rule is not None:
        groups = plan_sets(here, rule.size, limits.longest_wait_ms, -(-room // rule.size), seed)
        return plan_together(tx, ladder, rule.seats, with_versions(tx, ladder, seats, present, groups))
    seatings = plan(here, rules_of(ladder, limits.longest_wait_ms), room, seed)
    return plan_tables(tx, ladder, with_versions(tx, ladder, seats, present, seatings))


def standings(
    tx: Transaction,
    ladder: LadderRow,
    seats: Sequence[EntrantRow],
    present: Mapping[int, Present],
    tables_at_once: int,
) -> list[Entrant]:
    """What matchmaking knows of a ladder's entrants."""
    now = now_ms(tx)
    is_together = sets.find_rule(tx, ladder.id) is not None
    records = (set_records.records if is_together else planning.records)(tx, ladder.id, planning.REMEMBERED)
    bots = members_here(tx, seats)
    remote = _remote(seats, bots)
    room = _room(remote, records, present)
    skills = {row.player_id: row.mean for row in folding.standings(tx, ladder.id)}
    sat, last = _remembered(_meetings(tx, ladder, REMEMBERED))
    return [
        Entrant(
            player=seat.player_id,
            owners=owners_of(seat, bots.get(seat.player_id, ())),
            games=record.games + record.open,
            waited_ms=0 if record.open else max(0, now - max(record.last_at or 0, seat.joined_at)),
            skill=skills.get(seat.player_id, NEWCOMER_SKILL),
            places=_places(seat, record, remote[seat.player_id], room, tables_at_once),
            bots=frozenset(remote[seat.player_id]),
            sat=sat.get(seat.player_id, {}),
            last=last.get(seat.player_id, frozenset()),
        )
        for seat in seats
        for record in [records.get(seat.player_id, planning.Record())]
    ]


def owners_of(seat: EntrantRow, bots: Sequence[MemberRow]) -> frozenset[str]:
    """Those who must not meet themselves; house bots are nobody's."""
    if seat.kind == TEAM:
        return frozenset(bot.owner for bot in bots if bot.kind != HOUSE)
    return frozenset() if seat.kind == HOUSE else frozenset({seat.owner})


def with_versions(
    tx: Transaction,
    ladder: LadderRow,
    seats: Sequence[EntrantRow],
    present: Mapping[int, Present],
    groups: Iterable[Sequence[int]],
) -> list[list[tuple[int, int]]]:
    """Groups of players, each player with the version in which it plays now."""
    wanted = [list(group) for group in groups]
    chosen = {player for group in wanted for player in group}
    bots = members_here(tx, [seat for seat in seats if seat.player_id in chosen])
    versions = {
        seat.player_id: current_version(tx, ladder, seat, bots[seat.player_id], present)
        if seat.player_id in bots
        else _version(seat, present)
        for seat in seats
        if seat.player_id in chosen
    }
    return [[(player, versions[player]) for player in group] for group in wanted]


def fairness(tx: Transaction, ladder: LadderRow, seats: Sequence[EntrantRow]) -> Fairness:
    """How even the tables were of those of the ladder's players that are always here, since the last of
    them joined."""
    field = [seat for seat in seats if seat.kind in OURS]
    since = max((seat.joined_at for seat in field), default=0)
    latest = _meetings(tx, ladder, REMEMBERED, since)
    return assess([seat.player_id for seat in field], latest[::-1], cut=len(latest) == REMEMBERED)


def _meetings(tx: Transaction, ladder: LadderRow, last: int, since: int = 0) -> list[tuple[int, ...]]:
    """Who met at the latest tables, or in the latest sets; newest first."""
    is_together = sets.find_rule(tx, ladder.id) is not None
    return (set_records.meetings if is_together else planning.meetings)(tx, ladder.id, last, since)


def rules_of(ladder: LadderRow, longest_wait_ms: int) -> Rules:
    """How tables of a ladder are made whose players meet at them."""
    _, variant = find(f"{ladder.game}/{ladder.variant}")
    return Rules(variant.min_seats, min(variant.max_seats, 6), longest_wait_ms=longest_wait_ms)


def _enter(tx: Transaction, ladder: LadderRow, house: int, bot: HouseBot) -> int:
    settings = dict(bot.settings)
    player = identity.ensure_player(tx, house, bot.name, HOUSE)
    version = identity.ensure_version(tx, player.id, _label(bot.program, settings), bot.program, settings)
    ladders.enter(tx, ladder.id, player.id, version.id)
    return player.id


def _label(program: str, settings: dict[str, Any]) -> str:
    """Says what the version is; settings that are too long to be told are told by their digest."""
    told = json.dumps(settings, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    if len(program) + len(told) > 79:
        told = sha256(told.encode()).hexdigest()[:16]
    return f"{program} {told}"


def _version(seat: EntrantRow, present: Mapping[int, Present]) -> int:
    here = present.get(seat.player_id)
    return seat.version_id if here is None or seat.kind == HOUSE else here.version_id


def _places(
    seat: EntrantRow, record: planning.Record, bots: Sequence[int], room: Mapping[int, int], most: int
) -> int:
    """Tables that a player may take, at most ``most`` at once; a team as many as each of its bots.

    A house bot's tables with remote players are not counted: else a few of these who take their
    time would keep it from all others. ``room``: the free places of remote ``bots``.
    """
    if seat.kind == HOUSE:
        return max(0, most - record.open + record.open_remote)
    return max(0, min([most - record.open, *(room[bot] for bot in bots)]))


def _room(
    remote: Mapping[int, Sequence[int]],
    records: Mapping[int, planning.Record],
    present: Mapping[int, Present],
) -> dict[int, int]:
    """The free places of every remote bot, by player id. ``remote``: those that each player is made of.

    A bot's open tables are taken off, its teams' too: some are not begun and not yet among those
    that its engine counts, and no seat is promised twice.
    """
    room = {bot: present[bot].free if bot in present else 0 for bots in remote.values() for bot in bots}
    for player, record in records.items():
        for bot in remote.get(player, ()):
            room[bot] -= record.open
    return room


def _remote(seats: Iterable[EntrantRow], bots: Mapping[int, Sequence[MemberRow]]) -> dict[int, list[int]]:
    """The bots that each player is made of and that must be here for it, by its player id."""
    return {
        seat.player_id: [bot.player_id for bot in bots[seat.player_id] if bot.kind not in OURS]
        if seat.player_id in bots
        else [seat.player_id] * (seat.kind not in OURS)
        for seat in seats
    }


def _remembered(
    latest: Sequence[Sequence[int]],
) -> tuple[dict[int, Counter[tuple[int, int]]], dict[int, frozenset[int]]]:
    """(who sat where how often, whom everybody met last) from the latest tables, newest first."""
    sat: dict[int, Counter[tuple[int, int]]] = {}
    last: dict[int, frozenset[int]] = {}
    for table in latest:
        for place, player in enumerate(table):
            sat.setdefault(player, Counter())[len(table), place] += 1
            last.setdefault(player, frozenset(table) - {player})
    return sat, last
