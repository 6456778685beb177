"""Everything that a re-run must refuse, each with a right hash, with its line and its words."""

import re

import pytest

from engine_service.core.game import View
from engine_service.core.record import encode
from tests.unit.core.forging import Edit, forge, lines_of, renumber
from tests.unit.core.replays import TINY_REPLAY, refusal


def first(lines: list[View], key: str) -> View:
    return next(line for line in lines if key in line)


def number(replay: bytes, edit: Edit) -> int:
    """The first line, from 1, that an edit changes."""
    before, after = lines_of(replay), lines_of(forge(replay, edit))
    return next(i for i, (old, new) in enumerate(zip(before, after, strict=False), 1) if old != new)


def forfeited_line(lines: list[View]) -> View:
    return next(line for line in lines if line.get("why", {}).get("1") == "forfeited")


def play_again(lines: list[View]) -> None:
    after = lines.index(forfeited_line(lines)) + 1
    line = next(line for line in lines[after:] if line.get("why", {}).get("1") == "forfeited")
    for key in ("by", "why"):
        del line[key]["1"]
        if not line[key]:
            del line[key]


def one_outcome_more(lines: list[View]) -> None:
    lines[1]["draw"].append([0, 6])
    lines[1]["faces"].append("1")
    lines[1]["slots"].append(3)


def drop(lines: list[View], index: int) -> None:
    del lines[index]
    renumber(lines)


def repeat(lines: list[View], index: int, at: int) -> None:
    lines.insert(at, dict(lines[index]))
    renumber(lines)


