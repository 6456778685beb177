"""What ``mamenoki certify`` puts a bot through: matches under the server's own referee, sandbox and clock,
each with one thing that happens on real servers."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from bot_runner import protocol
from bot_runner.errors import BotDied
from bot_runner.seat import SeatedBot
from engine_service.core.clock import Limits
from engine_service.core.game import NotYourTurn, configure
from engine_service.core.referee import Decision as Owed
from engine_service.core.referee import Referee
from engine_service.core.refusals import Misread, NotAllowed
from engine_service.games import find
from mamenoki import house
from mamenoki.sdk.bot import Bot, Decision, Seat
from mamenoki.sdk.local import bot_seed, match_seed, result_of, running

PAUSE_S = 0.3
"""How late a decision comes to a bot that a network keeps waiting."""
ODD = 2
"""The decision at which the odd thing happens: the bot has started, and the match goes on after it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """``told``: what the server does; ``ok``: whether the bot comes through it without a strike or a refusal of its own."""

    case: str
    game: str
    ok: bool
    told: str


@dataclass(slots=True)
class Trial:
    """One match of the bot, at seat 0, against house bots. ``told``: what the server did on the way."""

    bot: SeatedBot
    referee: Referee
    seat: Seat
    rivals: Sequence[Bot]
    told: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    seen: dict[int, int] = field(default_factory=dict)
    is_odd: bool = False  # whether the match came to the decision where the odd thing happens


Twist = Callable[[Trial, Decision], Awaitable[str]]
"""How the bot comes to answer its decision number :data:`ODD`: the text that counts."""


async def plainly(trial: Trial, decision: Decision) -> str:
    """It is asked, and answers."""
    return await trial.bot.choose(decision)


