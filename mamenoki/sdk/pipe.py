"""A bot at the end of two pipes: what a bot is, and the client that plays it where it was uploaded.

This file is all that an uploaded Python bot is given, so it imports the standard library
alone; there it stands in for ``mamenoki.sdk``, and the same bot plays unchanged in both
places. ``pipe.py FILE:CLASS`` plays the class, one match long. ``pipe.py FILE`` runs a
program that ends in ``run(MyBot)``, or speaks the lines of docs/bot-protocol.md by itself.
"""

import inspect
import json
import os
import sys
import traceback
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, NoReturn

Json = Any
"""Plain data: None, bool, int, str, and lists and str-keyed dicts of them. No floats."""


@dataclass(frozen=True, slots=True)
class Seat:
    """The place that a bot takes, told once before the first decision.

    ``players`` names everybody, seat 0 first. ``config`` has every key of the game's
    variant. The limits are milliseconds, None for no limit: ``first_ms`` for the first
    answer, ``move_ms`` for each later one; what is used beyond a limit is taken from
    ``bank_ms``. ``seed`` is for the bot's own dice and has nothing to do with the
    match's chance.
    """

    match: str
    seat: int
    game: str
    variant: str
    config: dict[str, Json]
    players: list[str]
    first_ms: int | None
    move_ms: int | None
    bank_ms: int
    seed: int


