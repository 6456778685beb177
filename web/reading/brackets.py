"""The rounds of a stage as they are drawn: who met whom, how that came out, what became of them."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from scheduler.domain.events.facts import Match
from scheduler.domain.events.series import Settled
from scheduler.domain.events.settings import DOUBLE, SINGLE, Stage
from scheduler.domain.events.situation import Situation
from storage.events import EventTableRow
from web.event_models import Bracket, EntrantLine, GameLink, MatchCard, MatchSeat, RoundColumn

LOWER, FINAL = "L", "F"
"""How the slots of the lower bracket and of finals begin."""
ON, DOWN, OUT, WINNER = "goes on", "drops down", "out", "winner"


class Company:
    """The event's entrants and tables, as a match asks for them."""

    def __init__(self, lines: Mapping[int, EntrantLine], rows: Iterable[EventTableRow]) -> None:
        self.lines = lines
        self._games: dict[tuple[int, str, tuple[int, ...]], list[GameLink]] = {}
        for row in rows:
            where = row.stage, str(row.content["slot"]), tuple(row.content["company"])
            link = GameLink(row.content["game"], row.table_id, row.state)
            self._games.setdefault(where, []).append(link)

    def games(self, stage: int, match: Match) -> list[GameLink]:
        """The tables that a match has had."""
        return self._games.get((stage, match.slot, match.company), [])


def brackets(number: int, stage: Stage, situation: Situation, company: Company) -> list[Bracket]:
    """What has been drawn of a stage: a knock-out's upper bracket, its lower one, its finals; else one row."""
    rounds = [list(matches) for matches in situation.matches if matches]
    fates = _Fates(stage, situation, rounds)
    columns = [
        (_part(stage, matches), _column(number, stage, matches, situation, company, fates))
        for matches in rounds
    ]
    order = ["", "Upper bracket", "Lower bracket", "Finals"]
    columns.sort(key=lambda one: order.index(one[0]))  # stable: rounds stay in order
    return [
        Bracket(title, [column for _, column in group])
        for title, group in groupby(columns, key=lambda one: one[0])
    ]


def _part(stage: Stage, matches: Sequence[Match]) -> str:
    if stage.format != DOUBLE:
        return ""
    slot = matches[0].slot
    return {LOWER: "Lower bracket", FINAL: "Finals"}.get(slot[0], "Upper bracket")


def _title(stage: Stage, slot: str) -> str:
    """What a round is called whose first slot that is."""
    kind, number = slot[0], slot[1:].split(".")[0]
    if kind != FINAL:
        return f"Round {number}"
    if stage.format != DOUBLE:
        return "Final"
    return "Grand final" if number == "1" else "Reset"


def _column(
    number: int,
    stage: Stage,
    matches: Sequence[Match],
    situation: Situation,
    company: Company,
    fates: "_Fates",
) -> RoundColumn:
    cards = [_card(number, match, situation.settled.get(match), company, fates) for match in matches]
    return RoundColumn(_title(stage, matches[0].slot), cards)


def _card(number: int, match: Match, settled: Settled | None, company: Company, fates: "_Fates") -> MatchCard:
    is_bye = len(match.company) == 1
    order = match.company if settled is None else settled.order
    seats = [_seat(match, one, settled, is_bye, company, fates) for one in order]
    return MatchCard(match.slot, is_bye, settled is not None, seats, company.games(number, match))


def _seat(
    match: Match, one: int, settled: Settled | None, is_bye: bool, company: Company, fates: "_Fates"
) -> MatchSeat:
    line = company.lines[one]
    place = None if settled is None or is_bye else settled.order.index(one)
    fate = "" if settled is None else fates.of(match, one)
    return MatchSeat(line.owner, line.name, place, fate, fate in (ON, WINNER))


class _Fates:
    """What becomes of those who have played a match of a knock-out, as far as it has been drawn."""

    def __init__(self, stage: Stage, situation: Situation, rounds: Sequence[Sequence[Match]]) -> None:
        self._is_knockout = stage.format in (SINGLE, DOUBLE)
        self._is_over, self._rounds = situation.is_over, rounds
        self._first = situation.lines[0].entrant if situation.lines else None

    def of(self, match: Match, one: int) -> str:
        """In words; empty where nothing is known yet, or everybody plays on anyway."""
        if not self._is_knockout:
            return ""
        after = self._after(match)
        found = next((other for other in after if one in other.company), None)
        if found is None:
            return self._last(one) if after or self._is_over else ""
        is_lower = found.slot[0] == LOWER and match.slot[0] != LOWER
        return DOWN if is_lower else ON

    def _last(self, one: int) -> str:
        return WINNER if self._is_over and one == self._first else OUT

    def _after(self, match: Match) -> list[Match]:
        at = next(number for number, matches in enumerate(self._rounds) if match in matches)
        return [other for matches in self._rounds[at + 1 :] for other in matches]
