"""The sentences, one for each kind of event."""

import pytest

from engine_service.core.game import View
from engine_service.games.beanstalk import BEANSTALK

SAID: list[tuple[View, str]] = [
    (
        {"event": "support", "cards": [3, 5, 2, 1, 4]},
        "The support cards lie 3 5 2 1 4, under +2, +1, 0, ② and ①.",
    ),
    ({"event": "commit", "cards": [3, 1, 5]}, "The cards are turned up: Ann 3, bob 1 and Cy 5."),
    ({"event": "npc", "card": 4}, "The NPC turns up 4."),
    (
        {"event": "card_batting", "card": 5, "members": [0, 1]},
        "Ann and bob have both played 5: batted, they do not move.",
    ),
    (
        {"event": "card_batting", "card": 2, "members": [0, 1, "npc"]},
        "Ann, bob and the NPC have all played 2: batted, they do not move.",
    ),
    ({"event": "theft", "member": 0, "from": 1, "treasure": None}, "Ann's thief steals a treasure from bob."),
    (
        {"event": "theft", "member": "npc", "from": 1, "treasure": "gold"},
        "The NPC's thief steals a gold treasure from bob.",
    ),
    (
        {"event": "loot", "seat": 0, "from": 1, "treasure": "gold"},
        "What Ann has stolen from bob is a gold treasure.",
    ),
    ({"event": "idle", "member": 1, "thieves": 1}, "bob's thief finds nothing to steal."),
    ({"event": "idle", "member": "npc", "thieves": 2}, "The NPC's 2 thieves find nothing to steal."),
    (
        {"event": "tornado", "member": 0, "carried": [1, "npc"]},
        "Ann's tornado carries bob and the NPC to the castle.",
    ),
    ({"event": "tornado", "member": "npc", "carried": []}, "The NPC's tornado blows over: nobody is batted."),
    ({"event": "draw", "seat": 1, "deck": "gamble"}, "bob chooses the gamble deck."),
    (
        {"event": "treasure", "member": 1, "deck": "gamble", "treasure": None},
        "bob draws a treasure and lays it face down.",
    ),
    (
        {"event": "treasure", "member": "npc", "deck": "stable", "treasure": "silver"},
        "The NPC draws a silver treasure from the stable deck.",
    ),
    (
        {"event": "treasure", "member": 0, "deck": "stable", "treasure": "thief"},
        "Ann draws a thief from the stable deck, for the next turn.",
    ),
    ({"event": "found", "seat": 1, "treasure": "bronze"}, "What bob has drawn is a bronze treasure."),
    (
        {"event": "move", "member": 0, "from": 0, "to": 4, "castle": False},
        "Ann climbs from the ground to 4.",
    ),
    (
        {"event": "move", "member": "npc", "from": 8, "to": 10, "castle": True},
        "The NPC climbs from 8 to the castle.",
    ),
    (
        {"event": "move", "member": 1, "from": 4, "to": 0, "castle": False},
        "bob climbs down from 4 to the ground.",
    ),
    (
        {"event": "square_batting", "member": "npc", "other": 1, "square": 4},
        "The NPC meets bob on 4: both fall to the ground.",
    ),
    (
        {"event": "end", "why": "home", "scores": [9, 1, 4], "ranks": [0, 2, 1]},
        "The treasures are home: Ann wins (Ann 9 points, bob 1 point and Cy 4 points).",
    ),
    (
        {"event": "end", "why": "decks", "scores": [4, 4], "ranks": [0, 0]},
        "Both decks are empty and nobody can have enough any more: Ann and bob share the win "
        "(Ann 4 points and bob 4 points).",
    ),
    (
        {"event": "end", "why": "turns", "scores": [0, 2], "ranks": [1, 0]},
        "The last turn is played: bob wins (Ann 0 points and bob 2 points).",
    ),
]


@pytest.mark.parametrize(
    ("event", "sentence"), SAID, ids=[f"{n}-{e['event']}" for n, (e, _) in enumerate(SAID)]
)
def test_sentences(event: View, sentence: str) -> None:
    assert BEANSTALK.tell(event, ["Ann", "bob", "Cy"].__getitem__) == sentence
