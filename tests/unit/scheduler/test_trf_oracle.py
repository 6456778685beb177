"""Tournament reports, read by py4swiss, which also draws the next round from them."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler.domain.exports.trf import Ending, Entrant, Meeting, Report, Round, trf_of
from tests.unit.scheduler.test_trf import BY_HAND

py4swiss = pytest.importorskip("py4swiss", reason="py4swiss has no wheel for this machine")
from py4swiss.engines import DutchEngine  # noqa: E402  only where it is there
from py4swiss.trf import ParsedTrf, TrfParser  # noqa: E402  as above

HALVES = {"1": 10, "+": 10, "U": 10, "=": 5, "H": 5}


def parse(text: str, folder: Path) -> ParsedTrf:
    file = folder / "report.trf"
    file.write_text(text, encoding="utf-8")
    parsed = TrfParser.parse(file, strict=True)
    parsed.validate_contents()
    return parsed


def test_the_report_by_hand_is_one(tmp_path: Path) -> None:
    parsed = parse(BY_HAND, tmp_path)
    assert parsed.tournament_section.tournament_name == "Autumn Swiss"
    assert [one.fide_rating for one in parsed.player_sections] == [1800, None, None]


@given(players=st.integers(2, 40), rounds=st.integers(0, 7), seed=st.integers(0, 2**32))
@settings(max_examples=25)
def test_another_program_reads_what_was_played(
    players: int, rounds: int, seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    dice = Random(seed)
    entrants = [
        Entrant(100 + one, f"owner/ボット-{one}", one + 1, dice.choice([None, 1500]))
        for one in range(players)
    ]
    told, points = [], dict.fromkeys((one.id for one in entrants), 0)
    for _ in range(rounds):
        here = dice.sample(sorted(points), players - dice.randint(0, 1))
        byes = [here.pop()] if len(here) % 2 else []
        meetings = [
            Meeting(first, second, dice.choice(list(Ending)))
            for first, second in zip(here[::2], here[1::2], strict=True)
        ]
        told.append(Round(meetings, byes))
        for one in byes:
            points[one] += 10
        for meeting in meetings:
            points[meeting.first] += HALVES.get(meeting.ending.value[0], 0)
            points[meeting.second] += HALVES.get(meeting.ending.value[1], 0)
    text = trf_of(Report("Öffnung", entrants, told, rounds + 1))
    parsed = parse(text, tmp_path_factory.mktemp("trf"))
    assert parsed.x_section.number_of_rounds == rounds + 1
    for number, (entrant, section) in enumerate(zip(entrants, parsed.player_sections, strict=True), 1):
        assert (section.starting_number, section.name, section.rank) == (number, entrant.name, entrant.rank)
        assert section.points_times_ten == points[entrant.id]
        assert section.fide_rating == entrant.rating
        assert len(section.results) == rounds


def test_the_next_round_is_drawn_from_it(tmp_path: Path) -> None:
    """py4swiss' Dutch engine pairs leaders with leaders, and nobody with whom it met."""
    entrants = [Entrant(one, f"p{one}", one) for one in range(1, 9)]
    first = Round([Meeting(one, one + 4, Ending.FIRST) for one in range(1, 5)])
    parsed = parse(trf_of(Report("x", entrants, [first], 3)), tmp_path)
    pairs = [{pair.white, pair.black} for pair in DutchEngine.generate_pairings(parsed)]
    assert len(pairs) == 4
    assert all(pair <= {1, 2, 3, 4} or pair <= {5, 6, 7, 8} for pair in pairs)