@dataclass(slots=True)
class Decision:
    """What a seat owes: one of ``legal``, exactly as it is written there.

    ``legal`` is never empty and in the game's canonical order. ``view`` is what this
    seat may see now. ``sightings`` are the events shown to it since the last decision
    that the bot was asked for, oldest first; each has the key ``"event"``.
    ``left_ms`` is the time until the bank is touched (None: no limit), ``bank_ms`` what
    the bank holds.
    """

    id: int
    legal: list[str]
    view: dict[str, Json]
    sightings: list[dict[str, Json]]
    left_ms: int | None
    bank_ms: int


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended, told once.

    ``end`` is ``normal``, ``turn_limit``, ``void``, ``aborted``, or ``lost`` when the
    match ended while this client was away and nobody said how; the lists are empty for
    the last three. ``ranks`` are by the rules alone (0 best, equal is a tie),
    ``placements`` with forfeited seats last. ``forfeit`` is why this seat was forfeited.
    """

    end: str
    scores: list[int]
    ranks: list[int]
    placements: list[int]
    forfeit: str | None


class Bot:
    """A bot at one seat of one match. Override :meth:`choose`; the rest is optional.

    The calls come one after another, never two at once: ``__init__``, ``start``, any
    number of ``choose``, ``finish``. An exception out of any of them but ``finish``
    gives the seat up (``crash`` or ``resigned``), its traceback goes to the author, and
    the bot is not called again.
    """

    def __init__(self, **settings: Json) -> None:
        """``settings`` are the named ones of ``program:key=value``; none by default."""
        self.settings = settings

    def start(self, seat: Seat) -> None:
        """The seat is taken; nothing has to be answered yet."""

    def choose(self, decision: Decision) -> str | Awaitable[str]:
        """One of ``decision.legal``.

        Anything else is refused; the bot is asked again, and at the third refusal the
        clock plays the game's default move. Three such moves forfeit the seat.
        """
        raise NotImplementedError(f"{type(self).__name__} does not say how to choose")

    def finish(self, result: Result) -> None:
        """The match is over; nothing is asked any more."""


def run(make_bot: Callable[[], Bot]) -> None:
    """Play the match that stdin and stdout lead to, with the bot that ``make_bot`` gives; return at its end.

    From here on the two belong to the match: what is printed goes to stderr, and input() finds
    nothing. Raises whatever the bot raises.
    """
    lines, answers = _take_pipes()
    table = _Table(make_bot, answers)
    for line in lines:
        table.take(json.loads(line))
        if table.over:
            return


@dataclass
class _Table:
    make_bot: Callable[[], Bot]
    answers: int
    over: bool = False
    limited: bool = True
    fresh: list[dict[str, Json]] = field(default_factory=list)
    bot: Bot | None = None

    def take(self, message: dict[str, list[dict[str, Json]]]) -> None:
        for started in message.get("started", ()):
            self._sit(started)
        for refused in message.get("refused", ()):
            print(f"decision {refused['decision']} was refused: {refused['message']}", file=sys.stderr)
        for update in message.get("updates", ()):
            self._update(update)
        for ended in message.get("ended", ()):
            self._end(ended)

    @property
    def _player(self) -> Bot:
        if self.bot is None:
            raise ValueError("the first line has to be that of the seat, `started`")
        return self.bot

    def _sit(self, started: dict[str, Json]) -> None:
        self.limited = bool(started["first_ms"] and started["move_ms"])
        seed = int.from_bytes(os.urandom(8), "big") >> 1
        keys = ("match", "seat", "game", "variant", "config", "players", "bank_ms")
        limits: dict[str, Json] = {key: started[key] or None for key in ("first_ms", "move_ms")}
        self.bot = self.make_bot()
        self.bot.start(Seat(**{key: started[key] for key in keys}, **limits, seed=seed))

    def _update(self, update: dict[str, Json]) -> None:
        self.fresh += update["sightings"]
        owed = update.get("decision")
        if owed is None:
            return
        fresh, self.fresh = self.fresh, []
        left = owed["left_ms"] if owed["left_ms"] or self.limited else None
        asked = Decision(owed["id"], owed["legal"], update["view"], fresh, left, owed["bank_ms"])
        answer = self._player.choose(asked)
        said = _outcome(answer) if inspect.isawaitable(answer) else answer
        text = said if isinstance(said, str) else repr(said)  # refused with the reason, as at home
        move = {"match": update["match"], "seat": update["seat"], "decision": owed["id"], "move": text}
        _write(self.answers, json.dumps({"moves": [move]}) + "\n")

    def _end(self, ended: dict[str, Json]) -> None:
        self.over = True
        keys = ("end", "scores", "ranks", "placements")
        self._player.finish(Result(**{key: ended[key] for key in keys}, forfeit=ended["forfeit"] or None))


_loops: list[Any] = []
"""The event loop of a bot that has one; most have none, and asyncio is slow to import."""


def _outcome(answer: Awaitable[object]) -> object:
    import asyncio

    async def wait() -> object:
        return await answer

    if not _loops:
        _loops.append(asyncio.new_event_loop())
    return _loops[0].run_until_complete(wait())


def _take_pipes() -> tuple[Iterator[bytes], int]:
    """The match's lines and where answers go. A bot that prints must not speak in its seat's name."""
    lines, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(line_buffering=True)
    return os.fdopen(lines, "rb"), answers


def _write(fd: int, text: str) -> None:
    data = text.encode()
    while data:
        data = data[os.write(fd, data) :]


def _stand_in() -> None:
    """Be ``mamenoki.sdk`` where the rest of it is not."""
    package = ModuleType("mamenoki")
    package.__path__ = []
    this = sys.modules[__name__]
    this.__path__ = []
    sys.modules["mamenoki"] = package
    sys.modules["mamenoki.sdk"] = sys.modules["mamenoki.sdk.pipe"] = this
    package.sdk = this.pipe = this  # type: ignore[attr-defined]  # so they can be reached as attributes too


def _load(path: str, name: str) -> type[Bot]:
    import importlib.util

    module_name = "mamenoki_bot_" + os.path.basename(path).removesuffix(".py")  # noqa: PTH119  pathlib is slow to import
    spec = importlib.util.spec_from_file_location(module_name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    spec.loader.exec_module(module)
    if not hasattr(module, name):
        raise ImportError(f"{os.path.basename(path)} has no class {name}")  # noqa: PTH119  as above
    kind: type[Bot] = getattr(module, name)
    return kind


def _main(entry: str) -> None:
    _stand_in()
    path, _, name = entry.partition(":")
    # Last: a file of the bot's called random.py must not hide Python's.
    sys.path.append(os.path.dirname(path))  # noqa: PTH120  as above
    sys.argv = [path]
    if name:
        run(_load(path, name))
        return
    import runpy

    runpy.run_path(path, run_name="__main__")


def _fail(error: BaseException) -> NoReturn:
    """The traceback, beginning in the bot's own code."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith((__file__, "<frozen ")):
        trace = trace.tb_next
    traceback.print_exception(type(error), error, trace)
    sys.exit(1)


if __name__ == "__main__":
    # Found as a folder's file, this one would be importable as `pipe`, and its folder is of no use to a bot.
    sys.path[:] = [place for place in sys.path if place != os.path.dirname(__file__)]  # noqa: PTH120  as above
    try:
        _main(sys.argv[1])
    except Exception as error:  # noqa: BLE001  whatever a bot raises is told as its author wants it, and ends it
        _fail(error)
