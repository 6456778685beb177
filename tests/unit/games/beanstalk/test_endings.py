"""How a match ends, and who is placed where."""

import pytest

from tests.unit.games.beanstalk.script import kinds, over, place, run, shows

RICH = "gold silver silver"  # nine points


class TestHome:
    def test_the_winner_may_have_fewer_points_than_the_next(self) -> None:
        held = {0: "silver silver silver silver", 1: RICH, 2: "bronze", 3: "bronze"}
        state = place([2, 5, 6, 7], down=[0, 1], held=held, support="31245")
        run(state, "play 3222")
        assert (over(state).scores, over(state).ranks) == ([8, 9, 1, 1], [0, 1, 2, 2])

    def test_seven_points_are_not_enough(self) -> None:
        state = place([2, 5, 6], down=[0], held={0: "gold silver"}, support="31245")
        run(state, "play 322")
        shows(state, state="commit", squares=[3, 5, 6])

    @pytest.mark.parametrize(
        ("one", "other", "ranks"),
        [
            (RICH, "gold silver bronze", [0, 1, 2]),
            ("gold silver bronze", RICH, [1, 0, 2]),
            (RICH, RICH, [0, 0, 2]),
        ],
    )
    def test_both_of_a_square_batting(self, one: str, other: str, ranks: list[int]) -> None:
        state = place([2, 5, 7], held={0: one, 1: other, 2: "bronze"}, support="12345", gamble=MUCH)
        run(state, "play 322")
        assert (over(state).end, over(state).ranks) == ("normal", ranks)

    def test_only_a_move_of_ones_own_wins_without_the_switch(self) -> None:
        state = place(
            [2, 5, 0, 0], held={0: RICH, 1: RICH}, support="12345", gamble=MUCH, batted_return_wins=False
        )
        run(state, "play 3222")
        shows(state, state="commit", squares=[0, 0, 0, 0])
        run(state, "play 4345")  # out again
        shows(state, state="commit")

    def test_stepping_home_wins_without_the_switch(self) -> None:
        state = place([2, 5, 6], down=[0], held={0: RICH}, support="31245", batted_return_wins=False)
        run(state, "play 322")
        assert over(state).ranks == [0, 1, 1]

    def test_the_ground_stop_wins_as_well(self) -> None:
        state = place([2, 5, 6], down=[0], held={0: RICH}, support="31245", ground_stop=True)
        run(state, "play 322")
        assert over(state).ranks == [0, 1, 1]

    def test_all_cards_are_turned_up(self) -> None:
        held = {0: RICH, 1: "bronze thief"}
        state = place([2, 5, 6], down=[0], held=held, loot={1: "silver"}, support="31245")
        (*_, end) = run(state, "play 322")
        assert end == {
            "event": "end",
            "end": "normal",
            "why": "home",
            "scores": [9, 3, 0],
            "ranks": [0, 1, 2],
            "treasures": [[1, 2, 0], [0, 0, 1], [0, 0, 0]],
            "loot": [[0, 0, 0], [0, 1, 0], [0, 0, 0]],
        }
        shows(state, treasures=end["treasures"], loot=end["loot"], points=[9, 3, 0], end="normal")


MUCH = {"gold": 4, "silver": 9, "bronze": 9}
FEW = {"gold": 1, "silver": 2, "thief": 1, "tornado": 1}


class TestDeadDecks:
    def place(
        self, held: dict[int, str], squares: tuple[int, ...] = (3, 4, 5), **changes: object
    ) -> list[str]:
        changes = {"stable": {}, "gamble": FEW, "support": "12345", **changes}
        self.state = place(squares, held=held, **changes)  # type: ignore[arg-type]  # config keys and such
        return kinds(run(self.state, "play 112"))

    def test_most_points_win(self) -> None:
        told = self.place({0: "gold thief", 1: "silver silver", 2: "tornado"})
        assert told[-1] == "end"
        assert (over(self.state).end, over(self.state).scores) == ("normal", [6, 4, 1])
        assert over(self.state).ranks == [0, 1, 2]

    def test_equal_points_share(self) -> None:
        self.place({0: "gold", 1: "silver silver thief", 2: "tornado"})
        assert over(self.state).ranks == [0, 0, 2]

    def test_not_while_somebody_has_enough(self) -> None:
        self.place({0: "gold silver thief", 1: "silver", 2: "tornado"})
        shows(self.state, state="commit")

    def test_not_with_a_card_left(self) -> None:
        self.place({0: "gold thief", 1: "silver silver"})
        shows(self.state, state="commit")

    def test_not_with_a_thief_armed_for_the_next_turn(self) -> None:
        drawn = {0: "gold", 1: "silver silver", 2: "tornado"}
        self.place(drawn, squares=(3, 4, 9), support="21345")
        run(self.state, "draw gamble", "gamble thief")
        shows(self.state, state="commit", armed=[0, 0, 1])
        run(self.state, "play 221")
        assert over(self.state).end == "normal"

    def test_a_thief_that_was_armed_in_this_turn_no_longer_counts(self) -> None:
        self.place({0: "gold thief", 1: "silver silver", 2: "tornado"}, armed={0: 1})
        shows(self.state, state="theft")
        run(self.state, "theft silver 1")
        assert over(self.state).scores == [7, 2, 1]

    def test_the_npc_may_hoard(self) -> None:
        held = {0: "silver", 1: "tornado", 2: "gold silver thief"}
        state = place((3, 4, 5), seats=2, held=held, stable={}, gamble=FEW)
        run(state, "play 12", "npc 1")
        assert (over(state).scores, over(state).ranks) == ([2, 1], [0, 1])

    def test_two_empty_decks_from_the_start(self) -> None:
        state = place((0, 0, 0), stable={}, gamble={}, turn=0)
        run(state, "play 111")
        assert (over(state).end, over(state).ranks) == ("normal", [0, 0, 0])

    def test_before_the_turn_limit(self) -> None:
        self.place({0: "gold thief", 1: "silver silver", 2: "tornado"}, turn_limit=11)
        assert over(self.state).end == "normal"


class TestTurnLimit:
    @pytest.mark.parametrize(
        ("squares", "held", "ranks"),
        [
            ((3, 4, 5), {0: "bronze", 1: "silver", 2: "silver"}, [2, 0, 1]),
            ((3, 4, 2), {}, [1, 2, 0]),
            ((0, 0, 5), {0: "gold", 1: "gold"}, [0, 0, 2]),
        ],
    )
    def test_points_then_the_lower_square_then_shared(
        self, squares: tuple[int, ...], held: dict[int, str], ranks: list[int]
    ) -> None:
        state = place(squares, held=held, down=[2], turn_limit=11)
        run(state, "play 111")
        assert (over(state).end, over(state).ranks) == ("turn_limit", ranks)

    def test_it_comes_before_the_clean_up(self) -> None:
        state = place([1, 2, 3], turn=14, hands=["1", "1", "1"], turn_limit=15)
        told = run(state, "play 111")
        assert told[-1]["why"] == "turns"
        shows(state, state="over", turn=15, hands=[[], [], []])

    def test_not_before(self) -> None:
        state = place([1, 2, 3], turn_limit=12)
        run(state, "play 111")
        shows(state, state="commit", turn=11)
