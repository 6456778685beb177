"""Three matches in a row lost by the bot's own fault are enough, and each is counted once."""

from mamenoki.sdk.streak import Streak


def test_a_match_is_counted_once_whether_it_raised_or_ended() -> None:
    streak = Streak()
    for match in "ab":
        streak.raised(match)
        streak.ended(match, "resigned")
    assert not streak.over
    streak.raised("c")
    assert streak.over
    assert "the bot raised in 3 matches in a row" in str(streak.verdict())


def test_illegal_answers_are_a_fault_and_being_slow_is_not() -> None:
    streak = Streak()
    for match, forfeit in (("a", "illegal"), ("b", "illegal"), ("c", "timeout"), ("d", "illegal")):
        streak.ended(match, forfeit)
    assert not streak.over
    streak.ended("e", "illegal")
    streak.raised("f")
    assert "the bot raised or answered illegally in 3 matches in a row" in str(streak.verdict())


def test_a_match_that_goes_well_ends_it() -> None:
    streak = Streak()
    streak.raised("a")
    streak.raised("b")
    streak.ended("c", None)
    streak.raised("d")
    assert not streak.over


def test_what_is_still_in_play_when_it_is_over_cannot_undo_it() -> None:
    streak = Streak()
    for match in "abc":
        streak.raised(match)
    streak.ended("d", None)
    assert streak.over
    streak.raised("e")
    assert "in 4 matches in a row" in str(streak.verdict())
