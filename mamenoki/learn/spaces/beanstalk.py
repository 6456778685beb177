"""beanstalk as numbers. Where two play, the NPC is one of those around the table."""

from mamenoki.learn.spaces.space import Config, Space, View, around, fitted, one_of

STATES = ("commit", "draw")
DECKS = ("stable", "gamble")
CARDS = range(1, 6)


class BeanstalkSpace(Space):
    def moves(self, config: Config, seats: int) -> list[str]:
        return [*(f"play {card}" for card in CARDS), *(f"draw {deck}" for deck in DECKS)]

    def numbers(self, view: View, config: Config, seats: int) -> list[int]:
        own, everybody = view["seat"], range(len(view["squares"]))
        numbers = [*one_of(STATES, view["state"]), view["turn"], *fitted(view["support"], 5)]
        numbers += [view["decks"][deck] for deck in DECKS]
        numbers += [view["steps"]]
        played = view["cards"] or [0] * len(everybody)
        for one in around(own, everybody):
            numbers += [int(card in view["hands"][one]) for card in CARDS]
            numbers += [view["squares"][one], int(view["directions"][one] == "down")]
            numbers += [-1 if view["points"][one] is None else view["points"][one]]
            numbers += [played[one], int(one in view["batted"])]
            numbers += [int(view["storm"] == one), int(view["brewing"] == one)]
            numbers += [
                view[key][one] for key in ("covered", "thieves", "looted", "armed", "fresh", "tornados")
            ]
        return numbers


SPACE = BeanstalkSpace()
