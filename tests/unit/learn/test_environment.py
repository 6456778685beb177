"""The environments by PettingZoo's own tests, and by what they must not show."""

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from engine_service.core.game import Chance, ConfigError, configure
from engine_service.games import GAMES, find
from mamenoki.learn import Environment, env
from mamenoki.learn.environment import HIGHEST
from mamenoki.learn.spaces import space_of

EVERY = [
    (f"{game.card.id}/{variant.name}", seats)
    for game in GAMES.values()
    for variant in game.card.variants
    for seats in sorted({variant.min_seats, variant.max_seats})
]


def walk(world: Any, seed: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Agents with what they observe, each then acting at random within its mask."""
    dice = np.random.default_rng(seed)
    world.reset(seed=seed)
    for agent in world.agent_iter(100_000):
        observation, _, terminated, truncated, _ = world.last()
        yield agent, observation
        legal = np.flatnonzero(observation["action_mask"])
        world.step(None if terminated or truncated else int(dice.choice(legal)))


@pytest.mark.parametrize(("game", "seats"), EVERY)
def test_pettingzoo_finds_no_fault(game: str, seats: int, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # said of every space with a mask in it, those of the package itself too
        warnings.filterwarnings("ignore", message=".*probably should be gymnasium.spaces.*")
        warnings.filterwarnings("ignore", message=".*Observation is not a NumPy array.*")
        api_test(env(game, seats), num_cycles=150, verbose_progress=False)


@pytest.mark.parametrize("game", sorted({game for game, _ in EVERY}))
def test_pettingzoo_finds_the_same_from_the_same_seed(game: str) -> None:
    seats = find(game)[1].max_seats
    seed_test(lambda: env(game, seats), num_cycles=60)


@pytest.mark.parametrize(("game", "seats"), EVERY)
def test_whole_matches_stay_inside_their_spaces(game: str, seats: int) -> None:
    world = Environment(game, seats)
    observed = world.observation_space("seat_0")
    for seed in range(2):
        for _, observation in walk(world, seed):
            assert observed.contains(observation)
            assert observation["observation"].max() < HIGHEST
        assert world.agents == []


@pytest.mark.parametrize("game", sorted({game for game, _ in EVERY}))
def test_a_mask_is_the_legal_moves(game: str) -> None:
    world = Environment(game, find(game)[1].max_seats)
    steps = 0
    for agent, observation in walk(world, 3):
        if not world.terminations[agent]:
            masked = [world.moves[at] for at in np.flatnonzero(observation["action_mask"])]
            assert sorted(masked) == sorted(world.infos[agent]["legal"])
            steps += 1
    assert steps > 5


def test_a_sealed_choice_is_not_seen_by_who_chooses_next() -> None:
    seen = []
    for card in (0, 4):
        world = Environment("beanstalk", 3)
        world.reset(seed=1)
        world.step(card)
        assert world.agent_selection == "seat_1"
        observation = world.observe("seat_1")
        seen.append((observation["observation"].tolist(), list(world.infos["seat_1"]["sightings"])))
    assert seen[0] == seen[1]


@pytest.mark.parametrize(
    ("key", "value"),
    [("storm", 0), ("storm", 2), ("brewing", 1), ("cards", [1, 4, 4]), ("batted", [1]), ("steps", 3)],
)
def test_what_lies_open_in_beanstalk_is_observed(key: str, value: object) -> None:
    game, variant = find("beanstalk")
    config = configure(variant, {})
    state = game.new(variant.name, config, 3)
    while isinstance(pending := state.pending(), Chance):
        state.resolve([0] * len(pending.sizes))
    view, numbers = state.view(0), space_of("beanstalk").numbers
    assert view[key] != value
    assert numbers(view | {key: value}, config, 3) != numbers(view, config, 3)


def test_sightings_come_to_those_who_may_see_them() -> None:
    world = Environment("seimi", 3)
    world.reset(seed=2)
    hands = [
        [event["seat"] for event in world.infos[f"seat_{seat}"]["sightings"] if event["event"] == "hand"]
        for seat in range(3)
    ]
    assert hands == [[0], [1], [2]], "one's own, and nobody else's"


def test_rewards_are_even_in_sum_or_the_common_score() -> None:
    world = Environment("mushi", 4)
    totals = dict.fromkeys(world.possible_agents, 0.0)
    world.reset(seed=5)
    dice = np.random.default_rng(5)
    for agent in world.agent_iter(100_000):
        observation, reward, terminated, _, _ = world.last()
        totals[agent] += reward
        world.step(None if terminated else int(dice.choice(np.flatnonzero(observation["action_mask"]))))
    assert sum(totals.values()) == pytest.approx(0)
    assert max(totals.values()) <= 1
    together = Environment("morumori/coop", 2)
    for _ in walk(together, 6):
        if all(together.terminations.values()):
            break
    (scores,) = [
        event["scores"] for event in together.infos["seat_0"]["sightings"] if event["event"] == "end"
    ]
    assert together.rewards == {"seat_0": scores[0], "seat_1": scores[1]}


def test_what_may_not_be_played_is_refused_and_changes_nothing() -> None:
    world = Environment("mushi", 2)
    world.reset(seed=1)
    agent, before = world.agent_selection, world.observe(world.agent_selection)
    for action in (world.moves.index("stop"), -1, len(world.moves), None):
        with pytest.raises(ValueError, match="may not play action"):
            world.step(action)
    assert world.agent_selection == agent
    assert (world.observe(agent)["observation"] == before["observation"]).all()


def test_the_table_is_drawn() -> None:
    world = Environment("mushi", 2, render_mode="ansi")
    world.reset(seed=1)
    assert "hub" in (world.render() or "")
    assert Environment("mushi", 2).render() is None


def test_the_guide_does_what_it_shows(capsys: pytest.CaptureFixture[str]) -> None:
    guide = (Path(__file__).resolve().parents[3] / "docs" / "learn.md").read_text(encoding="utf-8")
    code = guide.partition("```python\n")[2].partition("```")[0]
    exec(compile(code, "docs/learn.md", "exec"), {})  # noqa: S102  our own page
    assert sorted(line.split()[0] for line in capsys.readouterr().out.splitlines()) == [
        "seat_0",
        "seat_1",
        "seat_2",
    ]


def test_what_there_is_not_is_said() -> None:
    with pytest.raises(ConfigError, match="played by 2 to 5"):
        Environment("mushi", 9)
    with pytest.raises(
        LookupError, match=r"chess has no numbers to learn from: write mamenoki/learn/spaces/chess\.py"
    ):
        space_of("chess")
