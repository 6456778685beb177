"""Use cases of exports: standings and results of ladders and of leagues' seasons, as plain tables.

Times are ISO 8601 in UTC. A player at a table is named with its version, ``owner/bot@3``.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from ratings.board import is_provisional, trend
from scheduler import seasons as season_cases
from scheduler.domain.exports.sheets import Sheet, Value
from storage import leagues, ratings, results, seasons
from storage.database import Transaction
from storage.ladders import LadderRow
from storage.leagues import SeasonRow
from storage.ratings import Cursor, StandingRow
from storage.results import PlayedRow

PAGE = 500
STANDINGS = (
    "rank",
    "player",
    "version",
    "rating",
    "mean",
    "deviation",
    "games",
    "provisional",
    "last_ten_games",
)
SEASON_STANDINGS = (
    "division",
    "rank",
    "player",
    "share",
    "points",
    "possible",
    "wins",
    "tables",
    "opponents",
    "mutual",
    "left",
    "move",
)
RESULTS = ("table", "ended_at", "end", "seat", "player", "entrant", "place", "score", "forfeit", "moves")


def ladder_standings(tx: Transaction, ladder: LadderRow) -> Sheet:
    """All who are rated on a ladder, best first; ``rating`` is the mean less three deviations."""
    return Sheet(STANDINGS, [_standing(row) for row in _all_standings(tx, ladder.id)])


def ladder_results(
    tx: Transaction, ladder: LadderRow, before: str | None, limit: int
) -> tuple[Sheet, str | None]:
    """A ladder's latest ``limit`` finished tables before that one, newest first, a row a seat; and the table
    before which the next ones come, None if there are no more. NotFound if ``before`` is no table.

    ``place`` counts from 1, equals share one; it is empty where a table is all one ``entrant``'s.
    """
    rows = results.recent(tx, ladder.id, before, limit + 1)
    shown = rows[:limit]
    sheet = Sheet(RESULTS, [line for row in shown for line in _seats(row)])
    return sheet, shown[-1].table_id if len(rows) > limit else None


def season_standings(tx: Transaction, season: SeasonRow) -> Sheet:
    """A season's divisions, the highest first. ``share``, ``opponents`` and ``mutual`` are from 0 to 1; ``move``,
    once the season has closed: 1 goes up, -1 goes down."""
    members = {one.player_id: one for one in seasons.members(tx, season.id)}
    moves = {one.player_id: one.move for one in seasons.finishes(tx, season.id)}
    return Sheet(
        SEASON_STANDINGS,
        [
            (
                number,
                line.rank,
                f"{members[line.player].owner}/{members[line.player].name}",
                float(line.share),
                line.points,
                line.possible,
                line.wins,
                line.tables,
                float(line.opponents),
                float(line.mutual),
                members[line.player].left,
                moves.get(line.player),
            )
            for number, lines in enumerate(season_cases.standings(tx, season.id), 1)
            for line in lines
        ],
    )


def season_results(tx: Transaction, season: SeasonRow) -> Sheet:
    """A season's finished tables by round, the first ones first, a row a seat; else as for a ladder."""
    lines: list[Sequence[Value]] = []
    for one in leagues.rounds(tx, season.id):
        played = list(_all_results(tx, one.id))
        lines += [(one.number, *line) for row in reversed(played) for line in _seats(row)]
    return Sheet(("round", *RESULTS), lines)


def _all_standings(tx: Transaction, ladder_id: int) -> Iterator[StandingRow]:
    after: Cursor | None = None
    while page := ratings.page(tx, ladder_id, after, PAGE):
        yield from page
        after = Cursor(page[-1].shown, page[-1].player_id)


def _all_results(tx: Transaction, round_id: int) -> Iterator[PlayedRow]:
    before: str | None = None
    while page := results.recent(tx, None, before, PAGE, round_id=round_id):
        yield from page
        before = page[-1].table_id


def _standing(row: StandingRow) -> Sequence[Value]:
    return (
        row.rank,
        row.player,
        row.version,
        row.shown,
        row.mean,
        row.deviation,
        row.games,
        is_provisional(row),
        trend(row),
    )


def _seats(row: PlayedRow) -> Iterator[Sequence[Value]]:
    ended_at = datetime.fromtimestamp(row.ended_at / 1000, UTC).isoformat(timespec="milliseconds")
    entrant = None if row.entrant is None else row.entrant.full_name
    for seat, player in enumerate(row.players):
        place = row.placements[seat] + 1 if row.entrant is None else None
        yield (
            row.table_id,
            ended_at,
            row.end,
            seat,
            player,
            entrant,
            place,
            row.scores[seat],
            row.forfeits.get(seat),
            row.moves,
        )
