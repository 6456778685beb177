"""The sentences, read."""

import pytest

from engine_service.core.game import View
from engine_service.games.seimi import SEIMI

NAMES = ["Ada", "Ben", "Cho"]

SENTENCES: list[tuple[View, str]] = [
    ({"event": "first", "seat": 1}, "Ben is the craziest and starts."),
    (
        {"event": "roads", "lengths": [3, 2, 4, 1, 2, 3]},
        "The road has 15 steps: 3, 2, 4, 1, 2 and 3 from monster to monster.",
    ),
    (
        {"event": "tokens", "line": [[5, 2], [4, 3], [3, 3], [2, 2], [2, 2], [5, 4]]},
        "Tokens are laid out: 5 and 2 at monster 1; 4 and 3 at monster 2; 3 and 3 at monster 3; "
        "2 and 2 at monster 4; 2 and 2 at monster 5; 5 and 4 at the boss.",
    ),
    (
        {"event": "hand", "seat": 0, "cards": ["fly-fist", "fly-fist", "dog-gun", "parents"]},
        "Ada is dealt 2 × Fist Fly, Gun Dog and Parents.",
    ),
    (
        {"event": "deal", "hands": [6, 6, 6], "field": ["fly-fist", "parents", "parents"], "deck": 74},
        "Everybody is dealt 6 cards; in the field: Fist Fly and 2 × Parents.",
    ),
    (
        {"event": "deal", "hands": [6, 6, 1], "field": [], "deck": 0},
        "Dealt are Ada 6 cards, Ben 6 cards and Cho 1 card; in the field: nothing.",
    ),
    ({"event": "step", "monster": 1, "step": 2}, "The girl takes step 2 towards monster 1."),
    ({"event": "step", "monster": 6, "step": 1}, "The girl takes step 1 towards the boss."),
    ({"event": "meet", "monster": 6}, "The girl stands before the boss!"),
    ({"event": "take", "seat": 0, "card": None}, "Ada takes a card from the deck."),
    ({"event": "take", "seat": 0, "card": "flesh-psychic"}, "Ada takes Psychic Flesh from the field."),
    ({"event": "draw", "seat": 2, "card": "skeleton-blade"}, "Cho draws Blade Skeleton."),
    ({"event": "put", "seat": 2, "card": "parents"}, "Cho puts Parents into the field, to take two cards."),
    (
        {"event": "refill", "cards": ["dog-gun", "fly-gun"]},
        "The field is filled up with Gun Dog and Gun Fly.",
    ),
    ({"event": "play", "seat": 0, "card": "fly-gun"}, "Ada adds Gun Fly to its row."),
    ({"event": "open", "seat": 0, "card": "fly-gun", "parents": False}, "Ada opens a row with Gun Fly."),
    (
        {"event": "open", "seat": 0, "card": "fly-gun", "parents": True},
        "Ada opens a row with Parents and Gun Fly.",
    ),
    (
        {
            "event": "replace",
            "seat": 1,
            "card": "dog-fist",
            "parents": False,
            "gone": ["dog-gun", "dog-gun", "parents"],
        },
        "Ben discards 2 × Gun Dog and Parents for a row of Fist Dog.",
    ),
    (
        {"event": "replace", "seat": 1, "card": "dog-fist", "parents": True, "gone": ["dog-gun"]},
        "Ben discards Gun Dog for a row of Parents and Fist Dog.",
    ),
    ({"event": "done", "seat": 1}, "Ben is ready."),
    (
        {"event": "declare", "monster": 3, "declared": [5, 0, 7]},
        "Against monster 3 they declare: Ada 5, Ben 0 and Cho 7.",
    ),
    (
        {"event": "award", "monster": 3, "tokens": [4, None, 5], "removed": [], "start": 2},
        "Ada gets a 4 and Cho gets a 5 for defeating monster 3; Cho starts.",
    ),
    (
        {"event": "award", "monster": 3, "tokens": [None, None, 5], "removed": [4, 2], "start": 2},
        "Cho gets a 5 for defeating monster 3; 4 and 2 out of the game; Cho starts.",
    ),
    (
        {"event": "award", "monster": 6, "tokens": [None, None, None], "removed": [5, 4], "start": 0},
        "Nobody gets a token; 5 and 4 out of the game.",
    ),
    ({"event": "loss", "seat": 0, "cards": ["fly-gun", "parents"]}, "Ada loses Gun Fly and Parents."),
    (
        {"event": "end", "end": "normal", "scores": [9, 12, 7], "declared": [1, 2, 3], "ranks": [1, 0, 2]},
        "The boss is defeated: Ben wins (tokens: Ada 9, Ben 12 and Cho 7).",
    ),
    (
        {"event": "end", "end": "normal", "scores": [9, 9, 7], "declared": [1, 2, 3], "ranks": [1, 0, 2]},
        "The boss is defeated: Ben wins by the tie-break (tokens: Ada 9, Ben 9 and Cho 7).",
    ),
    (
        {"event": "end", "end": "normal", "scores": [0, 0, 0], "declared": [0, 0, 0], "ranks": [1, 0, 2]},
        "The boss goes free: Ben wins by the tie-break (tokens: Ada 0, Ben 0 and Cho 0).",
    ),
]


@pytest.mark.parametrize(("event", "sentence"), SENTENCES)
def test_sentence(event: View, sentence: str) -> None:
    assert SEIMI.tell(event, NAMES.__getitem__) == sentence
