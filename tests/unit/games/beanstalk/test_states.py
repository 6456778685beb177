"""Every row of the rules' table of states, and what is said about each."""

import pytest

from engine_service.core.game import Chance, IllegalMove, NotYourTurn, State, Turn
from tests.unit.games.beanstalk.script import kinds, legal, new, over, place, run, shows


def pending_chance(state: State) -> tuple[str, list[int]]:
    chance = state.pending()
    assert isinstance(chance, Chance)
    return chance.stream, chance.sizes


def deciding(state: State) -> list[int]:
    turn = state.pending()
    assert isinstance(turn, Turn)
    return turn.seats


class TestCommit:
    def test_all_seats_at_once(self) -> None:
        state = place([1, 2, 3, 4], hands=["135", "2", "1", "45"])
        assert deciding(state) == [0, 1, 2, 3]
        assert legal(state, 0) == ["play 1", "play 3", "play 5"]
        assert legal(state, 3) == ["play 4", "play 5"]
        assert [state.default(seat) for seat in range(4)] == [1, 2, 1, 4]

    def test_the_order_of_the_moves_makes_no_difference(self) -> None:
        one, other = place([1, 2, 3]), place([1, 2, 3])
        first = [sighting.event for sighting in one.play({0: 3, 1: 5, 2: 1})]
        assert [sighting.event for sighting in other.play({2: 1, 1: 5, 0: 3})] == first
        assert one.view(0) == other.view(0)

    @pytest.mark.parametrize("moves", [{0: 2, 1: 2, 2: 1}, {0: 6, 1: 2, 2: 1}, {0: -1, 1: 2, 2: 1}, {0: 1}])
    def test_what_is_not_in_the_hand_is_refused(self, moves: dict[int, int]) -> None:
        state = place([1, 2, 3], hands=["13", "2", "1"])
        with pytest.raises(IllegalMove, match=r"seat \d may not play that now; it may play: play \d"):
            state.play(moves)
        shows(state, hands=[[1, 3], [2], [1]], state="commit", cards=[])

    def test_a_stranger_is_refused(self) -> None:
        state = place([1, 2, 3])
        with pytest.raises(NotYourTurn, match="seat 3 owes no decision; only seat 0 and seat 1 and seat 2"):
            state.play({0: 1, 1: 1, 2: 1, 3: 1})
        with pytest.raises(NotYourTurn, match="seat 3 owes no decision"):
            state.legal(3)

    def test_nobody_owes_anything_while_chance_falls(self) -> None:
        state = new(2)
        with pytest.raises(NotYourTurn, match="no seat decides now"):
            state.legal(0)
        with pytest.raises(NotYourTurn, match="no seat decides now"):
            state.play({0: 1, 1: 1})


class TestNpc:
    def test_its_card_falls_behind_the_commit(self) -> None:
        state = place([1, 2, 3], seats=2, hands=["1234", "1234", "1245"], turn=11)
        assert kinds(run(state, "play 12")) == ["commit"]
        assert pending_chance(state) == ("npc", [4])
        shows(state, state="npc", cards=[1, 2, 0], decides=[], batted=[])
        assert state.reading([2]) == {"faces": ["4"]}
        assert run(state, "npc 4")[0] == {"event": "npc", "card": 4}
        shows(state, hands=[[2, 3, 4], [1, 3, 4], [1, 2, 5]])

    def test_it_bats_and_is_batted(self) -> None:
        state = place([1, 2, 3], seats=2)
        told = run(state, "play 34", "npc 4")
        assert told[2] == {"event": "card_batting", "card": 4, "members": [1, "npc"]}
        shows(state, squares=[6, 2, 3])

    def test_its_piece_bats_squares(self) -> None:
        state = place([1, 9, 4], seats=2, support="34512", down=[1])
        told = run(state, "play 12", "npc 4")
        assert told[3] == {"event": "square_batting", "member": "npc", "other": 1, "square": 9}

    @pytest.mark.parametrize(
        ("gone", "stream", "size"), [("", "stable", 8), ("silver " * 6 + "thief thief", "gamble", 8)]
    )
    def test_it_draws_stable_first_and_open(self, gone: str, stream: str, size: int) -> None:
        state = place([0, 0, 8], seats=2, gone=gone, support="43125")
        told = run(state, "play 11", "npc 4")
        assert pending_chance(state) == (stream, [size])
        told = run(state, f"{stream} silver")
        assert told[0] == {"event": "treasure", "member": "npc", "deck": stream, "treasure": "silver"}
        shows(state, squares=[0, 0, 6], seat=0)

    def test_it_never_wins(self) -> None:
        state = place([1, 1, 2], seats=2, gone="gold gold", down=[2], support="43125")
        run(state, "play 11", "npc 4")
        shows(state, state="commit", squares=[1, 1, 4], directions=["up", "up", "up"])

    def test_its_deck_is_shuffled_with_the_fifth_turn(self) -> None:
        state = place([1, 2, 3], seats=2, hands=["1", "2", "5"], turn=14)
        run(state, "play 12")
        assert pending_chance(state) == ("npc", [1])
        run(state, "npc 5")
        shows(state, state="support", hands=[[1, 2, 3, 4, 5]] * 3)


