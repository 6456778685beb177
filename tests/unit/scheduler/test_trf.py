"""Tournament reports, by hand; test_trf_oracle has another program read them."""

from datetime import date

import pytest

from scheduler.domain.exports.trf import Ending, Entrant, Meeting, Report, ReportError, Round, trf_of

BY_HAND = """\
012 Autumn Swiss
042 2026/11/29
052 2026/11/30
062 3
092 Individual: Swiss-System
001    1      house/greedy                      1800                             1.5    1     3 w 1  0000 - H
001    2      ann/my-bot                                                         1.5    2  0000 - U  0000 - H
001    3      bob/a-very-long-name-of-a-bot-tha                                  0.0    3     1 b 0  0000 - Z
XXR 4
"""


def test_a_report_by_hand() -> None:
    entrants = [
        Entrant(70, "house/greedy", 1, 1800),
        Entrant(40, "ann/my-bot", 2),
        Entrant(99, "bob/a-very-long-name-of-a-bot-that-is-cut", 3),
    ]
    rounds = [Round([Meeting(70, 99, Ending.FIRST)], [40]), Round([Meeting(70, 40, Ending.VOID)])]
    report = Report("Autumn Swiss", entrants, rounds, 4, date(2026, 11, 29), date(2026, 11, 30))
    assert trf_of(report) == BY_HAND


@pytest.mark.parametrize(
    ("rounds", "why"),
    [
        ([Round([Meeting(1, 5, Ending.LEVEL)])], "5 plays in round 1 and is none of the entrants"),
        ([Round([]), Round([Meeting(1, 2, Ending.LEVEL)], [2])], "2 is in round 2 twice"),
    ],
)
def test_a_round_that_cannot_be_is_refused(rounds: list[Round], why: str) -> None:
    with pytest.raises(ReportError, match=why):
        trf_of(Report("x", [Entrant(1, "a", 1), Entrant(2, "b", 2)], rounds, 2))


def test_too_many_are_refused_and_a_name_breaks_no_line() -> None:
    with pytest.raises(ReportError, match="9999 entrants, not 10000"):
        trf_of(Report("x", [Entrant(one, "a", 1) for one in range(10_000)], [], 1))
    told = trf_of(Report("x\n001 forged", [Entrant(1, "a\r\n001    2", 1)], [], 1))
    assert [line[:3] for line in told.splitlines()] == ["012", "062", "092", "001", "XXR"]
