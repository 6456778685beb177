"""One player on one ladder: how it stands, how it came there, whom it met."""

from collections.abc import Sequence

from ratings.explanation import Seat, explain
from ratings.trueskill_model import Skill
from scheduler.domain.turns import clause
from scheduler.forecasts import turn as turn_of
from storage import hall, identity, ladders, ratings, results, teams
from storage.database import Database, Transaction, now_ms
from storage.errors import NotFound
from storage.folding import ChangeRow
from storage.hall import ClimbRow
from storage.ratings import HeadToHeadRow, HistoryRow, StandingRow
from web.drawing import Point, curve
from web.forecasting import Forecaster
from web.models import Move, Opponent, Player, PlayerSheet
from web.reading.ladders import PAGE, ladder_card, standing_of
from web.reading.lines import played_line, split_name
from web.reading.strengths import strengths
from web.words import ordinal, shown_name

CURVE_CHANGES = 400
MOVES = 12
RECENT = 12
SITTINGS = 1000


def player_page(database: Database, ladder_name: str, full_name: str, forecaster: Forecaster) -> PlayerSheet:
    """A player's page. NotFound without such a ladder or player."""
    present = forecaster.present()
    with database.reading() as tx:
        ladder = ladders.find_ladder(tx, ladder_name)
        player = identity.find_player(tx, full_name)
        standing = _standing(tx, ladder.id, player.id)
        steps = hall.climb(tx, ladder.id, player.id, CURVE_CHANGES + 1)
        moves = ratings.history(tx, ladder.id, player.id, None, MOVES)
        opponents = ratings.head_to_head(tx, ladder.id, player.id)
        played = results.recent(tx, ladder.id, None, RECENT, player_id=player.id)
        sat = results.sittings(tx, ladder.id, player.id, SITTINGS)
        card = ladder_card(tx, ladder)
        bots = teams.members_of(tx, [player.id]).get(player.id, ())
        turn = None if present is None else turn_of(tx, ladder, player.id, present, forecaster.settings)
        now = now_ms(tx)
    version = 0 if standing is None else standing.version
    return PlayerSheet(
        now=now,
        ladder=card,
        player=Player(player.owner, player.name, player.kind, version),
        standing=None if standing is None else standing_of(standing),
        turn="" if turn is None else clause(turn),
        page=1 if standing is None else -(-standing.rank // PAGE),
        curve=curve(curve_points(steps[:CURVE_CHANGES])),
        points=min(len(steps), CURVE_CHANGES),
        curve_is_partial=len(steps) > CURVE_CHANGES,
        moves=[move_of(row) for row in moves],
        opponents=[opponent_of(row) for row in opponents],
        strengths=strengths(sat),
        sittings=len(sat),
        recent=[played_line(row) for row in played],
        bots=[Player(bot.owner, bot.name, bot.kind, 0) for bot in bots],
    )


def curve_points(steps: Sequence[ClimbRow]) -> list[Point]:
    """The points of a rating's curve, oldest first, from its changes, newest first."""
    oldest_first = steps[::-1]
    begun = [Point(step.mean_before, step.deviation_before) for step in oldest_first[:1]]
    return begun + [_point(step) for step in oldest_first]


def _point(step: ClimbRow) -> Point:
    mark = f"version {step.version}" if step.version else ""
    return Point(step.mean_after, step.deviation_after, mark)


def move_of(row: HistoryRow) -> Move:
    """One change of a rating in words."""
    change = row.mine.change
    before, after = _skills(change)
    mine = None if row.mine.placement is None else Seat(row.mine.placement, before)
    others = [
        Seat(other.placement, _skills(other.change)[0]) for other in row.others if other.placement is not None
    ]
    # the page shows the move itself, so its end, ": +1.2", is left out
    reason = explain(row.kind, before, after, mine, others).rpartition(": ")[0]
    sentence = f"{reason[:1].upper()}{reason[1:]}."
    return Move(after.shown - before.shown, sentence, _order(row), row.at, row.table_id)


def opponent_of(row: HeadToHeadRow) -> Opponent:
    owner, name, _ = split_name(row.opponent)
    return Opponent(owner, name, row.ahead, row.level, row.behind)


def _order(row: HistoryRow) -> str:
    """``1st steady, 2nd bugbot, 3rd timid``, with their scores if each had a table of its own (``1st steady 9``);
    empty where there was no table."""
    seats = sorted((row.mine, *row.others), key=lambda seat: (seat.placement or 0, seat.player))
    return ", ".join(
        f"{ordinal(seat.placement + 1)} {_short(seat.player)}{'' if seat.score is None else f' {seat.score}'}"
        for seat in seats
        if seat.placement is not None
    )


def _short(player: str) -> str:
    return shown_name(split_name(player)[1])


def _skills(change: ChangeRow) -> tuple[Skill, Skill]:
    before = Skill(change.mean_before, change.deviation_before)
    return before, Skill(change.mean_after, change.deviation_after)


def _standing(tx: Transaction, ladder_id: int, player_id: int) -> StandingRow | None:
    try:
        return ratings.standing(tx, ladder_id, player_id)
    except NotFound:  # no rated game yet: the page says so
        return None
