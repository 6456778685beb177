"""``compare``: its verdicts and exits, its bots with their own neighbours, and what it refuses."""

import json
from pathlib import Path

import pytest

from mamenoki.strength.contest import Pairing, claim_of, contest
from mamenoki.strength.trial import Claim
from tests.unit.cli.conftest import Run

BOT = """
from mamenoki.sdk import Bot
from ways import WAY

class MyBot(Bot):
    def choose(self, decision):
        return decision.legal[WAY]
"""


def version(folder: Path, way: int) -> str:
    """A bot whose way to play stands in a module beside it."""
    folder.mkdir()
    (folder / "my_bot.py").write_text(BOT)
    (folder / "ways.py").write_text(f"WAY = {way}\n")
    return f"{folder.name}/my_bot.py:MyBot"


def test_what_is_better_is_known_to_be(run: Run) -> None:
    ran = run("compare", "greedy", "random", "--game", "mushi", "--seed", "1")
    assert ran.code == 0
    assert ran.out.startswith("greedy is better than random; the chance to say so though it is not is 5%")
    assert "30 deals, 60 matches, seed 1" in ran.out


def test_what_is_no_better_is_an_exit(run: Run) -> None:
    ran = run("compare", "random", "greedy", "--game", "mushi", "--seats", "3", "--seed", "1", "--json")
    told = json.loads(ran.out)
    assert (ran.code, told["verdict"], told["seats"]) == (1, "no better", 3)
    assert told["even"] == pytest.approx(1 / 3)
    assert told["matches"] == 3 * told["deals"]


def test_what_is_not_known_is_another(run: Run) -> None:
    words = ("compare", "strong", "greedy", "--game", "mushi", "--matches", "60", "--edge", "0.0001")
    ran = run(*words, "--seed", "2")
    assert ran.code == 3
    assert "it is not known whether strong is better than greedy" in ran.out


def test_each_version_has_its_own_neighbours(run: Run, tmp_path: Path) -> None:
    """Both files and both modules beside them have the same names."""
    first, last = version(tmp_path / "first", 0), version(tmp_path / "last", -1)
    there = json.loads(run("compare", first, last, "--game", "beanstalk", "--seed", "1", "--json").out)
    back = json.loads(run("compare", last, first, "--game", "beanstalk", "--seed", "1", "--json").out)
    same = json.loads(run("compare", first, first, "--game", "beanstalk", "--seed", "1", "--json").out)
    assert same["mean"] == pytest.approx(0.5)
    assert there["mean"] != pytest.approx(0.5)
    assert {there["verdict"], back["verdict"]} == {"better", "no better"}


def test_together_it_is_points(run: Run) -> None:
    ran = run("compare", "greedy", "random", "--game", "morumori/coop", "--seats", "2", "--seed", "1")
    assert ran.code == 0
    assert "points more on the same deal, 0.000 is even, 1.000 the edge" in ran.out


def test_the_same_seed_gives_the_same(run: Run) -> None:
    words = ("compare", "greedy", "random", "--game", "seimi", "--seed", "9", "--json")
    assert run(*words).out == run(*words).out


def test_a_bot_that_raises_measures_nothing(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(BOT.replace("from ways import WAY", "WAY = 10_000"))
    ran = run("compare", "bad.py:MyBot", "random", "--game", "mushi", "--seed", "1")
    assert ran.code == 1
    assert ran.err.splitlines()[0].startswith("mamenoki: new, seat 0 of 2 in mushi/standard, raised: ")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("greedy", "random", "--game", "chess"), "chess"),
        (("greedy", "random", "--game", "mushi", "--seats", "9"), "9"),
        (("greedy,random", "random", "--game", "mushi"), "'greedy,random' is 2 bots; name one"),
        (("nobody", "random", "--game", "mushi"), "there is no house bot 'nobody'"),
        (("greedy", "random", "--game", "mushi", "--alpha", "0.5"), "--alpha is a chance between 0 and 0.5"),
        (("greedy", "random", "--game", "mushi", "--beta", "nan"), "--beta is a chance"),
        (("greedy", "random", "--game", "mushi", "--edge", "0"), "--edge is more than 0"),
        (("greedy", "random", "--game", "mushi", "--edge", "inf"), "--edge is more than 0"),
    ],
)
def test_what_makes_no_sense_is_refused(run: Run, words: tuple[str, ...], why: str) -> None:
    ran = run("compare", *words)
    assert ran.code == 2
    assert why in ran.complaint


def test_a_claim_is_about_an_even_share() -> None:
    assert claim_of(Pairing("mushi/standard", 4, "a", "b")) == Claim(0.25, 0.3, 0.01, 0.01)
    assert claim_of(Pairing("mushi/standard", 2, "a", "b"), 0.1, 0.05, 0.02) == Claim(0.5, 0.55, 0.05, 0.02)
    assert claim_of(Pairing("morumori/coop", 2, "a", "b"), 3) == Claim(0, 3, 0.01, 0.01)
    nothing = contest(Pairing("mushi/standard", 2, "greedy", "random"), seed=1, most=0)
    assert (nothing.matches, nothing.trial.count, nothing.trial.verdict) == (0, 0, None)
