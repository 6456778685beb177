"""Bots that die, stall or babble: each loses by the right reason, its rival plays on and notices nothing."""

import tracemalloc

import pytest

from engine_service.core.clock import Limits
from tests.fixtures.bots import PATIENT, QUICK, Arena, Played, pack, play, rival

MIB = 1 << 20


def choosing(body: str, above: str = "", more: str = "") -> bytes:
    """A bot whose ``choose`` has this body, with code above its class and in it."""
    lines = "\n".join("        " + line for line in body.strip().splitlines())
    return pack({"bot.py": f"import os, sys, signal, time\nfrom mamenoki.sdk import Bot\n{above}\n\n"
                           f"class Attacker(Bot):\n    def choose(self, decision):\n{lines}\n{more}"})  # fmt: skip


def raw(text: str) -> bytes:
    """A program that speaks the lines by itself, or does not."""
    return pack({"main.py": "import json, os, sys, time\n" + text}, entry="main.py")


PLAY_ON = 'return "stop" if "stop" in decision.legal else decision.legal[-1]'

# What they do: the cause (by how the level shows it), and a word of why or of the log's end.
DEATHS: dict[str, tuple[bytes, str, str]] = {
    "raises": (choosing("raise ValueError('my fault')"), "crash", "ValueError: my fault"),
    "raises in its import": (choosing(PLAY_ON, "1 / 0"), "crash", "ZeroDivisionError"),
    "does not compile": (choosing(PLAY_ON, "def ("), "crash", "SyntaxError"),
    "has no such class": (pack({"bot.py": "x = 1"}), "crash", "no class Attacker"),
    "imports what is not there": (choosing(PLAY_ON, "import mamenoki.house"), "crash", "mamenoki.house"),
    "cannot be made": (
        choosing(PLAY_ON, more="    def __init__(self):\n        sys.exit('no')\n"),
        "crash",
        "exit with 1",
    ),
    "leaves early": (choosing("sys.exit(0)"), "crash", "exit with 0 before its match was over"),
    "leaves at once": (choosing("os._exit(3)"), "crash", "exit with 3"),
    "leaves in the handshake": (choosing(PLAY_ON, "os._exit(7)"), "crash", "exit with 7"),
    "breaks": (choosing("import ctypes; ctypes.string_at(0)"), "crash", "signal 11"),
    "aborts": (choosing("os.abort()"), "crash", "signal 6"),
    "kills itself": (choosing("os.kill(os.getpid(), signal.SIGTERM)"), "crash", "signal 15"),
    "recurses in the machine": (
        choosing(
            "sys.setrecursionlimit(1 << 30)\nimport ctypes\nf = ctypes.CFUNCTYPE(None)(lambda: f())\nf()"
        ),
        "crash",
        "signal 11",
    ),
    "computes for ever": (choosing("while True: pass"), "cpu", "processor time"),
    "eats memory": (
        choosing("held = []\nwhile True:\n    held.append(bytearray(1 << 20))"),
        "memory",
        "MemoryError",
    ),
    "eats memory at once": (choosing("bytearray(1 << 34)"), "memory", "MemoryError"),
    "uses another machine's calls": (
        choosing("import ctypes\nctypes.CDLL(None).syscall(0x40000000 + 39)"),
        "crash",
        "system call",
    ),
    "floods": (
        choosing("os.write(4, b'x' * (1 << 20) * 8)\nreturn ''"),
        "protocol",
        "a line longer",
    ),
    "floods in lines": (
        raw('while True:\n    os.write(1, b\'{"moves":[{"decision":0,"move":""}]}\\n\' * 1000)'),
        "protocol",
        "decision",
    ),
    "floods with late answers": (
        raw(
            "n = 0\nfor line in sys.stdin:\n    n += 1\n    if n == 2:\n"
            "        print(json.dumps({'moves': [{'decision': 1, 'move': json.loads(line)['updates'][0]"
            "['decision']['legal'][-1]}]}), flush=True)\n"
            '    while n > 2:\n        os.write(1, b\'{"moves":[{"decision":1,"move":""}]}\\n\' * 1000)'
        ),
        "protocol",
        "bytes for one answer",
    ),
    "shouts": (choosing("while True:\n    os.write(2, b'x' * 65536)"), "protocol", "to stderr"),
    "sends one endless line": (
        raw("os.write(1, b'x' * (10 << 20))\ntime.sleep(60)"),
        "protocol",
        "a line longer",
    ),
    "sends junk": (raw("os.write(1, bytes(range(256)) + b'\\n')\ntime.sleep(60)"), "protocol", "not JSON"),
    "sends zeros": (raw("os.write(1, bytes(100) + b'\\n')\ntime.sleep(60)"), "protocol", "not JSON"),
    "sends no UTF-8": (raw("os.write(1, b'\"\\xff\"\\n')\ntime.sleep(60)"), "protocol", "not JSON"),
    "sends nothing in a line": (raw("os.write(1, b'\\n')\ntime.sleep(60)"), "protocol", "not JSON"),
    "sends deep JSON": (raw("os.write(1, b'[' * 60000 + b'\\n')\ntime.sleep(60)"), "protocol", "not JSON"),
    "sends deep, closed JSON": (
        raw("os.write(1, b'[' * 900 + b']' * 900 + b'\\n')\ntime.sleep(60)"),
        "protocol",
        "object",
    ),
    "sends what is no number": (
        raw("os.write(1, b'{\"moves\": NaN}\\n')\ntime.sleep(60)"),
        "protocol",
        "not JSON",
    ),
    "sends infinity": (
        raw("os.write(1, b'{\"moves\": Infinity}\\n')\ntime.sleep(60)"),
        "protocol",
        "not JSON",
    ),
    "sends a huge number": (
        raw(
            'os.write(1, b\'{"moves":[{"decision":1\' + b\'0\' * 400 + b\',"move":"x"}]}\\n\')\ntime.sleep(60)'
        ),
        "protocol",
        "",
    ),
    "sends a fraction": (
        raw('os.write(1, b\'{"moves":[{"decision":1.0,"move":"x"}]}\\n\')\ntime.sleep(60)'),
        "protocol",
        "the id of the decision",
    ),
    "sends true for a number": (
        raw('os.write(1, b\'{"moves":[{"decision":true,"move":"x"}]}\\n\')\ntime.sleep(60)'),
        "protocol",
        "the id of the decision",
    ),
    "sends a list": (raw("os.write(1, b'[]\\n')\ntime.sleep(60)"), "protocol", "object"),
    "sends other words": (
        raw("os.write(1, b'{\"player\": {}}\\n')\ntime.sleep(60)"),
        "protocol",
        "no key 'player'",
    ),
    "sends no move": (
        raw("os.write(1, b'{\"moves\": []}\\n')\ntime.sleep(60)"),
        "protocol",
        "a list of 1 to 64",
    ),
    "sends a thousand moves": (
        raw("print(json.dumps({'moves': [{'decision': 1, 'move': ''}] * 1000}), flush=True)\ntime.sleep(60)"),
        "protocol",
        "a list of 1 to 64",
    ),
    "sends a huge move": (
        raw(
            "print(json.dumps({'moves': [{'decision': 1, 'move': 'x' * 5000}]}), flush=True)\ntime.sleep(60)"
        ),
        "protocol",
        "at most 4096",
    ),
    "answers what nobody asked": (
        raw("print(json.dumps({'moves': [{'decision': 9, 'move': 'x'}]}), flush=True)\ntime.sleep(60)"),
        "protocol",
        "decision 9",
    ),
    "moves for its rival": (
        raw(
            "while True:\n    print(json.dumps({'moves': [{'decision': 1, 'seat': 1, 'move': 'x'}]}), flush=True)"
        ),
        "protocol",
        "moves for seat 1",
    ),
    "moves elsewhere": (
        raw(
            "while True:\n    print(json.dumps({'moves': [{'decision': 1, 'match': 'z', 'move': 'x'}]}), flush=True)"
        ),
        "protocol",
        "of match 'z'",
    ),
    "closes its stdout": (raw("os.close(1)\ntime.sleep(60)"), "crash|timeout", ""),
    "closes its stdin": (raw("os.close(0)\ntime.sleep(60)"), "timeout", "no answer"),
    "closes everything": (raw("os.closerange(0, 3)\ntime.sleep(60)"), "crash|timeout", ""),
    "says half a line and leaves": (raw("os.write(1, b'{\"moves\":')"), "crash", "exit with 0"),
    "does nothing": (raw("time.sleep(600)"), "timeout", "no answer to decision 1"),
    "reads nothing": (raw("while True: pass"), "cpu", "processor time"),
    "stops itself": (choosing("os.kill(os.getpid(), signal.SIGSTOP)\n" + PLAY_ON), "timeout", "no answer"),
}


