"""The demo's uploaded bot, handed in to a real server."""

import asyncio

from mamenoki.serve.engine import extra
from mamenoki.serve.sample import LADDER, OWNER, hand_in
from scheduler.bot_service import BotService
from scheduler.ladders import open_ladder
from service.settings import Settings
from storage import identity, submissions
from storage.database import Database
from tests.fixtures.engine import MakeEngine


async def test_is_taken_once(make_engine: MakeEngine, sqlite_database: Database) -> None:
    service = BotService(sqlite_database, Settings())
    engine = await make_engine(sqlite_database, extras=(extra(service),))
    with sqlite_database.transaction() as tx:
        open_ladder(tx, LADDER)
    names = [await asyncio.to_thread(hand_in, sqlite_database, engine.public) for _ in range(2)]
    assert names == [f"{OWNER}/first@1"] * 2
    with sqlite_database.reading() as tx:
        (row,) = submissions.in_state(tx, "checked", 10)
        assert (row.full_name, row.games) == (names[0], (LADDER,))
        assert len(identity.tokens(tx, OWNER)) == 2
