"""``mamenoki event`` against a server."""

import json
from pathlib import Path

import pytest

from tests.contract.scheduler.cups import Tokens, address, advance, garden, play, tokens
from tests.fixtures.garden import Garden
from tests.fixtures.services import command

__all__ = ["address", "garden", "tokens"]


async def test_the_command_line(address: str, tokens: Tokens, garden: Garden, tmp_path: Path) -> None:
    async def said(*words: str, who: str = "boss", code: int = 0) -> str:
        ran = await command("event", *words, server=address, who=tokens[who])
        assert ran[0] == code, ran[1]
        return ran[1]

    stages = tmp_path / "stages.toml"
    stages.write_text('[[stage]]\nformat = "single-elimination"\nseats = 2\n')
    assert "event Cup is open" in await said("create", "Cup", "mushi/standard", "--stages", str(stages))
    assert "ann/bot is in Cup" in await said("enter", "Cup", "ann/bot", who="ann")
    assert "house/bold is in Cup" in await said("enter", "Cup", "house/calm", "house/bold", "house/timid")
    assert "4 entrants" in await said("seed", "Cup", "ann/bot", "house/calm")
    assert await said("start", "Cup") == "event Cup is running with 4 entrants\n"
    advance(garden)
    play(garden)
    shown = await said("show", "Cup", who="ann")
    assert "has won" in shown
    assert "W1.1  1 " in shown
    listed = json.loads(await said("tables", "Cup", "--json"))
    assert [one["slot"] for one in listed][:2] == ["W1.1", "W1.2"]
    first, second = listed[0]["players"]
    asked = ("correct", "Cup", listed[0]["table"], second, first)
    assert "this would change" in await said(*asked, "--preview")
    assert "gone: F1.1" in await said(*asked, "--reason", "the wrong way round")
    assert "boss: the wrong way round" in await said("show", "Cup")
    assert "Cup" in await said("list")
    assert "say one of" in await said("correct", "Cup", listed[0]["table"], code=2)
    assert "set MAMENOKI_TOKEN to a token that may" in await said("start", "Cup", who="ann", code=1)
    assert "no bot 'house/bold' of ann" in await said("withdraw", "Cup", "house/bold", who="ann", code=2)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "has no [[stage]]"),
        ("[[stage]", "is no TOML"),
        ('[[stage]]\nformat = "swiss"\nseat = 2\n', "stage 1 has seat; there are format, seats"),
        ('[[stage]]\nformat = "swiss"\nseats = "two"\n', "stage 1: "),
        ('[[stage]]\nformat = "swiss"\nseats = -2\n', "stage 1: "),
    ],
)
async def test_stages_in_a_file_that_make_no_sense(
    tmp_path: Path, tokens: Tokens, text: str, why: str
) -> None:
    stages = tmp_path / "stages.toml"
    stages.write_text(text)
    words = ("event", "create", "Cup", "mushi/standard", "--stages", str(stages))
    code, said = await command(*words, server="127.0.0.1:1", who=tokens["boss"])
    assert (code, why in said) == (2, True), said