class TestCardBatting:
    @pytest.mark.parametrize(
        ("cards", "batted"), [("1123", [0, 1]), ("1112", [0, 1, 2]), ("1111", [0, 1, 2, 3]), ("1234", [])]
    )
    def test_groups(self, cards: str, batted: list[int]) -> None:
        state = place([1, 2, 3, 4], support="54321")
        before = state.view(None)["squares"]
        told = run(state, f"play {cards}")
        stayed = [one for one in range(4) if before[one] == state.view(None)["squares"][one]]
        assert set(batted) <= set(stayed)
        assert [event["members"] for event in told if event["event"] == "card_batting"] == [batted] * bool(
            batted
        )

    def test_a_batted_card_is_spent(self) -> None:
        state = place([1, 2, 3])
        run(state, "play 114")
        shows(state, hands=[[2, 3, 4, 5], [2, 3, 4, 5], [1, 2, 3, 5]])


class TestThief:
    def test_the_pool_is_the_others_of_the_group(self) -> None:
        held = {0: "thief silver", 1: "silver", 2: "gold bronze", 3: "silver"}
        state = place([1, 2, 3, 4], armed={0: 1}, held=held)
        run(state, "play 2225")
        assert pending_chance(state) == ("theft", [3])
        assert state.reading([0]) == {"faces": ["silver"], "from": [1]}
        assert state.reading([1]) == {"faces": ["gold"], "from": [2]}
        assert state.reading([2]) == {"faces": ["bronze"], "from": [2]}

    def test_open_cards_and_loot_cannot_be_stolen(self) -> None:
        held = {0: "thief", 1: "thief tornado"}
        state = place([1, 2, 3], armed={0: 1}, held=held, loot={1: "gold"})
        told = run(state, "play 225")
        assert {"event": "idle", "member": 0, "thieves": 1} in told

    def test_only_thief_and_victim_learn_what_was_stolen(self) -> None:
        state = place([1, 2, 3], armed={0: 1}, held={0: "thief", 1: "silver"})
        run(state, "play 225")
        sightings = state.resolve([0])
        assert sightings[0].event == {"event": "theft", "member": 0, "from": 1, "treasure": None}
        assert sightings[0].audience is None
        assert sightings[1].event == {"event": "loot", "seat": 0, "from": 1, "treasure": "silver"}
        assert sightings[1].audience == [0, 1]
        shows(state, seat=2, looted=[1, 0, 0], loot=[None, None, [0, 0, 0]])
        shows(state, seat=0, loot=[[0, 1, 0], None, None])

    @pytest.mark.parametrize(
        ("armed", "held"), [({2: 1}, {2: "thief", 1: "silver"}), ({1: 1}, {1: "thief", 2: "silver"})]
    )
    def test_what_the_npc_wins_or_loses_is_public(self, armed: dict[int, int], held: dict[int, str]) -> None:
        state = place([1, 2, 3], seats=2, armed=armed, held=held)
        run(state, "play 32", "npc 2")
        (sighting, *_) = state.resolve([0])
        assert sighting.event["treasure"] == "silver"
        assert sighting.audience is None

    def test_two_thieves_of_a_group_by_seat(self) -> None:
        held = {0: "silver", 1: "thief gold", 2: "thief"}
        state = place([1, 2, 3], armed={1: 1, 2: 1}, held=held)
        run(state, "play 444")
        assert state.reading([0]) == {"faces": ["silver"], "from": [0]}
        run(state, "theft silver 0")
        assert pending_chance(state) == ("theft", [1])
        assert state.reading([0]) == {"faces": ["gold"], "from": [1]}
        run(state, "theft gold 1")
        shows(state, seat=1, points=[None, 2, None])
        shows(state, seat=2, points=[None, None, 5])

    def test_two_thieves_of_one_owner(self) -> None:
        state = place([1, 2, 3], armed={0: 2}, held={0: "thief thief", 1: "silver"})
        run(state, "play 445")
        told = run(state, "theft silver 1")
        assert {"event": "idle", "member": 0, "thieves": 1} in told
        shows(state, seat=0, points=[3, None, None], armed=[0, 0, 0])

    def test_a_theft_on_the_ground_may_win_at_once(self) -> None:
        held = {0: "gold bronze thief", 1: "silver silver", 3: "bronze", 2: "thief"}
        state = place([0, 2, 3, 4], held=held, armed={0: 1, 2: 1})
        run(state, "play 2244")
        told = run(state, "theft silver 1")
        assert kinds(told) == ["theft", "loot", "end"]
        assert over(state).scores == [8, 2, 1, 1]

    def test_or_not(self) -> None:
        held = {0: "gold bronze thief", 1: "silver"}
        state = place([0, 2, 3], held=held, armed={0: 1}, batted_return_wins=False)
        run(state, "play 225", "theft silver 1")
        shows(state, state="commit")


