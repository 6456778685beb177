"""The first page."""

from storage import hall, results
from storage.database import Database, now_ms
from web.models import Home
from web.reading.ladders import ladder_cards
from web.reading.leagues import league_cards
from web.reading.lines import played_line

TOP = 7
RECENT = 8


def home_page(database: Database, address: str) -> Home:
    """The best of every ladder, the latest tables, the leagues; ``address``: where bots connect."""
    with database.reading() as tx:
        now = now_ms(tx)
        traffic = hall.traffic(tx)
        ladders = ladder_cards(tx, TOP)
        leagues = league_cards(tx, now)
        played = results.recent(tx, None, None, RECENT)
    return Home(
        now=now,
        address=address,
        players=traffic.players,
        tables=traffic.tables,
        running=traffic.running,
        ladders=ladders,
        recent=[played_line(row) for row in played],
        leagues=leagues,
    )