LIES: dict[str, tuple[Edit, str]] = {
    "a gap in n": (lambda ls: ls[3].update(n=3), r"n is 3; it should be 2"),
    "n twice": (lambda ls: ls[3].update(n=1), r"n is 1; it should be 2"),
    "n is true": (lambda ls: ls[2].update(n=True), r"n is True; it should be 1"),
    "no n": (lambda ls: ls[2].pop("n"), r"n is None; it should be 1"),
    "another outcome": (
        lambda ls: first(ls, "from")["draw"][0].__setitem__(0, 9),
        r"outcome 0 of dice/\d is \[9, 6\]; the seed and the rules give \[\d, 6\]",
    ),
    "another size": (
        lambda ls: first(ls, "from")["draw"][0].__setitem__(1, 7),
        r"outcome 0 of dice/\d is \[\d, 7\]; the seed and the rules give \[\d, 6\]",
    ),
    "an outcome of another shape": (lambda ls: ls[1]["draw"].__setitem__(0, 5), r"outcome 0 of deck is 5"),
    "an outcome of truth": (lambda ls: ls[1]["draw"].__setitem__(2, [True, 7]), r"outcome 2 of deck"),
    "another face": (
        lambda ls: ls[1]["faces"].__setitem__(1, "9"),
        r"faces\[1\] is '9'; the outcome \[\d, 8\] is '\d'",
    ),
    "another slot": (lambda ls: ls[1]["slots"].__setitem__(1, 2), r"slots\[1\] is 2; .* is 1"),
    "another source": (lambda ls: first(ls, "from")["from"].__setitem__(0, 7), r"from\[0\] is 7"),
    "too few faces": (
        lambda ls: ls[1]["faces"].pop(),
        r"faces is .*; it should be as many texts as outcomes",
    ),
    "faces of numbers": (lambda ls: ls[1].update(faces=[1, 2, 3]), r"faces is \[1, 2, 3\]"),
    "slots of texts": (lambda ls: ls[1].update(slots=["0", "1", "2"]), r"slots is .* whole numbers"),
    "slots below nothing": (lambda ls: ls[1].update(slots=[0, -1, 2]), r"slots is .* whole numbers"),
    "no faces": (
        lambda ls: ls[1].pop("faces"),
        r"deck is told by \['slots'\]; it should be by \['slots', 'faces'\]",
    ),
    "an outcome too many": (
        one_outcome_more,
        r"4 outcomes of deck stand here; the rules draw 3",
    ),
    "no outcome": (
        lambda ls: ls.insert(1, {"n": 0, "chance": "deck", "slots": [], "faces": [], "draw": []}),
        r"draw is \[\]; it should be at least one outcome",
    ),
    "another stream": (lambda ls: ls[1].update(chance="dice/0"), r"chance is 'dice/0'; it should be 'deck'"),
    "a stream that is no text": (lambda ls: ls[1].update(chance=7), r"chance is 7; it should be a string"),
    "an illegal move": (
        lambda ls: ls[2]["moves"].update({"0": "bet 3"}),
        r"seat 0 plays 'bet 3', which is illegal here; it may play 2 moves: hold, bet 1",
    ),
    "no move at all": (
        lambda ls: ls[2]["moves"].update({"0": "jump"}),
        r"the move of seat 0, 'jump', is none of this game's: .*none of: hold",
    ),
    "a move that is no text": (lambda ls: ls[2]["moves"].update({"0": 1}), r"the move of seat 0 is 1"),
    "a seat that owes none": (
        lambda ls: ls[3].update(moves={"2": "stay"}, ms={"2": 0}),
        r"moves are by the seats \[2\]; a decision is owed by \[0\]",
    ),
    "a seat too few": (
        lambda ls: ls[2]["moves"].pop("1"),
        r"moves are by the seats \[0, 2\]; a decision is owed by \[0, 1, 2\]",
    ),
    "seats out of order": (
        lambda ls: ls[2].update(moves=dict(reversed(ls[2]["moves"].items()))),
        r"moves has the seats \[2, 1, 0\]; they should ascend",
    ),
    "a seat with a leading zero": (
        lambda ls: ls[3].update(moves={"00": "stay"}),
        r"moves is \{'00': 'stay'\}; it should be an object keyed by seats",
    ),
    "a seat of letters": (lambda ls: ls[3].update(moves={"zero": "stay"}), r"keyed by seats"),
    "a seat of other digits": (lambda ls: ls[3].update(moves={"٣": "stay"}), r"keyed by seats"),
    "a huge seat": (lambda ls: ls[3].update(moves={"9" * 5000: "stay"}), r"keyed by seats"),
    "moves in a list": (lambda ls: ls[3].update(moves=["stay"]), r"keyed by seats"),
    "no moves": (lambda ls: ls[3].update(moves={}), r"keyed by seats"),
    "a time below nothing": (lambda ls: ls[3]["ms"].update({"0": -1}), r"ms is .* whole numbers"),
    "a time of truth": (lambda ls: ls[3]["ms"].update({"0": True}), r"ms is .* whole numbers"),
    "a huge time": (lambda ls: ls[3]["ms"].update({"0": 2**63}), r"ms is .* whole numbers"),
    "no time": (lambda ls: ls[2]["ms"].pop("1"), r"ms is .* for the seats \[0, 1, 2\]"),
    "a mover unknown": (lambda ls: ls[2]["by"].update({"0": "me"}), r'by is .* "clock"'),
    "a mover who owes none": (
        lambda ls: ls[3].update(by={"1": "clock"}, why={"1": "timeout"}),
        r'by is .* "clock" for some of the seats \[0\]',
    ),
    "a reason unknown": (lambda ls: ls[2]["why"].update({"0": "bored"}), r"why is .* one of: timeout"),
    "a reason that is a list": (lambda ls: ls[2]["why"].update({"0": []}), r"why is .* one of: timeout"),
    "a reason too few": (lambda ls: ls[2]["why"].pop("0"), r"why is .* for the seats \[0, 1, 2\]"),
    "reasons without movers": (
        lambda ls: ls[2].pop("by"),
        r"the keys are .*'why'.*; they should be .*'by', 'why'",
    ),
    "movers without reasons": (lambda ls: ls[2].pop("why"), r"the keys are .*'by'\]; they should be .*'why'"),
    "movers left empty": (lambda ls: ls[3].update(by={}, why={}), r"by is \{\}"),
    "a clock with a mind of its own": (
        lambda ls: ls[2]["moves"].update({"0": "bet 1"}),
        r"the clock plays 'bet 1' for seat 0; it always plays 'hold'",
    ),
    "a forfeited seat that thinks": (
        lambda ls: forfeited_line(ls)["ms"].update({"1": 3}),
        r"seat 1 is forfeited, yet took 3 ms",
    ),
    "a forfeited seat that plays again": (
        play_again,
        r"seat 1 was forfeited before; the clock plays for it to the end",
    ),
    "an event too few": (
        lambda ls: drop(ls, 2),
        r"moves are by the seats \[0\]; a decision is owed",
    ),
    "an outcome left out": (
        lambda ls: drop(ls, 1),
        r"no outcome stands here, but the rules draw from 'deck'",
    ),
    "a decision left out before chance": (
        lambda ls: repeat(ls, 1, 3),
        r"no decision stands here, but one is owed by seat 0",
    ),
    "an event after the end": (
        lambda ls: repeat(ls, 3, -1),
        r"the match is over \(normal\) before this line; it should be the end",
    ),
    "an end too early": (
        lambda ls: ls.__delitem__(slice(3, -1)),
        r"the replay ends here, but a decision is owed by seat 0",
    ),
    "no events": (
        lambda ls: ls.__delitem__(slice(1, -1)),
        r"the replay ends here, but the rules draw from 'deck'",
    ),
    "an extra key in the header": (lambda ls: ls[0].update(x=1), r"the keys are"),
    "an extra key in an outcome": (lambda ls: ls[1].update(x=1), r"the keys are"),
    "an extra key in a decision": (lambda ls: ls[2].update(x=1), r"the keys are"),
    "an extra key in the end": (lambda ls: ls[-1].update(x=1), r"the keys are"),
    "keys in another order": (
        lambda ls: ls[1].update(draw=ls[1].pop("draw"), chance=ls[1].pop("chance")),
        r"the keys",
    ),
    "an event of no kind": (lambda ls: ls[3].pop("moves"), r"no decision stands here"),
    "another version": (lambda ls: ls[0].update(replay=2), r"replay is 2; it should be 1"),
    "a version of truth": (
        lambda ls: ls[0].update(replay=True),
        r"replay is True; it should be a whole number",
    ),
    "another match's kind of name": (lambda ls: ls[0].update(match=5), r"match is 5; it should be a string"),
    "an unknown game": (
        lambda ls: ls[0].update(game="chess"),
        r"game is 'chess'; it should be one of: tiny, coin",
    ),
    "a game in a list": (
        lambda ls: ls[0].update(game=["tiny"]),
        r"game is \['tiny'\]; it should be a string",
    ),
    "an unknown variant": (lambda ls: ls[0].update(variant="mega"), r"no variant 'mega'"),
    "other rules": (
        lambda ls: ls[0].update(rules=2),
        r"rules is 2; it should be 1, the version of tiny's rules",
    ),
    "too many seats": (lambda ls: ls[0].update(seats=5), r"not by 5"),
    "seats of truth": (lambda ls: ls[0].update(seats=True), r"seats is True"),
    "seats below nothing": (lambda ls: ls[0].update(seats=-3), r"seats is -3"),
    "another number of seats": (lambda ls: ls[0].update(seats=2), r"players is .*; it should be 2 names"),
    "a player too few": (lambda ls: ls[0]["players"].pop(), r"players is .*; it should be 3 names"),
    "a player without a name": (
        lambda ls: ls[0]["players"].__setitem__(0, None),
        r"players is .*; it should be 3",
    ),
    "a setting out of range": (lambda ls: ls[0]["config"].update(rounds=0), r"config: standard: rounds is 0"),
    "a setting of truth": (lambda ls: ls[0]["config"].update(ranks=True), r"config: standard: ranks is True"),
    "a setting that changes the rules": (
        lambda ls: ls[0]["config"].update(copies=4),
        r"outcome 0 of deck is \[\d+, 9\]; the seed and the rules give \[\d+, 12\]",
    ),
    "a setting left out": (
        lambda ls: ls[0]["config"].pop("ranks"),
        r"config has the keys .* they should be .*'ranks'",
    ),
    "a setting unknown": (lambda ls: ls[0]["config"].update(luck=1), r"no setting 'luck'"),
    "settings out of order": (
        lambda ls: ls[0].update(config=dict(reversed(ls[0]["config"].items()))),
        r"config has the keys",
    ),
    "settings in a list": (lambda ls: ls[0].update(config=[]), r"config is \[\]; it should be an object"),
    "another commitment": (
        lambda ls: ls[0].update(commitment="0" * 64),
        r"the seed 0001\w+ has the SHA-256 \w+; the header's commitment is 0{64}",
    ),
    "a commitment in capitals": (
        lambda ls: ls[0].update(commitment=ls[0]["commitment"].upper()),
        r"commitment is .*; it should be 64 digits of lower-case hex",
    ),
    "another seed": (lambda ls: ls[-1].update(seed="00" * 32), r"the seed 0000\w+ has the SHA-256"),
    "a seed too short": (lambda ls: ls[-1].update(seed="00" * 31), r"seed is .* 64 digits of lower-case hex"),
    "another end": (
        lambda ls: ls[-1].update(end="turn_limit"),
        r"end is 'turn_limit'; it should be 'normal'",
    ),
    "another score": (lambda ls: ls[-1]["scores"].__setitem__(0, 99), r"scores is \[99, .*; it should be \["),
    "a score too few": (lambda ls: ls[-1]["scores"].pop(), r"scores is .*; it should be \["),
    "a score in words": (
        lambda ls: ls[-1].update(scores=["1", "2", "3"]),
        r"scores is .* a list of whole numbers",
    ),
    "another rank": (lambda ls: ls[-1].update(ranks=[3, 3, 3]), r"ranks is \[3, 3, 3\]; it should be \["),
    "ranks of truth": (
        lambda ls: ls[-1].update(ranks=[True, False, True]),
        r"ranks is .* a list of whole numbers",
    ),
    "no hash": (lambda ls: ls[-1].pop("hash"), r"the keys are"),
}


