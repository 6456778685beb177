"""What ``--bots`` takes, and what is said of a file that cannot play."""

from pathlib import Path

import pytest

from mamenoki.cli.bots import entrants, read_settings, split
from mamenoki.cli.errors import CommandError
from mamenoki.sdk import Bot
from tests.unit.cli.conftest import Run


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("random,greedy,strong", ["random", "greedy", "strong"]),
        ("greedy:a=1,b=2,random", ["greedy:a=1,b=2", "random"]),
        (" random , my_bot.py:MyBot ", ["random", "my_bot.py:MyBot"]),
        ("bots/my_bot.py:MyBot:depth=3,x=y,random", ["bots/my_bot.py:MyBot:depth=3,x=y", "random"]),
        ("random,,random", ["random", "random"]),
        ("", []),
    ],
)
def test_a_setting_goes_with_the_bot_before_it(text: str, wanted: list[str]) -> None:
    assert split(text) == wanted


def test_settings_are_json_where_they_can_be() -> None:
    assert read_settings("a=1,b=true,c=word,d=null,e=") == {
        "a": 1,
        "b": True,
        "c": "word",
        "d": None,
        "e": "",
    }


def write(text: str, name: str = "my_bot.py") -> str:
    Path(name).write_text(text)
    return name


GOOD = """
from mamenoki.sdk import Bot
class MyBot(Bot):
    def __init__(self, depth=1):
        super().__init__()
        self.depth = depth
    def choose(self, decision):
        return decision.legal[0]
"""

BARE = """
from mamenoki.sdk import Bot
class MyBot(Bot):
    def choose(self, decision):
        return decision.legal[0]
"""


@pytest.mark.parametrize(
    "spec", ["my_bot.py", "my_bot.py:MyBot", "./my_bot.py:MyBot", "my_bot.py:MyBot:depth=3"]
)
def test_a_bot_from_a_file_plays(spec: str, run: Run) -> None:
    write(GOOD)
    assert run("play", "mushi", "--bots", f"{spec},random", "--seed", "1").code == 0


def test_a_file_may_import_the_files_beside_it(run: Run) -> None:
    write("KEEP = 'keep -'", "beside_my_bot.py")
    write("from beside_my_bot import KEEP\n" + GOOD)
    assert run("play", "mushi", "--bots", "my_bot.py", "--seed", "1").code == 0


def test_a_file_beside_it_hides_no_module_of_pythons(run: Run) -> None:
    write("raise RuntimeError('not me')", "this.py")
    write("import this\n" + GOOD)
    assert run("play", "mushi", "--bots", "my_bot.py", "--seed", "1").code == 0


def test_a_class_that_takes_any_settings_gets_them(run: Run) -> None:
    write(GOOD.replace("depth=1", "**depth"))
    ran = run("play", "mushi", "--bots", "my_bot.py:MyBot:depth=3,random", "--seed", "1")
    assert (ran.code, ran.err) == (0, "")


def test_a_house_bot_that_there_is_not_is_said_with_those_that_there_are(run: Run) -> None:
    ran = run("play", "mushi", "--bots", "gredy")
    assert ran.code == 2
    assert "did you mean greedy? there are: random, greedy, strong, greedy-hoarder" in ran.complaint
    listed = ran.complaint.partition("there are: ")[2].partition(";")[0].split(", ")
    assert len(listed) == len(set(listed))


