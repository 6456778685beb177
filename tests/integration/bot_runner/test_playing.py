"""Uploaded bots that behave play whole matches at every level."""

import pytest

from tests.fixtures.bots import Arena, pack, play, rival

CLIMBER = """
from mamenoki.sdk import Bot, Decision, Result, Seat


class Attacker(Bot):
    def start(self, seat: Seat) -> None:
        print("I sit at", seat.seat, "of", len(seat.players))

    def choose(self, decision: Decision) -> str:
        print("a word that is no answer", decision.id)
        return "stop" if "stop" in decision.legal else decision.legal[-1]

    def finish(self, result: Result) -> None:
        print("placed", result.placements, result.end)
"""

RAW = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    for update in message.get("updates", []):
        owed = update["decision"]
        move = "stop" if "stop" in owed["legal"] else owed["legal"][-1]
        print(json.dumps({"moves": [{"decision": owed["id"], "move": move}]}), flush=True)
"""

NODE = """
const lines = require('readline').createInterface({ input: process.stdin });
lines.on('line', (line) => {
  for (const update of JSON.parse(line).updates ?? []) {
    const { id, legal } = update.decision;
    const move = legal.includes('stop') ? 'stop' : legal[legal.length - 1];
    console.log(JSON.stringify({ moves: [{ decision: id, move }] }));
  }
});
"""


async def test_a_python_bot(arena: Arena) -> None:
    bot = arena.bot(pack({"bot.py": CLIMBER}))
    played = await play(bot, rival())
    assert played.died == {}
    assert played.outcome.forfeits == {}
    log = bot.log.text()
    assert "I sit at 0 of 2" in log
    assert "placed" in log
    assert [timed.decision for timed in bot.times] == list(range(1, len(bot.times) + 1))
    assert all(0 < timed.us < 20_000_000 for timed in bot.times)


async def test_two_uploaded_bots(arena: Arena) -> None:
    bundle = pack({"bot.py": CLIMBER})
    played = await play(arena.bot(bundle, 0), arena.bot(bundle, 1))
    assert (played.died, played.outcome.forfeits) == ({}, {})


async def test_a_program_that_speaks_the_lines_itself(arena: Arena) -> None:
    played = await play(arena.bot(pack({"main.py": RAW}, entry="main.py")), rival())
    assert (played.died, played.outcome.forfeits) == ({}, {})


async def test_a_script_that_calls_the_client(arena: Arena) -> None:
    script = CLIMBER + "\nfrom mamenoki.sdk.pipe import run\n\nrun(Attacker)\n"
    played = await play(arena.bot(pack({"main.py": script}, entry="main.py")), rival())
    assert (played.died, played.outcome.forfeits) == ({}, {})


async def test_a_javascript_bot(arena: Arena) -> None:
    if "javascript" not in arena.runner.languages():
        pytest.skip("there is no node below /usr")
    played = await play(arena.bot(pack({"bot.js": NODE}, language="javascript", entry="bot.js")), rival())
    assert (played.died, played.outcome.forfeits) == ({}, {})
