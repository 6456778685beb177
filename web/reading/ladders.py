"""Ladders: in short, and the leaderboard in pages."""

from collections.abc import Mapping, Sequence

from ratings.board import is_provisional, trend
from scheduler.domain.turns import about
from scheduler.forecasts import newcomer_wait
from storage import hall, ladders, ratings, results, set_records, sets
from storage.database import Database, Transaction, now_ms
from storage.ladders import LadderRow
from storage.ratings import StandingRow
from web.drawing import bar, bar_scale
from web.forecasting import Forecaster
from web.models import BoardRow, LadderCard, LeaderBoard, Standing
from web.paging import Page
from web.reading.games import title_of
from web.reading.lines import played_line, split_name

PAGE = 50
TOP = 5
FOUND = 20
RECENT = 6
SCORED = 200
"""The latest sets over which scores are averaged."""


class NoSuchPage(Exception):
    """A page number beyond the list; ``last`` is the highest there is."""

    def __init__(self, last: int) -> None:
        super().__init__(f"there are pages 1 to {last}")
        self.last = last


def ladder_cards(tx: Transaction, top: int = TOP) -> list[LadderCard]:
    """Every ladder with its best players."""
    return [ladder_card(tx, ladder, top) for ladder in ladders.ladders(tx)]


def ladder_card(tx: Transaction, ladder: LadderRow, top: int = 0) -> LadderCard:
    """One ladder in short; ``top``: how many of its best players."""
    best = ratings.page(tx, ladder.id, None, top) if top else []
    return LadderCard(
        name=ladder.name,
        title=title_of(ladder.game),
        game=ladder.game,
        variant=ladder.variant,
        open=ladder.open,
        entered=hall.entered(tx, ladder.id),
        rated=ratings.count(tx, ladder.id),
        tables=hall.rated_tables(tx, ladder.id),
        top=[standing_of(row) for row in best],
        together=sets.find_rule(tx, ladder.id) is not None,
    )


def ladders_page(database: Database) -> list[LadderCard]:
    with database.reading() as tx:
        return ladder_cards(tx)


def board_page(
    database: Database, name: str, number: int, search: str, forecaster: Forecaster
) -> LeaderBoard:
    """A page of a leaderboard, or the best of those whose name holds ``search``.

    NotFound without such a ladder, NoSuchPage beyond its end.
    """
    first = number == 1 and not search
    present = forecaster.present() if first else None
    with database.reading() as tx:
        ladder = ladders.find_ladder(tx, name)
        card = ladder_card(tx, ladder)
        page = Page(number, PAGE, card.rated)
        if search:
            found = ratings.search(tx, ladder.id, search, FOUND)
            page = Page(1, FOUND, len(found))
        elif page.exists:
            found = ratings.page(tx, ladder.id, ratings.cursor_before(tx, ladder.id, page.offset), PAGE)
        else:
            raise NoSuchPage(page.last)
        played = results.recent(tx, ladder.id, None, RECENT) if first else []
        scores = set_records.mean_scores(tx, ladder.id, SCORED) if card.together else {}
        wait = None if present is None else newcomer_wait(tx, ladder, present, forecaster.settings)
        now = now_ms(tx)
    newcomer = "" if wait is None else about(wait)
    recent = [played_line(row) for row in played]
    return LeaderBoard(now, card, search, page, board_rows(found, scores), recent, newcomer)


def board_rows(rows: Sequence[StandingRow], scores: Mapping[int, float]) -> list[BoardRow]:
    """Lines with their bars, all drawn on one scale. ``scores``: mean ones by player id."""
    scale = bar_scale([(row.mean, row.deviation) for row in rows])
    return [
        BoardRow(standing_of(row), bar(scale, row.mean, row.deviation), scores.get(row.player_id))
        for row in rows
    ]


def standing_of(row: StandingRow) -> Standing:
    owner, name, _ = split_name(row.player)
    return Standing(
        rank=row.rank,
        owner=owner,
        name=name,
        kind=row.kind,
        mean=row.mean,
        deviation=row.deviation,
        shown=row.shown,
        games=row.games,
        provisional=is_provisional(row),
        trend=trend(row),
    )