class TestTornado:
    def test_all_batted_go_to_the_castle_and_those_climbing_draw(self) -> None:
        state = place([0, 4, 5, 2], down=[2], storm=3, held={3: "tornado"})
        told = run(state, "play 1133")
        assert told[3] == {"event": "tornado", "member": 3, "carried": [0, 1, 2, 3]}
        shows(state, squares=[10] * 4, directions=["down"] * 4, drawer=3, drawers=[0, 1], storm=None)
        run(state, "draw stable", "stable silver")
        assert deciding(state) == [0]
        run(state, "draw stable", "stable silver", "draw gamble", "gamble gold")
        shows(state, state="commit", covered=[1, 1, 0, 1], squares=[10] * 4)

    def test_the_owner_need_not_be_batted(self) -> None:
        state = place([1, 2, 3, 4], storm=1, held={1: "tornado"}, support="21345")
        run(state, "play 3233")
        shows(state, squares=[10, 2, 10, 10], drawer=2, drawers=[3, 0])

    def test_the_npc_draws_behind_the_last_seat(self) -> None:
        state = place([1, 2, 3], seats=2, storm=1, held={1: "tornado"})
        run(state, "play 33", "npc 3")
        shows(state, drawer=1, drawers=[2, 0])
        run(state, "draw gamble", "gamble gold")
        assert pending_chance(state) == ("stable", [8])
        run(state, "stable thief", "draw stable", "stable silver")
        shows(state, fresh=[0, 0, 0], armed=[0, 0, 1], squares=[10, 10, 10])

    def test_the_npcs_own(self) -> None:
        state = place([1, 2, 3], seats=2, storm=2, held={2: "tornado"})
        told = run(state, "play 33", "npc 2")
        assert told[3] == {"event": "tornado", "member": "npc", "carried": [0, 1]}
        shows(state, drawer=0, drawers=[1])

    def test_a_piece_on_the_castle_draws_nothing(self) -> None:
        state = place([10, 2, 3], down=[0], storm=0, held={0: "tornado"})
        run(state, "play 334")
        shows(state, drawer=1, drawers=[], squares=[10, 10, 3])

    def test_with_nobody_batted_it_is_spent(self) -> None:
        state = place([1, 2, 3], storm=0, held={0: "tornado"}, support="12345")
        told = run(state, "play 123")
        assert told[1] == {"event": "tornado", "member": 0, "carried": []}
        shows(state, storm=None, squares=[4, 5, 6])

    def test_thieves_come_first(self) -> None:
        state = place([1, 2, 3], storm=0, armed={2: 1}, held={0: "tornado silver", 2: "thief"})
        run(state, "play 414")
        assert pending_chance(state)[0] == "theft"
        told = run(state, "theft silver 0")
        assert kinds(told) == ["theft", "loot", "tornado"]

    def test_who_draws_first_owns_the_next_one(self) -> None:
        state = place([3, 4, 9, 9], storm=1, held={1: "tornado"}, support="12345", gamble={"tornado": 4})
        run(state, "play 4412", "draw gamble", "gamble tornado")
        shows(state, brewing=1, drawer=0)
        run(state, "draw gamble", "gamble tornado", "draw gamble", "gamble tornado")
        shows(state, brewing=1, storm=None, drawer=3)
        run(state, "draw stable", "stable silver")
        shows(state, brewing=None, storm=1, tornados=[1, 2, 1, 0])

    def test_nothing_left_to_draw(self) -> None:
        state = place([1, 2, 3], storm=0, held={0: "tornado gold gold"}, stable={}, gamble=GOLDEN)
        run(state, "play 441")
        shows(state, state="commit", squares=[10, 10, 5], covered=[2, 0, 0])


GOLDEN = {"gold": 2, "tornado": 1}
