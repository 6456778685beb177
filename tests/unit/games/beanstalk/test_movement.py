"""Rows of the rules' table of states: who moves, draws and bats when the cards have been told."""

import pytest

from engine_service.core.game import IllegalMove, NotYourTurn
from tests.unit.games.beanstalk.script import kinds, legal, place, run, shows


class TestMovement:
    @pytest.mark.parametrize(
        ("support", "card", "steps"),
        [
            ("31245", 3, 5),
            ("13245", 3, 4),
            ("12345", 3, 3),
            ("12435", 3, 2),
            ("12453", 3, 1),
            ("51234", 5, 7),
        ],
    )
    def test_amounts(self, support: str, card: int, steps: int) -> None:
        state = place([1, 10, 10], down=[1, 2], support=support)
        run(state, f"play {card}11")
        shows(state, squares=[1 + steps, 10, 10])

    def test_exactly_at_the_castle(self) -> None:
        state = place([7, 2, 3], support="12345")
        told = run(state, "play 311", "draw gamble", "gamble bronze")
        shows(state, squares=[10, 2, 3], directions=["down", "up", "up"])
        assert [event["to"] for event in told if event["event"] == "move"] == [10]

    def test_exactly_at_the_ground(self) -> None:
        state = place([3, 2, 3], down=[0], support="12345")
        run(state, "play 311")
        shows(state, squares=[0, 2, 3], directions=["up", "up", "up"])

    @pytest.mark.parametrize(("stop", "square"), [(False, 4), (True, 0)])
    def test_past_the_ground(self, stop: bool, square: int) -> None:
        state = place([1, 2, 3], down=[0], support="31245", ground_stop=stop)
        told = run(state, "play 311")
        shows(state, squares=[square, 2, 3], directions=["up", "up", "up"])
        assert len([event for event in told if event["event"] == "move"]) == 2 - stop

    def test_from_the_castle_down(self) -> None:
        state = place([10, 2, 3], down=[0], support="31245")
        run(state, "play 311")
        shows(state, squares=[5, 2, 3])

    def test_by_support_not_by_seat(self) -> None:
        state = place([1, 2, 3, 4], support="54321")
        told = run(state, "play 1234")
        assert [event["member"] for event in told[1:]] == [3, 2, 1, 0]

    def test_passing_over_a_piece_does_nothing(self) -> None:
        state = place([1, 2, 3], support="31245")
        run(state, "play 311")
        shows(state, squares=[6, 2, 3])


class TestDraw:
    def test_between_two_movers(self) -> None:
        state = place([8, 1, 5], support="32145")
        told = run(state, "play 321")
        assert kinds(told) == ["commit", "move"]
        shows(state, state="draw", decides=[0], drawer=0, drawers=[], steps=3, squares=[10, 1, 5])
        assert legal(state) == ["draw stable", "draw gamble"]
        assert state.default(0) == state.legal(0)[0]
        told = run(state, "draw gamble")
        assert told == [{"event": "draw", "seat": 0, "deck": "gamble"}]
        shows(state, state="treasure", deck="gamble", decides=[])
        told = run(state, "gamble gold")
        assert kinds(told) == ["treasure", "found", "move", "move", "move"]
        shows(state, squares=[7, 4, 6], steps=0, drawer=None)

    def test_only_the_owner_sees_it(self) -> None:
        state = place([8, 1, 3], support="32145")
        run(state, "play 311", "draw gamble")
        public, private, *_ = state.resolve([0])
        assert public.event == {"event": "treasure", "member": 0, "deck": "gamble", "treasure": None}
        assert public.audience is None
        assert private.event == {"event": "found", "seat": 0, "treasure": "gold"}
        assert private.audience == [0]
        shows(state, seat=0, treasures=[[1, 0, 0], None, None], points=[5, None, None])
        shows(state, seat=1, treasures=[None, [0, 0, 0], None], points=[None, 0, None])
        shows(state, treasures=[None] * 3, points=[None] * 3, covered=[1, 0, 0])

    @pytest.mark.parametrize(
        ("deck", "kind", "key"), [("stable", "thief", "thieves"), ("gamble", "tornado", "tornados")]
    )
    def test_thieves_and_tornados_lie_open(self, deck: str, kind: str, key: str) -> None:
        state = place([8, 1, 3], support="32145")
        run(state, "play 311", f"draw {deck}")
        told = run(state, f"{deck} {kind}")
        assert told[0] == {"event": "treasure", "member": 0, "deck": deck, "treasure": kind}
        assert state.view(None)[key] == [1, 0, 0]
        shows(state, armed=[int(kind == "thief"), 0, 0], storm=0 if kind == "tornado" else None)

    @pytest.mark.parametrize(
        ("stable", "gamble", "choice"), [({}, {"gold": 1}, "gamble"), ({"silver": 1}, {}, "stable")]
    )
    def test_with_one_deck_left_it_is_asked(
        self, stable: dict[str, int], gamble: dict[str, int], choice: str
    ) -> None:
        state = place([8, 1, 3], support="32145", stable=stable, gamble=gamble)
        run(state, "play 311")
        assert legal(state) == [f"draw {choice}"]
        with pytest.raises(IllegalMove, match=f"it may play: draw {choice}"):
            state.play({0: 13 - state.legal(0)[0]})
        with pytest.raises(NotYourTurn, match="only seat 0 decides"):
            state.legal(1)

    def test_with_none_left_it_is_skipped(self) -> None:
        state = place([8, 1, 3], support="32145", stable={}, gamble={"gold": 2}, held={0: "gold gold"})
        told = run(state, "play 311")
        assert kinds(told) == ["commit", "card_batting", "move", "move"]
        shows(state, squares=[7, 1, 3], directions=["down", "up", "up"], state="commit")

    def test_the_treasure_comes_before_the_landing(self) -> None:
        state = place([8, 7, 3], support="32145")
        told = run(state, "play 311", "draw gamble", "gamble tornado")
        assert kinds(told)[-3:] == ["treasure", "move", "square_batting"]
        shows(state, squares=[0, 0, 3], directions=["up", "up", "up"], tornados=[1, 0, 0])


class TestSquareBatting:
    def test_a_piece_that_was_batted_still_moves(self) -> None:
        state = place([1, 6, 7], support="32145")
        told = run(state, "play 325")
        batting = [event for event in told if event["event"] == "square_batting"]
        assert batting == [{"event": "square_batting", "member": 0, "other": 1, "square": 6}]
        shows(state, squares=[0, 3, 8])

    @pytest.mark.parametrize(("wins", "is_over"), [(True, True), (False, False)])
    def test_batted_home_with_enough(self, wins: bool, is_over: bool) -> None:
        held = {1: "gold silver silver"}
        state = place([1, 6, 9], support="32145", held=held, batted_return_wins=wins)
        run(state, "play 322")
        shows(state, squares=[0, 0, 9], state="over" if is_over else "commit")

    def test_the_card_batting_of_others_does_not_protect(self) -> None:
        state = place([1, 6, 9], support="32145")
        told = run(state, "play 322")
        assert kinds(told) == ["commit", "card_batting", "move", "square_batting"]