@pytest.mark.parametrize(("edit", "message"), LIES.values(), ids=LIES.keys())
def test_a_lie_is_named_with_its_line(edit: Edit, message: str) -> None:
    forged = forge(TINY_REPLAY, edit)
    lie = refusal(forged)
    assert re.search(message, lie.message), lie.message
    assert lie.message.isprintable()


@pytest.mark.parametrize(
    "name", ["a gap in n", "another face", "an illegal move", "another score", "another seed"]
)
def test_the_line_named_is_the_one_that_was_changed(name: str) -> None:
    edit, _ = LIES[name]
    assert refusal(forge(TINY_REPLAY, edit)).line == number(TINY_REPLAY, edit)


def test_a_wrong_hash_is_refused_when_all_else_is_right() -> None:
    lines = lines_of(TINY_REPLAY)
    lines[3]["ms"]["0"] += 1
    lie = refusal("".join(encode(line) + "\n" for line in lines).encode())
    assert lie.line == len(lines)
    assert "the SHA-256 of the lines before" in lie.message


def test_the_first_lie_is_the_one_that_is_named() -> None:
    def two_lies(lines: list[View]) -> None:
        lines[-1]["scores"] = [7, 7, 7]
        lines[4]["n"] = 17
        lines[2]["moves"]["0"] = "swap"

    assert refusal(forge(TINY_REPLAY, two_lies)).line == 3
