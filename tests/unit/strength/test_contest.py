"""Contests: the same from the same seed, every seat of every deal played, what the table says of them."""

import time
from pathlib import Path

import pytest

from engine_service.games import GAMES
from mamenoki.sdk import Bot, Decision
from mamenoki.sdk.local import Table, play_match
from mamenoki.strength.contest import Faulty, Pairing, contest
from mamenoki.strength.stopwatch import Timed
from tests.unit.cli.conftest import Run

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "strength.md"


def test_a_deal_is_played_from_every_seat() -> None:
    outcome = contest(Pairing("beanstalk/standard", 3, "greedy", "random"), seed=1, most=30)
    assert (outcome.matches, outcome.trial.count) == (30, 10)
    again = contest(Pairing("beanstalk/standard", 3, "greedy", "random"), seed=1, most=30)
    assert (again.trial.total, again.decisions) == (outcome.trial.total, outcome.decisions)


def test_a_bot_among_its_like_wins_its_even_share() -> None:
    outcome = contest(Pairing("mushi/standard", 4, "greedy", "greedy"), seed=2, most=24)
    assert outcome.trial.mean == pytest.approx(0.25), (
        "every deal has one winner, and is played from all seats"
    )


def test_together_both_teams_play_the_same_deals() -> None:
    outcome = contest(Pairing("morumori/coop", 2, "greedy", "greedy"), seed=3, most=40)
    assert outcome.trial.mean == 0
    assert outcome.scores[0] == outcome.scores[1] > 0


def test_the_command_prints_and_writes_the_table(run: Run, tmp_path: Path) -> None:
    ran = run("strength", "seimi", "--matches", "24", "--jobs", "1", "--out", "table.md")
    assert ran.code == 0
    assert "open" in ran.out, "so few matches say nothing yet"
    written = (tmp_path / "table.md").read_text(encoding="utf-8")
    assert "| seimi/standard | 3 | greedy | random | 24 |" in written
    assert "--seed 7 --matches 24" in written


def test_a_bot_that_is_no_stronger_is_an_exit(
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("mamenoki.house.programs", lambda game: ["greedy", "random"])
    ran = run("strength", "morumori/versus", "--matches", "100", "--jobs", "1")
    assert ran.code == 1
    assert "NOT STRONGER" in ran.out


def test_a_game_with_random_alone_has_nothing_to_measure(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mamenoki.house.programs", lambda game: ["random"])
    ran = run("strength", "seimi", "--jobs", "1")
    assert (ran.code, ran.complaint) == (
        1, "seimi has no two house programs to compare; write a stronger one in mamenoki/house/seimi",
    )  # fmt: skip


def test_a_page_that_cannot_be_written_is_known_before_the_first_match(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    ran = run("strength", "--out", "file/table.md")
    assert (ran.code, ran.out) == (1, "")
    assert ran.complaint == "file/table.md cannot be written: Not a directory; name another file"


def raise_at_once(*_: object) -> str:
    raise ValueError("out of ideas")


def test_a_bot_that_raises_is_no_weaker_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mamenoki.house.seimi.greedy.GreedyBot.choose", raise_at_once)
    with pytest.raises(Faulty, match=r"greedy, seat 0 of 3 in seimi/standard, raised: (?s:.)*out of ideas"):
        contest(Pairing("seimi/standard", 3, "greedy", "random"), seed=1, most=30)


class Busy(Bot):
    """Computes for a millisecond of its thread."""

    def choose(self, decision: Decision) -> str:
        until = time.thread_time_ns() + 1_000_000
        while time.thread_time_ns() < until:
            pass
        return decision.legal[0]


def test_thinking_is_measured_in_processor_time() -> None:
    bots = [Timed(Busy()) for _ in range(2)]
    played = play_match(Table("m", "beanstalk", ["a", "b"], bytes(32)), bots)
    for bot, thinking in zip(bots, played.thinking, strict=True):
        assert bot.decisions == thinking.decisions > 0
        assert bot.decisions * 1_000_000 <= bot.cpu_ns <= thinking.ns


def test_a_game_that_there_is_not_is_said(run: Run) -> None:
    ran = run("strength", "chess")
    assert (ran.code, ran.complaint) == (
        2,
        "there is no game 'chess'; there are: mushi, morumori, seimi, beanstalk",
    )


def rows(text: str) -> list[list[str]]:
    """The lines of the table without the time that was measured."""
    return [line.split("|")[1:-2] for line in text.splitlines() if line.startswith("| ")]


def test_the_document_is_of_these_rules() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert ", ".join(f"{game.card.id} {game.card.rules}" for game in GAMES.values()) in text
    assert "NOT STRONGER" not in text
    assert "open" not in {row[8].strip() for row in rows(text)}
    settings = sum(
        variant.max_seats - variant.min_seats + 1 for game in GAMES.values() for variant in game.card.variants
    )
    assert len(rows(text)) == 1 + 2 * settings


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_the_document_is_what_is_measured(run: Run, tmp_path: Path) -> None:
    ran = run("strength", "--out", "table.md")
    assert ran.code == 0
    measured = (tmp_path / "table.md").read_text(encoding="utf-8")
    assert rows(measured) == rows(DOCUMENT.read_text(encoding="utf-8"))
