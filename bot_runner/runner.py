"""Starts uploaded bots for seats: the one way by which a bot's process comes to be.

::

    runner = Runner(RunnerSettings(), load)     # probes the machine; SandboxMissing if it will not do
    bot = runner.bot(digest, seat)              # a Bot for the bridge, its process already starting
    ...
    await runner.close()                        # nothing of any bot is left
"""

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from bot_runner import places, probes, slots
from bot_runner.bundles.manifest import Manifest
from bot_runner.bundles.shelf import MOST_BYTES, Load, Shelf, Unpacked
from bot_runner.errors import SandboxMissing
from bot_runner.languages import LANGUAGES, Limits
from bot_runner.levels import Cell, Inside, Kind, Level, inside
from bot_runner.process import Process
from bot_runner.seat import SeatedBot
from bot_runner.slots import Slots
from mamenoki.sdk.bot import Seat


@dataclass(frozen=True, slots=True)
class RunnerSettings:
    """``kind``: the level asked for; nothing weaker is taken instead. ``folder``: where all that is
    written goes; other users must be able to enter it. ``users_folder``: see Slots. ``limits``: by language, what is not its default."""

    kind: Kind = "namespaces"
    folder: Path = field(default_factory=places.default_folder)
    first_uid: int = slots.FIRST_UID
    seats: int = slots.SEATS
    users_folder: Path = slots.FOLDER
    shelf_bytes: int = MOST_BYTES
    limits: Mapping[str, Limits] = field(default_factory=dict)


class Runner:
    """One a worker process, made after the fork, in the thread that runs the event loop: a bot dies with
    the thread that started it. ``level`` is what the probes found to hold."""

    def __init__(self, settings: RunnerSettings, load: Load) -> None:
        """Prepare and probe the machine. SandboxMissing says what is missing and how to get it.

        ``load`` gives a stored bundle by its digest.
        """
        self._settings, self._load = settings, load
        self._places = places.prepare(settings.folder, settings.kind == "namespaces")
        self._slots = _slots(settings)
        self._probe()
        self.level = _level(settings.kind, self._slots is not None)
        self._shelf = Shelf(settings.folder / "bundles", settings.shelf_bytes)
        self._seated: dict[SeatedBot, ExitStack] = {}

    def bot(self, digest: str, seat: Seat) -> SeatedBot:
        """The bot of a stored bundle for a seat, its process started.

        Raises BundleCorrupt, NoSlot, SandboxBroke, SandboxMissing (no interpreter of its language)
        or OSError: each a fault of ours, never the bot's.
        """
        with ExitStack() as held:
            unpacked = held.enter_context(self._shelf.take(digest, self._load))
            uid = self._user(held)
            language = unpacked.manifest.language
            limits = self._settings.limits.get(language, LANGUAGES[language].limits)
            cell = Cell(self._program(unpacked), unpacked.folder, limits, uid)
            process = Process(self._settings.kind, self._places, cell)
            bot = SeatedBot(process, seat, limits.silence_ms, self._left)
            self._seated[bot] = held.pop_all()
        return bot

    @property
    def running(self) -> int:
        """How many bots have a process."""
        return len(self._seated)

    @property
    def poisoned(self) -> set[int]:
        """Users whose processes would not die; they are not used again. Any is an alarm."""
        return set() if self._slots is None else set(self._slots.poisoned)

    def languages(self) -> list[str]:
        """Those whose bots can run here."""
        return [name for name, one in LANGUAGES.items() if one.interpreter is None or self._interpreter(name)]

    async def settle(self) -> None:
        """Wait until every bot has gone whose match is over, and end those whose match never was:
        for the end of a batch."""
        for bot in list(self._seated):
            await bot.gone()

    async def close(self) -> None:
        """End every bot and take all away that was written for them."""
        for bot in list(self._seated):
            await bot.end()
        self.close_now()

    def close_now(self) -> None:
        """The same without an event loop."""
        self.end_all()
        self._shelf.close()
        if self._slots is not None:
            self._slots.close()

    def end_all(self) -> None:
        """Kill every bot, at once and without an event loop."""
        for bot in list(self._seated):
            bot.end_now()

    def _probe(self) -> None:
        with ExitStack() as held:
            probes.check(self._settings.kind, self._places, self._user(held))

    def _user(self, held: ExitStack) -> int | None:
        """A user for one bot, given back when ``held`` is closed."""
        if self._slots is None:
            return None
        uid = self._slots.take()
        held.callback(self._slots.give_back, uid)
        return uid

    def _left(self, bot: SeatedBot) -> None:
        self._seated.pop(bot).close()

    def _program(self, unpacked: Unpacked) -> Sequence[str]:
        manifest = unpacked.manifest
        where = inside(self._settings.kind, self._places, unpacked.folder)
        entry = f"{where.bundle}/{manifest.entry}"
        if LANGUAGES[manifest.language].interpreter is None:
            return [entry]
        return [
            self._required(manifest.language),
            *LANGUAGES[manifest.language].flags,
            *_arguments(manifest, where, entry),
        ]

    def _interpreter(self, language: str) -> str | None:
        name = LANGUAGES[language].interpreter
        return None if name is None else self._places.interpreter(name)

    def _required(self, language: str) -> str:
        found = self._interpreter(language)
        if found is None:
            name = LANGUAGES[language].interpreter
            raise SandboxMissing(f"no {name} below /usr, where {language} bots would find it: install {name}")
        return found


def _arguments(manifest: Manifest, where: Inside, entry: str) -> list[str]:
    if manifest.language != "python":
        return [entry]
    return [
        f"{where.client}/{places.PIPE_CLIENT.name}",
        entry + (f":{manifest.kind}" if manifest.kind else ""),
    ]


def _slots(settings: RunnerSettings) -> Slots | None:
    """Users for seats, which only root can give: an ordinary user's bots all run as that user."""
    if os.geteuid() != 0:
        return None
    return Slots(settings.first_uid, settings.seats, settings.users_folder)


def _level(kind: Kind, own_user: bool) -> Level:
    if own_user:
        return Level(kind, own_user=True)
    unlimited = ["a user of its own for each seat"]
    if kind == "inner":
        unlimited.append("how many threads a bot has")
    return Level(kind, own_user=False, unlimited=tuple(unlimited))