async def watched(arena: Arena, bundle: bytes, limits: Limits, cause: str = "") -> Played:
    """A match against a house bot, which must not be disturbed; memory of ours stays as it was.

    Whoever is to fall by its processor time has little of it.
    """
    attacker = arena.bot(bundle, cpu_s=1) if cause == "cpu" else arena.bot(bundle)
    tracemalloc.start()
    try:
        played = await play(attacker, rival(), limits=limits)
        assert tracemalloc.get_traced_memory()[1] < 16 * MIB
    finally:
        tracemalloc.stop()
    assert 1 not in played.outcome.forfeits
    assert played.outcome.placements[1] == 0
    return played


@pytest.mark.parametrize("name", DEATHS)
async def test_dies(arena: Arena, name: str) -> None:
    bundle, cause, word = DEATHS[name]
    played = await watched(arena, bundle, PATIENT, cause)
    exit_ = played.died[0].exit
    assert exit_.cause in cause.split("|"), exit_
    assert word in exit_.why + exit_.stderr, exit_
    assert len(exit_.stderr.encode()) <= 4096
    assert played.outcome.forfeits == {0: "crash"}


HANGS = {
    "spins": choosing("while True: pass"),
    "spins in its import": choosing(PLAY_ON, "while True: pass"),
    "spins when it is made": choosing(PLAY_ON, more="    def __init__(self):\n        while True: pass\n"),
    "sleeps": choosing("time.sleep(600)"),
    "waits for a lock": choosing("import threading; lock = threading.Lock(); lock.acquire(); lock.acquire()"),
    "ignores signals": choosing("signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\nwhile True: pass"),
}