async def late(trial: Trial, decision: Decision) -> str:
    """The clock has played before it answered: its answer comes when something else is asked."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(0):
            await trial.bot.choose(decision)
    trial.told.append("the clock plays for the bot, a strike; its late answer is dropped")
    return decision.legal[0]


async def delayed(trial: Trial, decision: Decision) -> str:
    """Its decision comes late."""
    await asyncio.sleep(PAUSE_S)
    return await trial.bot.choose(decision)


async def asked_again(trial: Trial, decision: Decision) -> str:
    """A connection was lost: the same decision comes twice."""
    first = await trial.bot.choose(decision)
    again = await trial.bot.choose(replace(decision, sightings=[]))
    same = "the same answer again changes nothing"
    trial.told.append(same if again == first else "another answer to the same decision is refused (ANSWERED)")
    return first


async def told_news(trial: Trial, decision: Decision) -> str:
    """Keys and messages that it does not know."""
    trial.bot.tell(b'{"news":[{"of":"a later version"}]}')
    return await trial.bot.choose(replace(decision, view={**decision.view, "news": [1, {"a": None}]}))


def misanswered(text: Callable[[Decision], str], id_back: int = 0) -> Twist:
    """Another answer arrives in the bot's place first: what the referee says, and whether the bot, told so,
    answers again."""

    async def twist(trial: Trial, decision: Decision) -> str:
        await trial.bot.choose(decision)
        try:
            trial.referee.submit(0, decision.id - id_back, text(decision), running())
        except (Misread, NotAllowed) as error:
            reason = "REASON_NOTATION" if isinstance(error, Misread) else "REASON_ILLEGAL"
            trial.told.append(f"refused ({reason}), {error.tries_left} tries left: {error}")
            trial.bot.refused(decision.id, reason, str(error), error.tries_left)
        except NotYourTurn as error:
            trial.told.append(f"refused: {error}")
            trial.bot.refused(decision.id, "REASON_STALE", str(error), 3)
        return await trial.bot.choose(replace(decision, sightings=[]))

    return twist


PLAYS = "plays"
TWISTS: dict[str, Twist] = {
    PLAYS: plainly,
    "a delay": delayed,
    "a reconnect": asked_again,
    "a late answer": late,
    "unknown keys": told_news,
    "an empty answer": misanswered(lambda _: ""),
    "a word of no game": misanswered(lambda _: "xyzzy"),
    "an answer with a space": misanswered(lambda one: one.legal[0] + " "),
    "an answer in capitals": misanswered(lambda one: one.legal[0].upper() + "!"),
    "control characters": misanswered(lambda _: "\x00\x1b[2J\n"),
    "the longest answer": misanswered(lambda _: "x" * protocol.MOST_MOVE),
    "an answer to an older decision": misanswered(lambda one: one.legal[0], id_back=1),
}
LINES = {
    "no JSON": b"hello",
    "a number": b"1",
    "no moves": b'{"moves":[]}',
    "an unknown key": b'{"move":"a"}',
    "a move that is no text": b'{"moves":[{"decision":1,"move":1}]}',
    "a decision that is no number": b'{"moves":[{"decision":"1","move":"a"}]}',
    "not a number": b'{"moves":[{"decision":NaN,"move":"a"}]}',
    "a decision of the future": b'{"moves":[{"decision":4294967296,"move":"a"}]}',
    "too long a move": b'{"moves":[{"decision":1,"move":"' + b"x" * (protocol.MOST_MOVE + 1) + b'"}]}',
    "not UTF-8": b'{"moves":[{"decision":1,"move":"\xff"}]}',
    "a hundred thousand brackets": b"[" * 100_000,
}


def shapes() -> Iterator[Verdict]:
    """What the server makes of lines that are no answers, whoever writes them."""
    for case, line in LINES.items():
        try:
            protocol.answers(line)
        except protocol.Garbled as error:
            yield Verdict(f"a line: {case}", "", True, f"the bot is ended and forfeits (protocol: {error})")


async def attempt(
    case: str, game: str, seats: int, limits: Limits, make: Callable[[Seat], SeatedBot]
) -> Verdict:
    """One case; the bot has gone when it returns. Raises HostFault if the machine fails the bot."""
    trial = _trial(game, seats, limits, make)
    try:
        await _play(trial, TWISTS[case])
    except BotDied as died:
        trial.faults.append(f"the seat is forfeited (crash): {died}")
    finally:
        await trial.bot.end() if trial.faults else await trial.bot.gone()
    if not trial.faults and trial.bot.ended is not None and trial.bot.ended.signal is not None:
        trial.told.append("after its match the bot did not end by itself, and was ended")
    if not trial.faults and not trial.is_odd:
        trial.faults.append(f"not tried: the match was over before the bot's decision {ODD}")
    told = trial.faults or trial.told or [f"no strike, no refusal; place {_place(trial)} of {seats}"]
    return Verdict(case, game, not trial.faults, "; ".join(told))


def _place(trial: Trial) -> int:
    return trial.referee.result.placements[0] + 1


def _trial(game: str, seats: int, limits: Limits, make: Callable[[Seat], SeatedBot]) -> Trial:
    rules, variant = find(game)
    config = configure(variant, {})
    names = ["me/bot@1", *(f"house/greedy-{seat}@1" for seat in range(1, seats))]
    seed = match_seed(1, 0)
    referee = Referee(
        match="m1", game=rules, variant=variant.name, config=config, seats=seats, players=names,
        seed=seed, limits=[limits] * seats, now=running(),
    )  # fmt: skip
    seat = Seat(
        "m1", 0, rules.card.id, variant.name, dict(config), names,
        limits.first_ms, limits.move_ms, limits.bank_ms, bot_seed(seed, 0),
    )  # fmt: skip
    rivals = [house.make(rules.card.id, "greedy", {}) for _ in names[1:]]
    for number, rival in enumerate(rivals, 1):
        rival.start(replace(seat, seat=number, seed=bot_seed(seed, number)))
    return Trial(make(seat), referee, seat, rivals)


async def _play(trial: Trial, twist: Twist) -> None:
    trial.bot.start(trial.seat)
    while not trial.referee.over and not trial.faults:
        for seat in trial.referee.fresh():
            owed = trial.referee.decision(seat)
            if owed is not None and not trial.faults:
                await _settle(trial, seat, owed, twist)
    if not trial.faults:
        trial.bot.finish(result_of(trial.referee.result, 0))


async def _settle(trial: Trial, seat: int, owed: Owed, twist: Twist) -> None:
    decision = _decision(trial, seat, owed)
    if seat:
        answer = trial.rivals[seat - 1].choose(decision)
        trial.referee.submit(seat, owed.id, answer if isinstance(answer, str) else await answer, running())
        return
    trial.is_odd |= owed.id == ODD
    try:
        async with asyncio.timeout(_patience(decision)):
            text = await (twist if owed.id == ODD else plainly)(trial, decision)
        trial.referee.submit(0, owed.id, text, running())
    except TimeoutError:
        trial.faults.append(
            f"no answer to decision {owed.id} in time: the clock plays it, a strike; three forfeit the seat"
        )
    except (Misread, NotAllowed) as error:
        trial.faults.append(
            f"decision {owed.id} is refused, and after the third time played by the clock: {error}"
        )
    except NotYourTurn as error:
        trial.faults.append(
            f"the clock has played decision {owed.id}, a strike, and three forfeit the seat: {error}"
        )


def _patience(decision: Decision) -> float | None:
    """Seconds until the clock plays."""
    return None if decision.left_ms is None else (decision.left_ms + decision.bank_ms) / 1000


def _decision(trial: Trial, seat: int, owed: Owed) -> Decision:
    since = trial.seen.get(seat, 0)
    shown = [event for _, event in trial.referee.sightings(seat, since)]
    trial.seen[seat] = trial.referee.sighting_count
    left = None if owed.deadline_ms is None else max(0, owed.deadline_ms - owed.bank_ms - running())
    return Decision(owed.id, list(owed.legal), trial.referee.view(seat), shown, left, owed.bank_ms)
