"""morumori as numbers. A view shows what lies open now: what was seen before is the learner's to remember."""

from mamenoki.learn.spaces.space import Config, Space, View, around, away, one_of

STATES = ("flip", "take", "companion")
VERBS = ("flip", "take", "scatter")
FACES = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "=", "x2", "0", "miss")
FACE_DOWN = len(FACES)


class MorumoriSpace(Space):
    def moves(self, config: Config, seats: int) -> list[str]:
        slots = sum(config["mix"].values())
        return [f"{verb} {slot}" for verb in VERBS for slot in range(slots)]

    def numbers(self, view: View, config: Config, seats: int) -> list[int]:
        own, slots = view["seat"], sum(config["mix"].values())
        table = [_slot(shown) for shown in view["slots"]] or [FACE_DOWN] * slots
        discarded = [view["discard"].count(face) for face in FACES]
        piles = [pile.count(face) for pile in around(own, view["piles"]) for face in FACES[:9]]
        return [
            *one_of(STATES, view["state"]),
            *away(own, view["player"], seats),
            view["target"],
            view["total"],
            -1 if view["lives"] is None else view["lives"],
            view["owed"],
            *table,
            *[int(slot in view["mixed"]) for slot in range(slots)],
            *discarded,
            *piles,
        ]


def _slot(shown: str | None) -> int:
    """-1: empty; the face's number; the highest: face down."""
    return -1 if shown is None else FACE_DOWN if shown == "?" else FACES.index(shown)


SPACE = MorumoriSpace()
