"""Whole matches with a scripted person, of every game and variant, and every board that it is shown."""

import re
from collections.abc import Sequence
from random import Random

import pytest

from engine_service.core.game import configure, variant_of
from engine_service.core.replay import verify
from engine_service.games import GAMES, find
from mamenoki.house import make
from mamenoki.sdk import Bot, Decision
from mamenoki.sdk.local import Resigned, Table, play_match
from mamenoki.terminal.boards import board_of
from mamenoki.terminal.boards.board import WIDTH, Board
from mamenoki.terminal.person import marked
from mamenoki.terminal.sitting import YOUR_NAME, Sitting, rules_of, sit_down

EVERY = [f"{game.card.id}/{variant.name}" for game in GAMES.values() for variant in game.card.variants]


class Script:
    """Types the words given, then, for ever, a move drawn among those listed last."""

    def __init__(self, *words: str, seed: int = 1) -> None:
        self.words = list(words)
        self.shown: list[str] = []
        self.told: list[str] = []
        self.pages: list[str] = []
        self._dice = Random(seed)
        self._asked_for_list = False

    def say(self, lines: Sequence[str]) -> None:
        self.shown += lines
        self._last = list(lines)

    def tell(self, sentences: Sequence[str]) -> None:
        self.told += sentences

    def show_page(self, markdown: str) -> None:
        self.pages.append(markdown)

    def ask(self) -> str:
        if self.words:
            word = self.words.pop(0)
            self.told_before = len(self.told)
            if word == "leave":
                raise Resigned
            return word
        if not self._asked_for_list:
            self._asked_for_list = True
            return "list"
        self._asked_for_list = False
        cells = [cell for line in self._last for cell in re.split(r"\s{3,}", line.strip())]
        return self._dice.choice(cells).lstrip("0123456789").strip()


def table(game: str, seats: int, seat: int) -> Table:
    names = [f"house/random-{place}@1" for place in range(seats)]
    names[seat] = YOUR_NAME
    return Table(match="m", game=game, players=names, seed=bytes(range(32)))


def sitting(game: str, seats: int, seat: int) -> Sitting:
    bots = [make(find(game)[0].card.id, "random", {}) for _ in range(seats - 1)]
    return Sitting(table(game, seats, seat), seat, bots)


@pytest.mark.parametrize("game", EVERY)
def test_a_person_plays_a_whole_match(game: str) -> None:
    variant = find(game)[1]
    seats = variant.max_seats
    screen = Script("", "?", "nonsense", "board", "rules")
    played = sit_down(sitting(game, seats, seats - 1), screen)
    verify(played.replay, GAMES)
    assert played.faults == []
    assert "'nonsense' may not be played now" in " ".join(screen.shown)
    assert len(screen.pages) == 1
    assert len(screen.pages[0]) > 500
    assert not any(line.startswith("#") for line in screen.pages[0].splitlines())
    assert screen.told[-1].endswith((".", "!"))
    assert any("guest" in sentence for sentence in screen.told)


def test_the_end_is_told_although_nothing_is_asked_any_more() -> None:
    screen = Script()
    played = sit_down(sitting("mushi/standard", 3, 0), screen)
    assert " wins (bugs on the heaps: " in screen.told[-1]
    assert played.outcome.scores


@pytest.mark.parametrize("word", ["leave", "resign", "quit"])
@pytest.mark.parametrize("game", EVERY)
def test_whoever_resigns_is_last_and_the_others_play_on(game: str, word: str) -> None:
    seats = find(game)[1].max_seats
    screen = Script("play", word)
    played = sit_down(sitting(game, seats, 1), screen)
    assert played.faults == []
    assert played.outcome.forfeits == {1: "resigned"}
    assert played.outcome.placements[1] == seats - 1
    verify(played.replay, GAMES)
    assert len(screen.told) == screen.told_before + 1, "of the rest no more is told than the end"


def test_a_long_name_is_cut_and_told_apart_by_its_seat() -> None:
    names = ["house/greedy@1 (seat 0)", "house/greedy@1 (seat 1)", "guest"]
    assert marked(names, 2) == ["house/greedy@… #0", "house/greedy@… #1", "guest (you)"]


class Watcher(Bot):
    """Plays at random and keeps every board that a person on its seat would have been shown."""

    def __init__(self, game: str, names: Sequence[str]) -> None:
        super().__init__()
        self.drawn: list[list[str]] = []
        self._game, self._names, self._dice = game, names, Random(3)
        self.config = configure(find(game)[1], {})

    def choose(self, decision: Decision) -> str:
        board = board_of(self._game.partition("/")[0])
        self.drawn.append(board.draw(decision.view, self._names, self.config))
        self.view = decision.view
        return self._dice.choice(decision.legal)


@pytest.mark.parametrize("game", EVERY)
def test_no_board_is_wider_than_a_narrow_terminal(game: str) -> None:
    seats = variant_of(*_named(game)).max_seats
    names = marked([f"local/VeryCautious-{seat}" for seat in range(seats)], 1)
    watchers = [Watcher(game, names) for _ in range(seats)]
    play_match(table(game, seats, 0), watchers)
    lines = [line for watcher in watchers for drawn in watcher.drawn for line in drawn]
    assert len(lines) > 20
    assert max(map(len, lines)) <= WIDTH


def test_many_treasures_take_a_second_line() -> None:
    names = marked(["local/VeryCautious-0", "local/VeryCautious-1"], 0)
    watcher = Watcher("beanstalk/standard", names)
    play_match(table("beanstalk/standard", 2, 0), [watcher, make("beanstalk", "random", {})])
    view = watcher.view | {"treasures": [[2, 1, 2], None, None], "thieves": [2, 0, 1], "tornados": [1, 0, 1]}
    drawn = board_of("beanstalk").draw(view, names, watcher.config)
    assert max(map(len, drawn)) <= WIDTH
    told = " ".join(" ".join(drawn).split())
    for held in ("2 gold,", "1 silver,", "2 bronze,", "2 thief,", "1 tornado"):
        assert held in told


def test_a_game_without_a_board_is_shown_key_by_key() -> None:
    plain = board_of("nothing_like_it")
    assert type(plain) is Board
    drawn = plain.draw({"seat": 0, "coins": [1, None], "pot": "x " * 60}, ["you"], {})
    assert drawn[0] == "coins: [1, -]"
    assert len(drawn) == 4
    assert max(map(len, drawn)) <= WIDTH


def test_a_game_says_how_it_is_played() -> None:
    for game in GAMES:
        assert 1000 < len(rules_of(game)) < 5000


def _named(game: str) -> tuple[object, str]:
    found, variant = find(game)
    return found, variant.name