@pytest.mark.parametrize("name", HANGS)
async def test_hangs(arena: Arena, name: str) -> None:
    """The clock plays three times, then the seat is forfeited and the bot ended."""
    played = await watched(arena, HANGS[name], QUICK)
    assert played.outcome.forfeits == {0: "timeout"}
    assert played.outcome.strikes[0] == 3


ENDINGS = {
    "does not want to end": choosing(
        PLAY_ON, more="    def finish(self, result):\n        while True: pass\n"
    ),
    "spins at exit": choosing(PLAY_ON, "import atexit\natexit.register(lambda: [0 for _ in iter(int, 1)])"),
    "spins when it is forgotten": choosing(
        PLAY_ON, more="    def __del__(self):\n        while True: pass\n"
    ),
    "raises at the end": choosing(PLAY_ON, more="    def finish(self, result):\n        1 / 0\n"),
    "shouts at the end": choosing(
        PLAY_ON, more="    def finish(self, result):\n        while True: os.write(2, b'x' * 65536)\n"
    ),
}


@pytest.mark.parametrize("name", ENDINGS)
async def test_ends_badly(arena: Arena, name: str) -> None:
    """What a bot does after the last decision changes nothing, and does not last."""
    played = await play(arena.bot(ENDINGS[name]), rival(), limits=PATIENT)
    assert (played.died, played.outcome.forfeits) == ({}, {})


async def test_answers_illegally(arena: Arena) -> None:
    """Refused with the reason, told to the bot; three such decisions forfeit it."""
    attacker = arena.bot(choosing("return 'boost everything'"))
    played = await play(attacker, rival(), limits=PATIENT)
    assert played.died == {}
    assert played.outcome.forfeits == {0: "illegal"}
    assert len(played.refusals[0]) == 9
    assert "'boost everything'" in played.refusals[0][0]
    assert "decision 1 was refused" in attacker.log.text()


async def test_learns_from_a_refusal(arena: Arena) -> None:
    body = "self.tries = getattr(self, 'tries', 0) + 1\nif self.tries == 1: return 'nonsense'\n" + PLAY_ON
    played = await play(arena.bot(choosing(body)), rival(), limits=PATIENT)
    assert (played.died, played.outcome.forfeits) == ({}, {})
    assert len(played.refusals[0]) == 1


async def test_is_late_once(arena: Arena) -> None:
    """A late answer is dropped, and the bot plays on at the next decision."""
    body = "time.sleep(2.2 if decision.id == 2 else 0)\n" + PLAY_ON
    limits = Limits(first_ms=5000, move_ms=2000, bank_ms=0)
    played = await play(arena.bot(choosing(body)), rival(), limits=limits)
    assert played.died == {}
    assert played.outcome.strikes[0] == 1
    assert played.outcome.forfeits == {}


async def test_logs_much(arena: Arena) -> None:
    """Its log is kept at both ends; the bot is not disturbed."""
    body = "for n in range(3000): print('line', decision.id, n)\n" + PLAY_ON
    attacker = arena.bot(choosing(body, "print('the beginning')"))
    played = await play(attacker, rival(), limits=PATIENT)
    log = attacker.log.text()
    assert (played.died, played.outcome.forfeits) == ({}, {})
    assert log.startswith("the beginning\n")
    assert "bytes left out" in log
    assert f"line {len(attacker.times)} 2999" in log
    assert len(log) < 260 * 1024


async def test_two_attackers_at_one_table(arena: Arena) -> None:
    """One that sleeps and one that eats memory: each falls by its own reason."""
    sleeper = arena.bot(HANGS["sleeps"], 0)
    eater = arena.bot(DEATHS["eats memory at once"][0], 1)
    played = await play(sleeper, eater, limits=Limits(first_ms=3000, move_ms=300, bank_ms=0))
    assert played.outcome.forfeits == {0: "timeout", 1: "crash"}
    assert played.died[1].exit.cause == "memory"
