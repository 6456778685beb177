"""What a client tells, in words."""

import pytest

from mamenoki.sdk import Result, Seat, events
from mamenoki.sdk.telling import counted, sentence

SEAT = Seat("m", 1, "mushi", "standard", {}, ["a/a@1", "b/b@1"], None, None, 0, 1)


@pytest.mark.parametrize(
    ("event", "wanted"),
    [
        (events.Connected("a/a@1", 1), "connected as a/a@1, 1 match at once"),
        (events.Connected("a/a@1", 4), "connected as a/a@1, 4 matches at once"),
        (events.Leaving(0), "leaving"),
        (events.Leaving(1), "leaving when 1 match in play has ended"),
        (events.Leaving(2), "leaving when 2 matches in play have ended"),
        (events.AnswerRefused(SEAT, "no", 1), "match m: no (1 try left)"),
        (events.AnswerRefused(SEAT, "no", 2), "match m: no (2 tries left)"),
        (events.AnswerRefused(SEAT, "no", 0), "match m: no"),
        (events.Disconnected("x: gone", 1, before=True), "connection lost: x: gone; next try in 1.0 s"),
        (events.Disconnected("cannot reach x", 1, before=False), "cannot reach x; next try in 1.0 s"),
        (events.MatchStarted(SEAT, resumed=True), "match m goes on: mushi/standard, seat 1 against a/a@1"),
        (
            events.MatchEnded(SEAT, Result("normal", [3, 1], [0, 1], [0, 1], "illegal")),
            "match m ended: place 2 of 2, scores 3 1, seat forfeited (illegal)",
        ),
        (events.MatchEnded(SEAT, Result("void", [], [], [], None)), "match m ended: void"),
        (events.BotRaised(SEAT, "T\n"), "match m: the bot raised, the seat is resigned\nT"),
        (events.Benched(20.0, "match m was not accepted"), "no new match for 20 s: match m was not accepted"),
        (events.Draining(2.0), "the server is going down; back in 2 s"),
    ],
)
def test_every_event_has_its_words(event: events.Event, wanted: str) -> None:
    assert sentence(event) == wanted


def test_one_is_one() -> None:
    assert [counted(1, "entry"), counted(2, "entry"), counted(0, "match"), counted(20, "replay")] == [
        "1 entry",
        "2 entries",
        "0 matches",
        "20 replays",
    ]
