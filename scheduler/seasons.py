"""Use cases of a season: joining and leaving it, its states, its divisions, its standings.

**Leaving.** What a player has played stands. It sits at no further table, keeps its line in the
standings, and neither goes up nor down. **Coming late.** Whoever joins after the first round
begins in the lowest division, and is ranked by its share of the points that it could have had.
**Small divisions.** One that is too small for a table plays its round with the one above it.
"""

from collections.abc import Sequence

from scheduler.domain.rounds import merge_small
from scheduler.domain.seasons import (
    CLOSED,
    CLOSING,
    OPEN,
    PAUSED,
    RUNNING,
    STEPS,
    Finish,
    divide,
    move_all,
)
from scheduler.domain.standings import Line, Played, rank_divisions
from storage import folding, ladders, leagues, results, seasons, set_records, sets, tables
from storage.database import Transaction
from storage.errors import Conflict
from storage.ladders import EntrantRow
from storage.leagues import LeagueRow, SeasonRow
from storage.seasons import FinishRow

ALL = 1_000_000  # more tables than a season has


def open_season(
    tx: Transaction, league: LeagueRow, players: Sequence[int] = (), *, draft: bool = False
) -> SeasonRow:
    """The league's season, opened (or drafted) if there is none, with those players (of its ladder) entered."""
    season = leagues.open_season(tx, league.id, draft=draft)
    for player in players:
        seasons.join(tx, season.id, player)
    return season


def join(tx: Transaction, league: LeagueRow, player: int) -> bool:
    """Enters a player of the league's ladder into its season. False if it was in.

    Conflict, saying why, where nobody may join now or the player is not on the ladder.
    """
    season = _current(tx, league)
    if season.state not in (OPEN, RUNNING, PAUSED):
        raise Conflict(f"season {season.number} of {league.name} is {season.state}: nobody joins it now")
    if player not in {one.player_id for one in ladders.entrants(tx, league.ladder_id)}:
        ladder = ladders.get_ladder(tx, league.ladder_id).name
        raise Conflict(f"only who is on the ladder {ladder} may join {league.name}; play there first")
    played = len(leagues.rounds(tx, season.id))
    if league.join_rounds is not None and played > league.join_rounds:
        raise Conflict(
            f"{league.name} takes players until its round {league.join_rounds + 1} begins; it has begun"
        )
    joined = seasons.join(tx, season.id, player)
    if joined and played:
        lowest = max((one.division or 1 for one in seasons.members(tx, season.id)), default=1)
        seasons.put_into_divisions(tx, season.id, {player: lowest})
    return joined


def leave(tx: Transaction, league: LeagueRow, player: int) -> bool:
    """Takes a player out of the rounds to come. False if it was not in."""
    return seasons.leave(tx, _current(tx, league).id, player)


def step(tx: Transaction, league: LeagueRow, verb: str) -> str:
    """Publishes, pauses, resumes or closes the league's season; the state that it is in then.

    Conflict, naming its state, if that cannot be done now.
    """
    season = _current(tx, league)
    sources, target = STEPS[verb]
    if verb == "resume" and not leagues.rounds(tx, season.id):
        target = OPEN
    if not seasons.change_state(tx, season.id, sources, target):
        may = " or ".join(sorted(sources))
        raise Conflict(
            f"season {season.number} of {league.name} is {season.state}; one can {verb} it while it is {may}"
        )
    if target == CLOSING and is_free(tx, season):
        return end(tx, season)
    return target


def is_free(tx: Transaction, season: SeasonRow) -> bool:
    """Is no round of the season being played?"""
    return all(one.state == tables.DONE for one in leagues.rounds(tx, season.id))


def standings(tx: Transaction, season_id: int) -> list[list[Line]]:
    """The season's tables, one a division, the highest first; those who have left keep their lines.

    How ties are decided is in scheduler.domain.standings.TIE_BREAKS.
    """
    divisions = {one.player_id: one.division for one in seasons.members(tx, season_id)}
    return rank_divisions(divisions, played(tx, season_id))


def fields(
    tx: Transaction, league: LeagueRow, season: SeasonRow, entrants: Sequence[EntrantRow], least: int
) -> list[list[int]]:
    """Who plays among whom in the next round, of which the first puts them into divisions."""
    divisions = next_fields(tx, league, season, entrants, least)
    if not leagues.rounds(tx, season.id):
        numbers = {player: number for number, field in enumerate(divisions, 1) for player in field}
        seasons.put_into_divisions(tx, season.id, numbers)
    return divisions


def next_fields(
    tx: Transaction, league: LeagueRow, season: SeasonRow, entrants: Sequence[EntrantRow], least: int
) -> list[list[int]]:
    """Who would play among whom if the next round began now; see the module for divisions that have become
    too small."""
    here = {one.player_id for one in entrants}
    if not leagues.rounds(tx, season.id):
        return _divide(tx, league, season, here, least)
    found: dict[int, list[int]] = {}
    for one in seasons.members(tx, season.id):
        if one.player_id in here:
            found.setdefault(one.division or 1, []).append(one.player_id)
    return merge_small([found[number] for number in sorted(found)], least)


def end(tx: Transaction, season: SeasonRow) -> str:
    """Closes a season, writes down its final standings, and opens the next if the league repeats."""
    if not seasons.change_state(tx, season.id, (CLOSING,), CLOSED):
        return CLOSED
    league = leagues.get_league(tx, season.league_id)
    tables_of = standings(tx, season.id)
    gone = {one.player_id for one in seasons.members(tx, season.id) if one.left}
    moved = move_all([[line.player for line in lines] for lines in tables_of], league.movers, gone)
    lines = [line for division in tables_of for line in division]
    seasons.freeze(tx, season.id, [_finish(one, line) for one, line in zip(moved, lines, strict=True)])
    if league.repeats:
        open_season(tx, league, [one.player_id for one in seasons.entrants(tx, season.id)])
    return CLOSED


def played(tx: Transaction, season_id: int) -> list[Played]:
    """What a season's tables came to, or its sets where each table is an entrant's own."""
    league = leagues.get_league(tx, leagues.get_season(tx, season_id).league_id)
    if sets.find_rule(tx, league.ladder_id) is not None:
        return [Played(one.players, one.placements) for one in set_records.season_sets(tx, season_id)]
    return [
        Played(row.player_ids, row.placements)
        for one in leagues.rounds(tx, season_id)
        for row in results.recent(tx, None, None, ALL, round_id=one.id)
    ]


def _divide(
    tx: Transaction, league: LeagueRow, season: SeasonRow, here: set[int], least: int
) -> list[list[int]]:
    last = next((one for one in leagues.seasons(tx, league.id) if one.number < season.number), None)
    finished = seasons.finishes(tx, last.id) if last is not None else []
    skills = {row.player_id: row.shown for row in folding.standings(tx, league.ladder_id)}
    before = [Finish(one.player_id, one.division, one.rank, one.move) for one in finished]
    return divide(before, here, skills, league.division_size, least)


def _finish(one: Finish, line: Line) -> FinishRow:
    return FinishRow(
        line.player,
        one.division,
        line.rank,
        one.move,
        line.points,
        line.possible,
        line.wins,
        line.tables,
        line.opponents,
        line.mutual,
    )


def _current(tx: Transaction, league: LeagueRow) -> SeasonRow:
    season = leagues.current_season(tx, league.id)
    if season is None:
        raise Conflict(f"{league.name} has no season now; open one first")
    return season
