"""``mamenoki demo``: the whole service on this machine, playing a league of house bots."""

import os
import secrets
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from engine_service.games import find
from mamenoki.house.roster import ROSTER
from mamenoki.serve.stack import Stack, sole_user
from scheduler import ladders, leagues, seasons
from storage import figures, folding, results
from storage import leagues as stored
from storage.database import Database, Transaction
from storage.ladders import LadderRow
from storage.leagues import LeagueRow, RoundRow

CRON, ZONE = "*/5 * * * *", "UTC"
SEATS, TABLES_EACH, ROUNDS = 4, 24, 1_000
SETS_EACH = 12  # where the game is played together: each takes a table for every entrant
BEAT = 0.1  # seconds between two looks at the processes


class Stopped(Exception):  # what happened, not an error
    """Somebody asked the demo to stop."""


@dataclass(frozen=True, slots=True)
class Contest:
    """The league round that the demo shows."""

    ladder: LadderRow
    league: LeagueRow
    round: RoundRow
    tables: int


@dataclass(frozen=True, slots=True)
class Score:
    """How far a round is. ``ended`` counts tables that are done or void; ``void`` the latter alone."""

    ended: int
    void: int
    folded: bool


def ladder_names() -> list[str]:
    """The ladders that house bots are entered for."""
    return list(dict.fromkeys(f"{entry.game}/{entry.variant}" for entry in ROSTER))


def open_contests(database: Database) -> list[Contest]:
    """A league for every ladder, its house bots entered, and a round of it begun now.

    Safe to run on the database of an earlier demo: a round that is still being played is gone on with.
    """
    with database.transaction() as tx:
        return [_open_contest(tx, name) for name in ladder_names()]


def _open_contest(tx: Transaction, name: str) -> Contest:
    ladder = ladders.open_ladder(tx, name)
    game, _, variant = name.partition("/")
    roster = [entry for entry in ROSTER if (entry.game, entry.variant) == (game, variant)]
    players = ladders.enter_house(tx, ladder, roster)
    league = leagues.create_league(
        tx,
        f"house {name}",
        name,
        cron_line=CRON,
        zone=ZONE,
        seats=SEATS,
        tables_each=SETS_EACH if find(name)[1].cooperative else TABLES_EACH,
        rounds=ROUNDS,
    )
    season = seasons.open_season(tx, league, players)
    window = int(time.time() * 1000)
    opened = leagues.open_round(tx, league, season, window, secrets.randbits(63))
    latest = opened.round if opened else stored.rounds(tx, season.id)[-1]
    return Contest(ladder, league, latest, sum(figures.tables_of_round(tx, latest.id).values()))


def score(database: Database, contest: Contest) -> Score:
    """How far the contest's round is, and whether all of its results are in the ratings."""
    with database.reading() as tx:
        states = figures.tables_of_round(tx, contest.round.id)
        at = folding.progress(tx, contest.ladder.id)
    void = states.get("void", 0)
    return Score(states.get("done", 0) + void, void, at.folded >= at.entries)


def export(database: Database, contest: Contest, folder: Path) -> int:
    """Writes the round's replays as ``<match>.jsonl``; how many."""
    folder.mkdir(parents=True, exist_ok=True)
    with database.reading() as tx:
        played = results.recent(tx, None, None, 1_000_000, round_id=contest.round.id)
        replays = {row.table_id: results.get(tx, row.table_id).replay for row in played}
    public = {table: replay for table, replay in replays.items() if replay is not None}
    for table, replay in public.items():
        (folder / f"{table}.jsonl").write_bytes(replay)
    return len(public)


@contextmanager
def stopped_by_signals() -> Iterator[None]:
    """SIGTERM and SIGINT raise Stopped in the main thread."""

    def stop(_number: int, _frame: object) -> None:
        raise Stopped

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def running(home: Path, note: Callable[[str], None]) -> Iterator[tuple[Stack, Database, list[Contest]]]:
    """The stack in ``home`` with its contests begun; everything is stopped at the end.

    StackError if another stack runs there or a part does not come up.
    """
    with sole_user(home):
        stack = Stack(home, os.environ)
        database = Database(stack.places.database_url)
        try:
            note("starting …")
            database.migrate()
            contests = open_contests(database)
            stack.start()
            yield stack, database, contests
        finally:
            note("stopping …")
            stack.stop()
            database.close()


def follow(
    stack: Stack, database: Database, contests: list[Contest], show: Callable[[Contest, Score], None]
) -> None:
    """Tends the stack until every contest's round is over and rated."""
    open_ones = list(contests)
    while open_ones:
        stack.tend()
        for contest in list(open_ones):
            now = score(database, contest)
            show(contest, now)
            if now.ended == contest.tables and now.folded:
                open_ones.remove(contest)
        time.sleep(BEAT)


def idle(stack: Stack) -> None:
    """Tends the stack until somebody stops it."""
    while True:
        stack.tend()
        time.sleep(BEAT)
