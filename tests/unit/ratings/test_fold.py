"""The fold: pure, and the same whether it is done at once, in parts, or again with corrections."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.fold import Entry, Folded, Standing, corrected, fold, touched_by
from ratings.trueskill_model import START, Skill

PLAYERS = range(1, 7)


def result(place: int, *placements: tuple[int, int]) -> Entry:
    seats = [{"player_id": player, "version": 1, "placement": placement} for player, placement in placements]
    return Entry(place, "result", {"table": f"t{place}", "seats": seats})


def new_version(place: int, player: int) -> Entry:
    return Entry(place, "new_version", {"player_id": player, "version": 2})


@st.composite
def contents(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    kind = draw(st.sampled_from(["result", "result", "result", "new_version", "season_reset"]))
    if kind == "new_version":
        return kind, {"player_id": draw(st.sampled_from(PLAYERS)), "version": 2}
    if kind == "season_reset":
        return kind, {"keep_permille": draw(st.integers(0, 1000))}
    players = draw(st.lists(st.sampled_from(PLAYERS), min_size=2, max_size=5, unique=True))
    seats = [{"player_id": player, "version": 1, "placement": draw(st.integers(0, 4))} for player in players]
    return kind, {"table": "t", "seats": seats}


ledgers = st.lists(contents(), max_size=12).map(
    lambda drawn: [Entry(place, kind, content) for place, (kind, content) in enumerate(drawn)]
)


def joined(first: dict[int, Standing], then: dict[int, Standing]) -> dict[int, Standing]:
    return {**first, **then}


def test_an_unknown_player_begins_at_the_start() -> None:
    folded = fold([result(0, (1, 0), (2, 1))], {}, may_tie=True)
    assert [(c.player_id, c.before, c.games) for c in folded.changes] == [(1, START, 1), (2, START, 1)]
    assert folded.standings[1] == Standing(folded.changes[0].after, 1, 0)
    assert folded.standings[1].skill.mean > START.mean > folded.standings[2].skill.mean


def test_a_new_version_keeps_the_mean_and_widens_the_deviation() -> None:
    known = {1: Standing(Skill(30.0, 1.0), 50, 7), 2: Standing(Skill(20.0, 8.3), 3, 6)}
    folded = fold([new_version(8, 1), new_version(9, 2)], known, may_tie=True)
    assert folded.standings[1].skill.mean == 30.0
    assert folded.standings[1].skill.deviation == pytest.approx(4.285, abs=1e-3)
    assert (folded.standings[1].games, folded.standings[1].last_place) == (50, 8)
    assert folded.standings[2].skill.deviation == pytest.approx(START.deviation)  # never wider than unknown
    assert known[1].skill.deviation == 1.0


def test_a_new_version_of_an_unknown_player_changes_nothing() -> None:
    assert fold([new_version(0, 1)], {}, may_tie=True) == Folded({}, [])


@pytest.mark.parametrize(
    ("keep", "wanted"), [(0, START), (1000, Skill(31.0, 2.0)), (500, Skill(28.0, 6.0599))]
)
def test_a_season_reset_goes_part_of_the_way_back(keep: int, wanted: Skill) -> None:
    known = {1: Standing(Skill(31.0, 2.0), 50, 7)}
    folded = fold([Entry(8, "season_reset", {"keep_permille": keep})], known, may_tie=True)
    assert folded.standings[1].skill == pytest.approx(wanted, abs=1e-4)
    assert folded.standings[1].games == 50


def test_a_correction_is_folded_at_the_old_place() -> None:
    wrong, right = result(0, (1, 0), (2, 1)), result(0, (1, 1), (2, 0))
    after = result(1, (1, 0), (3, 1))
    correction = Entry(2, "correction", right.content, supersedes=0)
    found = fold(corrected([wrong, after, correction], [correction]), {}, may_tie=True)
    assert found == fold([right, after], {}, may_tie=True)


def test_the_latest_correction_counts_and_may_void() -> None:
    first = result(0, (1, 0), (2, 1))
    corrections = [Entry(1, "correction", {"void": True}, 0), Entry(2, "correction", first.content, 0)]
    assert corrected([first], corrections) == [first]
    assert corrected([first], corrections[:1]) == []


def test_what_a_fold_must_know() -> None:
    entries = [result(0, (1, 0), (2, 1)), new_version(1, 3), Entry(2, "correction", {}, 0)]
    assert touched_by(entries) == {1, 2, 3}
    assert touched_by([*entries, Entry(3, "season_reset", {"keep_permille": 0})]) is None


@settings(max_examples=60, deadline=None)
@given(ledgers, st.data())
def test_folding_in_parts_is_folding_at_once(entries: list[Entry], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(entries)))
    whole = fold(entries, {}, may_tie=True)
    first = fold(entries[:cut], {}, may_tie=True)
    rest = entries[cut:]
    needed = touched_by(rest)
    known = {p: s for p, s in first.standings.items() if needed is None or p in needed}
    then = fold(rest, known, may_tie=True)
    assert first.changes + then.changes == whole.changes
    assert joined(first.standings, then.standings) == whole.standings


@settings(max_examples=60, deadline=None)
@given(ledgers)
def test_changes_chain(entries: list[Entry]) -> None:
    """Each change begins where the player's last one ended, and the standing is where it ends."""
    folded = fold(entries, {}, may_tie=False)
    last: dict[int, Skill] = {}
    for change in folded.changes:
        assert change.before == last.get(change.player_id, START)
        last[change.player_id] = change.after
    assert last == {player: standing.skill for player, standing in folded.standings.items()}
    assert folded.changes == sorted(folded.changes, key=lambda change: (change.place, change.player_id))