@pytest.mark.parametrize(
    ("text", "spec", "wanted"),
    [
        (GOOD, "other.py:MyBot", "there is no file other.py; `mamenoki new-bot other` writes one"),
        ("def f(:\n", "my_bot.py", "my_bot.py line 1: invalid syntax"),
        (
            "import nothing_of_that_name",
            "my_bot.py",
            "my_bot.py line 1: ModuleNotFoundError: No module named",
        ),
        ("x = 1\ny = x / 0", "my_bot.py", "my_bot.py line 2: ZeroDivisionError"),
        (GOOD, "my_bot.py:YourBot", "my_bot.py has no class YourBot; bots in it: MyBot"),
        (
            GOOD + "class B(MyBot): ...",
            "my_bot.py",
            "name the bot as my_bot.py:CLASS; bots in this file: MyBot, B",
        ),
        ("class MyBot: ...", "my_bot.py:MyBot", "MyBot does not derive from mamenoki.sdk.Bot"),
        ("x = 1", "my_bot.py", "bots in this file: none; a bot is a class that derives from"),
        (
            GOOD.replace("choose", "chose"),
            "my_bot.py",
            "MyBot has no choose; write `def choose(self, decision)",
        ),
        (GOOD.replace("self, decision", "self"), "my_bot.py", "must be choose(self, decision)"),
        (GOOD.replace("self, decision", "self, decision, x"), "my_bot.py", "must be choose(self, decision)"),
        (GOOD + "    def start(self): ...", "my_bot.py", "must be start(self, seat)"),
        (GOOD + "    def finish(self): ...", "my_bot.py", "must be finish(self, result)"),
        (GOOD, "my_bot.py:MyBot:width=3", "MyBot has no setting 'width'; it takes: depth."),
        (BARE, "my_bot.py:MyBot:nerve=2", "has no setting 'nerve'; it takes none. Name it in the class"),
        (GOOD, "my_bot:MyBot", "'my_bot:MyBot' is no bot; for a class of a file write my_bot.py:MyBot"),
        (GOOD, "bots.my:MyBot:depth=2", "for a class of a file write bots/my.py:MyBot:depth=2"),
        (GOOD.replace("depth=1", "depth"), "my_bot.py", "missing a required argument: 'depth'"),
        (GOOD.replace("= depth", "= 1 / 0"), "my_bot.py", "cannot be made: ZeroDivisionError"),
        (GOOD, "my_bot.py:3rd", "is no bot; write FILE.py:CLASS"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_a_line(text: str, spec: str, wanted: str, run: Run) -> None:
    write(text)
    for ran in (
        run("play", "mushi", "--bots", spec),
        run("connect", spec, "--server", "127.0.0.1:1", "--token", "t"),
    ):
        assert ran.code in (1, 2)
        assert wanted in ran.complaint


def test_equal_bots_are_told_apart() -> None:
    names = [entrant.name for entrant in entrants("random,random", "mushi", "standard")]
    assert names == ["house/random-1@1", "house/random-2@1"]


def test_settings_are_in_the_name(run: Run) -> None:
    write(GOOD)
    entrant, _ = entrants("my_bot.py:MyBot:depth=3,random", "mushi", "standard")
    assert entrant.name == "local/MyBot-depth-3@1"
    assert isinstance(entrant.make(), Bot)
    assert entrant.make() is not entrant.make()


def test_a_bot_that_reads_a_missing_file_when_made_is_said_before_the_first_match(run: Run) -> None:
    write(GOOD.replace("self.depth = depth", "self.depth = open('model.bin')"))
    with pytest.raises(CommandError, match="cannot be made: FileNotFoundError"):
        entrants("my_bot.py", "mushi", "standard")


def test_a_new_bot_plays_at_once(run: Run) -> None:
    made = run("new-bot", "my_first_bot")
    assert made.code == 0
    assert "my_first_bot.py:MyFirstBot" in made.out
    played = run(
        "play", "mushi", "--bots", "my_first_bot.py:MyFirstBot,random", "--matches", "2", "--seed", "1"
    )
    assert played.code == 0
    assert played.err == ""
    again = run("new-bot", "my_first_bot.py")
    assert (again.code, again.complaint) == (1, "my_first_bot.py is there already; choose another name")


@pytest.mark.parametrize("name", ["3bot", "my-bot", "my bot", ""])
def test_a_bots_file_must_have_a_python_name(name: str, run: Run) -> None:
    ran = run("new-bot", name)
    assert ran.code == 2
    assert "is no Python name" in ran.complaint


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("random", "a module of Python's own"),
        ("enum.py", "a module of Python's own"),
        ("storage", "a package of mamenoki itself"),
        ("greedy", "a house bot"),
    ],
)
def test_a_bots_file_must_not_hide_a_module(name: str, wanted: str, run: Run) -> None:
    ran = run("new-bot", name)
    assert ran.code == 2
    assert wanted in ran.complaint
    assert "choose another name, such as my_" in ran.complaint
    assert not list(Path().glob("*.py"))
