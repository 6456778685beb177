"""How even a ladder's tables were, beside what is promised."""

from fractions import Fraction

from scheduler import ladders as use_cases
from scheduler.domain.fairness import Fairness, told
from storage import ladders
from storage.database import Database
from web.models import FairnessLine, FairnessSheet
from web.reading.ladders import ladder_card

TEXTS = {
    "games_spread": "The most tables that anybody played, less the fewest",
    "seat_spread": "The most that anybody sat more often at one seat than at another, at tables of one size",
    "size_spread": "The most by which two players' shares of a table size differ",
    "repeats": "Meetings that followed at once on one of the same two players",
}
SHARES = ("size_spread", "repeats")


def fairness_page(database: Database, name: str) -> FairnessSheet:
    """NotFound without such a ladder."""
    with database.reading() as tx:
        ladder = ladders.find_ladder(tx, name)
        figures = use_cases.fairness(tx, ladder, ladders.entrants(tx, ladder.id))
        card = ladder_card(tx, ladder)
    lines = [_line(figures, key) for key in told(together=card.together)]
    return FairnessSheet(card, figures.players, figures.tables, figures.cut, lines)


def _line(figures: Fairness, key: str) -> FairnessLine:
    bound = figures.bound(key)
    promised = "" if bound is None else f"at most {_shown(key, bound)}"
    return FairnessLine(
        TEXTS[key], _shown(key, getattr(figures, key)), promised, key not in figures.exceeded()
    )


def _shown(key: str, value: Fraction | int) -> str:
    return f"{round(100 * value)} %" if key in SHARES else str(int(value))
