"""The database itself."""
from storage.database import Database, now_ms
import time

def test_clock(database: Database) -> None:
    with database.reading() as tx:
        assert abs(now_ms(tx) - time.time()*1000) < 2000
