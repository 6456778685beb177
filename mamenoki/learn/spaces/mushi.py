"""mushi as numbers."""

from mamenoki.learn.spaces.space import Config, Space, View, around, away, multisets, one_of

STATES = ("target", "keep", "boost", "dice")
TARGETS = ("hub", "catch")


class MushiSpace(Space):
    def moves(self, config: Config, seats: int) -> list[str]:
        dice, yard = config["dice"], config["yard_limit"]
        keeps = [f"keep {cards}" for cards in multisets("RYGB", 0, yard)]
        boosts = [f"boost {cards}" for cards in multisets("RYGB", 0, yard)]
        least = min(config["min_reroll"], dice)
        rolls = [f"roll {faces}" for faces in multisets("RYGB=", least, dice)]
        return ["hub", "catch", "stop", *keeps, *boosts, *rolls]

    def numbers(self, view: View, config: Config, seats: int) -> list[int]:
        own = view["seat"]
        yards = [count for yard in around(own, view["yards"]) for count in yard]
        return [
            *one_of(STATES, view["state"]),
            *one_of(TARGETS, view["target"]),
            *away(own, view["player"], seats),
            *away(own, view["owner"], seats),
            view["rolls"],
            view["owed"],
            view["deck"],
            *view["hub"],
            *view["catch"],
            *view["caught"],
            *view["dice"],
            *yards,
            *around(own, view["heaps"]),
        ]


SPACE = MushiSpace()
