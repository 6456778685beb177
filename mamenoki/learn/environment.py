"""One match as a PettingZoo AEC environment: seats act one after the other, sealed decisions too.

What an agent observes is its seat's view and nothing else, and where several seats decide at
once none of their choices shows before the last has been made.
"""

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from engine_service.core.chance import Fast
from engine_service.core.game import Chance, Over, Sighting, State, Turn, check_seats, configure
from engine_service.core.notation import notation_of
from engine_service.games import find
from mamenoki.learn.spaces import space_of
from mamenoki.terminal.boards import board_of

HIGHEST = 10_000
"""No number of an observation is higher; the lowest is -1, for what is not there or not known."""

Observation = dict[str, Any]


def env(game: str, seats: int, config: dict[str, Any] | None = None, render_mode: str | None = None) -> Any:
    """The environment with PettingZoo's usual wrapper, which says so where it is used out of order."""
    return wrappers.OrderEnforcingWrapper(Environment(game, seats, config, render_mode))


class Environment(AECEnv):  # type: ignore[misc]  # the package has no types
    """``game`` is ``mushi`` or ``mushi/standard``; agents are ``seat_0`` to ``seat_{seats - 1}``.

    **Action:** an index into :attr:`moves`; ``observation["action_mask"]`` says which are legal.
    **Observation:** ``observation["observation"]``, ints as the game's space orders them.
    **Reward:** at the end only. Against each other: seats placed behind, less seats placed ahead,
    over all others, so from -1 to 1 and 0 in sum; together: the score that all have reached.
    **Info:** ``sightings``, the events shown to the seat since it acted last; ``legal``, the moves' texts.

    ConfigError for a game, setting or seat count that there is not; LookupError for a game without a space.
    """

    metadata = {"name": "mamenoki_v0", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012  the package's way

    def __init__(
        self,
        game: str,
        seats: int,
        config: dict[str, Any] | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self._game, self._variant = find(game)
        check_seats(self._variant, seats)
        self._seats = seats
        self._config = configure(self._variant, config or {})
        self._space = space_of(self._game.card.id)
        self._notation = notation_of(self._game)
        self.render_mode = render_mode
        self.moves = self._space.moves(self._config, seats)
        self._index = {move: action for action, move in enumerate(self.moves)}
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._random, _ = seeding.np_random(None)
        size = len(self._numbers(self._new_state(), 0))
        self.observation_spaces = {agent: self._observed(size) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(len(self.moves)) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self._source = Fast(int(self._random.integers(1 << 62)))
        self._state = self._new_state()
        self._chosen: dict[int, int] = {}
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {
            agent: {"sightings": [], "legal": []} for agent in self.agents
        }
        self._go_on([])

    def observe(self, agent: str) -> Observation:
        seat = self._seat_of[agent]
        mask = np.zeros(len(self.moves), dtype=np.int8)
        for move in self._legal(seat):
            mask[self._index[move]] = 1
        numbers = np.array(self._numbers(self._state, seat), dtype=np.int32)
        return {"observation": numbers, "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        seat = self._seat_of[agent]
        self._chosen[seat] = self._code(seat, action)
        self.infos[agent] = {"sightings": [], "legal": []}
        self._clear_rewards()
        if len(self._chosen) == len(self._turn.seats):
            chosen, self._chosen = self._chosen, {}
            self._go_on(self._state.play(chosen))
        else:
            self._ask(self._turn.seats[len(self._chosen)])
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The acting seat's table, as the terminal shows it."""
        if self.render_mode != "ansi":
            return None
        view = self._state.view(self._seat_of[self.agent_selection])
        board = board_of(self._game.card.id)
        return "\n".join(board.draw(view, self.possible_agents, self._config))

    def close(self) -> None:
        """Nothing is held."""

    def _new_state(self) -> State:
        return self._game.new(self._variant.name, self._config, self._seats)

    def _observed(self, size: int) -> Any:
        return spaces.Dict(
            {
                "observation": spaces.Box(-1, HIGHEST, (size,), np.int32),
                "action_mask": spaces.Box(0, 1, (len(self.moves),), np.int8),
            }
        )

    def _numbers(self, state: State, seat: int) -> list[int]:
        return self._space.numbers(state.view(seat), self._config, self._seats)

    def _legal(self, seat: int) -> list[str]:
        acting = (
            self._seat_of.get(self.agent_selection) == seat and not self.terminations[self.agent_selection]
        )
        return self._notation.texts(self._state.legal(seat)) if acting else []

    def _code(self, seat: int, action: int | None) -> int:
        move = self.moves[action] if action is not None and 0 <= action < len(self.moves) else None
        legal = self._legal(seat)
        if move not in legal:
            raise ValueError(f"seat {seat} may not play action {action} ({move}); see the action_mask")
        return self._state.legal(seat)[legal.index(move)]

    def _go_on(self, told: list[Sighting]) -> None:
        """Let chance fall until somebody decides, or to the end."""
        self._show(told)
        pending = self._state.pending()
        while isinstance(pending, Chance):
            self._show(self._state.resolve(self._source.draw(pending.stream, pending.sizes)))
            pending = self._state.pending()
        if isinstance(pending, Turn):
            self._turn = pending
            self._ask(pending.seats[0])
        else:
            self._end(pending)

    def _show(self, told: list[Sighting]) -> None:
        for sighting in told:
            for agent in self.agents:
                if sighting.audience is None or self._seat_of[agent] in sighting.audience:
                    self.infos[agent]["sightings"].append(sighting.event)

    def _ask(self, seat: int) -> None:
        self.agent_selection = self.possible_agents[seat]
        self.infos[self.agent_selection]["legal"] = self._notation.texts(self._state.legal(seat))

    def _end(self, over: Over) -> None:
        self.agent_selection = self.agents[0]
        for agent in self.agents:
            self.terminations[agent] = True
            self.rewards[agent] = self._reward(over, self._seat_of[agent])

    def _reward(self, over: Over, seat: int) -> float:
        if self._variant.cooperative:
            return float(over.scores[seat])
        mine = over.ranks[seat]
        ahead = sum(rank < mine for rank in over.ranks)
        behind = sum(rank > mine for rank in over.ranks)
        return (behind - ahead) / (self._seats - 1)
