"""What a client remembers of a seat, over updates, repetitions and gaps."""

import json

import pytest

from engine_service.v1 import play_pb2 as pb
from mamenoki.sdk.sitting import Sitting, result_of, seat_of


def sitting(first_ms: int = 0, move_ms: int = 0) -> Sitting:
    started = pb.Started(
        match="m", seat=1, game="mushi", variant="standard", config='{"dice":7}', players=["a", "b"],
        first_ms=first_ms, move_ms=move_ms, bank_ms=5,
    )  # fmt: skip
    return Sitting(seat_of(started, 9))


def update(first: int, *events: str, decision: int = 0, view: str = '{"v":1}') -> pb.Update:
    sightings = [json.dumps({"event": event}) for event in events]
    message = pb.Update(match="m", seat=1, first_sighting=first, sightings=sightings, view=view)
    if decision:
        message.decision.CopyFrom(pb.Decision(id=decision, legal=["hub", "catch"], left_ms=40, bank_ms=5))
    return message


def told(one: Sitting) -> list[str]:
    return [event["event"] for event in one.ask().sightings]


def test_a_seat_reads_as_the_server_wrote_it() -> None:
    seat = sitting(first_ms=10).seat
    assert (seat.match, seat.seat, seat.config, seat.players) == ("m", 1, {"dice": 7}, ["a", "b"])
    assert (seat.first_ms, seat.move_ms, seat.bank_ms, seat.seed) == (10, None, 5, 9)


def test_sightings_wait_for_the_next_decision_and_are_told_once() -> None:
    one = sitting()
    assert one.take(update(0, "first", "deal"))
    assert one.open is None
    assert one.take(update(2, "target", decision=1))
    assert told(one) == ["first", "deal", "target"]
    assert told(one) == []
    assert one.take(update(3, "roll", decision=2))
    assert told(one) == ["roll"]


def test_what_was_seen_before_a_reconnect_is_not_told_again() -> None:
    one = sitting()
    one.take(update(0, "first", "deal", decision=1))
    told(one)
    assert one.take(update(1, "deal", "target", decision=1))
    assert told(one) == ["target"]


def test_a_gap_is_not_taken_and_a_recall_fills_it() -> None:
    one = sitting()
    assert not one.take(update(2, "target", decision=1))
    assert one.open is None
    assert one.take(update(0, "first", "deal", "target", decision=1))
    assert told(one) == ["first", "deal", "target"]


def test_a_list_in_parts_is_one_list() -> None:
    one = sitting()
    one.take(update(0, "first", decision=1))
    assert told(one) == ["first"]
    one.say("hub")
    assert one.take(update(1, "deal", view=""))
    assert one.said
    assert one.take(update(2, "target", decision=2))
    assert told(one) == ["deal", "target"]
    assert not one.said


def test_an_answer_is_kept_for_the_decision_it_was_given_to() -> None:
    one = sitting()
    one.take(update(0, decision=1))
    assert not one.said
    one.say("hub")
    one.take(update(0, decision=1))
    assert (one.said, one.answer) == (True, "hub")
    one.take(update(0, decision=2))
    assert not one.said


@pytest.mark.parametrize(
    ("first_ms", "move_ms", "left_ms", "wanted"),
    [(0, 0, 0, None), (10, 10, 0, 0), (10, 0, 7, 7), (10, 10, 7, 7)],
)
def test_no_limit_is_not_no_time(first_ms: int, move_ms: int, left_ms: int, wanted: int | None) -> None:
    one = sitting(first_ms, move_ms)
    message = update(0, decision=1)
    message.decision.left_ms = left_ms
    one.take(message)
    assert one.ask().left_ms == wanted


@pytest.mark.parametrize(
    ("reason", "decision", "left", "again"),
    [
        (pb.Refused.REASON_ILLEGAL, 1, 2, True),
        (pb.Refused.REASON_NOTATION, 1, 1, True),
        (pb.Refused.REASON_ILLEGAL, 1, 0, False),
        (pb.Refused.REASON_STALE, 1, 0, False),
        (pb.Refused.REASON_ANSWERED, 1, 0, False),
        (pb.Refused.REASON_ILLEGAL, 2, 2, False),
    ],
)
def test_only_a_bad_answer_to_the_open_decision_is_asked_for_again(
    reason: pb.Refused.Reason.ValueType, decision: int, left: int, again: bool
) -> None:
    one = sitting()
    one.take(update(0, decision=1))
    one.say("castle")
    refused = pb.Refused(match="m", seat=1, decision=decision, reason=reason, tries_left=left)
    assert one.refused(refused) is again
    assert one.said is not again


def test_asking_when_nothing_is_owed_is_an_error() -> None:
    with pytest.raises(LookupError, match="seat 1 of m owes nothing"):
        sitting().ask()


def test_a_result_reads_as_the_server_wrote_it() -> None:
    result = result_of(
        pb.Ended(end="normal", scores=[3, 4], ranks=[1, 0], placements=[0, 1], forfeit="timeout")
    )
    assert (result.scores, result.placements, result.forfeit) == ([3, 4], [0, 1], "timeout")
    assert result_of(pb.Ended(end="void")).forfeit is None
