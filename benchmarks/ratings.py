"""How fast a ladder is folded, storage included, beside a bare loop over the trueskill package.

Both rate the same four-seat tables, one in ten with a tie, in the same process. The
loop keeps ratings in a list; the fold reads the ledger from SQLite, and writes
every rating and every change, in batches.
"""

import random
import tempfile
import time
from pathlib import Path

import trueskill

from benchmarks.table import Ratio
from ratings.follow import fold_ladder
from storage import identity, ladders, ledger
from storage.database import Database
from storage.ledger import NewEntry

PLAYERS, SEATS, TABLES = 40, 4, 1500
ROUNDS = 3

Table = tuple[list[int], list[int]]


def make_tables() -> list[Table]:
    """Who sat at each table, and where they were placed."""
    dice = random.Random(7)
    tables = []
    for _ in range(TABLES):
        placements = dice.sample(range(SEATS), SEATS)
        if dice.random() < 0.1:
            placements = [
                max(1, placement) - 1 for placement in placements
            ]  # the best two share the first place
        tables.append((dice.sample(range(PLAYERS), SEATS), placements))
    return tables


def bare_rates(tables: list[Table]) -> float:
    """Tables a second of the package alone."""
    environment = trueskill.TrueSkill()
    skills = [environment.create_rating() for _ in range(PLAYERS)]
    started = time.perf_counter()
    for players, placements in tables:
        rated = environment.rate([(skills[player],) for player in players], ranks=placements)
        for player, (skill,) in zip(players, rated, strict=True):
            skills[player] = skill
    return len(tables) / (time.perf_counter() - started)


def our_rates(tables: list[Table], folder: Path) -> float:
    """Tables a second of our fold."""
    database = Database(f"sqlite:///{folder / 'ratings.db'}")
    database.migrate()
    ladder_id = fill(database, tables)
    started = time.perf_counter()
    folded = fold_ladder(database, ladder_id)
    seconds = time.perf_counter() - started
    database.close()
    return folded / seconds


def fill(database: Database, tables: list[Table]) -> int:
    """A ladder with those tables in its ledger; its id."""
    with database.transaction() as tx:
        owner = identity.ensure_owner(tx, "bench")
        ids = [identity.ensure_player(tx, owner, f"bot{n}", "house").id for n in range(PLAYERS)]
        ladder = ladders.ensure_ladder(tx, "bench/ratings", "bench", "ratings", {})
        ledger.append(tx, ladder.id, [_entry(f"t{n}", ids, *table) for n, table in enumerate(tables)])
    return ladder.id


def _entry(name: str, ids: list[int], players: list[int], placements: list[int]) -> NewEntry:
    seats = [
        {"player_id": ids[player], "version": 1, "placement": placement}
        for player, placement in zip(players, placements, strict=True)
    ]
    return NewEntry(ledger.RESULT, {"table": name, "seats": seats})


def run() -> list[Ratio]:
    tables = make_tables()
    pairs = []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as folder:
            pairs.append((our_rates(tables, Path(folder)), bare_rates(tables)))
    ours, bare = (sorted(column)[ROUNDS // 2] for column in zip(*pairs, strict=True))
    return [Ratio("tables rated, storage included, over bare trueskill", "tables/s", ours, bare, least=0.7)]
