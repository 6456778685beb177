"""Reckons what every card is worth at the monsters to come, and what the others may declare."""

from collections.abc import Sequence

from mamenoki.house.seimi.laying import best_moves
from mamenoki.house.seimi.rivals import Rivals
from mamenoki.house.seimi.scene import CARD_OF, NAMES, PARENTS, Scene, masks, read
from mamenoki.house.seimi.settings import check_switches, check_whole
from mamenoki.house.seimi.worth import Worth
from mamenoki.sdk import Bot, Decision, Seat

CARDS = len(NAMES)

PUTS_TRIED = 4
"""How many cards that might be put into the field are looked at."""


class StrongBot(Bot):
    """Takes what its rows gain most from, and lays down what brings most, now and later.

    ``patience``: how much a later fight is minded, in hundredths of what is usual.
    ``watchful``: whether it remembers what the others took from the field.
    """

    def __init__(self, patience: int = 100, watchful: bool = True) -> None:
        super().__init__(patience=patience, watchful=watchful)
        check_whole(patience=(patience, 0, 110))
        check_switches(watchful=watchful)
        self._patience, self._watchful = patience, watchful
        self._seat = 0
        self._pack: list[int] = []
        self._masks: list[int] = []
        self._known: list[list[int]] = []
        self._worth: Worth | None = None
        self._plan: list[str] | None = None

    def start(self, seat: Seat) -> None:
        config = seat.config
        self._seat, self._masks = seat.seat, masks(config["effective"])
        self._pack = [config["copies"]] * PARENTS + [config["parents"]]
        self._known = [[0] * CARDS for _ in seat.players]

    def choose(self, decision: Decision) -> str:
        for event in decision.sightings if self._watchful else ():
            self._remember(event)
        scene = read(decision.view, self._seat)
        if self._worth is None:
            self._worth = Worth(self._masks, scene.line, self._patience)
        if scene.state == "deploy":
            return self._lay(scene, self._worth)
        self._plan = None
        return self._take(scene, self._worth, decision.legal)

    def _remember(self, event: dict[str, object]) -> None:
        kind, name = event["event"], event.get("card")
        if not isinstance(name, str) or kind == "draw":
            return
        known = self._known[int(str(event["seat"]))]
        if kind == "take":
            known[CARD_OF[name]] += 1
            return
        for card in [CARD_OF[name], *[PARENTS] * bool(event.get("parents"))]:
            known[card] = max(0, known[card] - 1)

    def _lay(self, scene: Scene, worth: Worth) -> str:
        if self._plan is None:
            mask = self._masks[scene.monster]
            self._plan = best_moves(scene, worth, mask, Rivals(scene, mask, self._known).expected)
        if self._plan:
            return self._plan.pop(0)
        self._plan = None
        return "done"

    def _take(self, scene: Scene, worth: Worth, legal: list[str]) -> str:
        """The best of all takes and, where it may be, of putting a card and taking two."""
        gains = Gains(scene, worth, self._unseen(scene))
        best = max([text for text in legal if text.startswith("take")], key=gains.of)
        puts = [text for text in legal if text.startswith("put")]
        if puts:
            gain, put = gains.of_best_swap(puts)
            if gain > gains.of(best):
                return put
        return best

    def _unseen(self, scene: Scene) -> list[int]:
        """How many of each card may be in the deck, as far as is known."""
        left = [
            pack
            - hand
            - field
            - sum([known[card] for other, known in enumerate(self._known) if other != self._seat])
            for card, (pack, hand, field) in enumerate(zip(self._pack, scene.hand, scene.field, strict=True))
        ]
        for rows in scene.rows:
            for kind, (ability, size, led) in enumerate(rows):
                if ability >= 0:
                    left[4 * kind + ability] -= size - led
                    left[PARENTS] -= led
        return [max(0, count) for count in left]


class Gains:
    """What takes and puts add to the worth of a hand."""

    def __init__(self, scene: Scene, worth: Worth, unseen: Sequence[int]) -> None:
        self._scene = scene
        self._worth = worth
        self._now = self._value(-1, -1)
        self._cards = [-1.0] * CARDS
        self._of_deck = self._average(unseen)

    def of(self, text: str) -> float:
        """Of taking from the field or, on average, from the deck."""
        name = text.removeprefix("take ")
        return self._of_deck if name == "deck" else self._of_card(CARD_OF[name])

    def of_best_swap(self, puts: Sequence[str]) -> tuple[float, str]:
        """Of putting a card and taking the two that are then best; only the least missed are tried."""
        missed = [(self._now - self._value(CARD_OF[put.removeprefix("put ")], -1), put) for put in puts]
        return max([(self._of_swap(loss, put), put) for loss, put in sorted(missed)[:PUTS_TRIED]])

    def _of_swap(self, loss: float, put: str) -> float:
        """A draw from the deck is taken to bring what it would bring now."""
        card = CARD_OF[put.removeprefix("put ")]
        takes = [loss] + [self._of_deck] * min(2, self._scene.deck)
        for other, count in enumerate(self._scene.field):
            if count:
                takes += [self._value(card, other) - self._now + loss] * min(2, count)
        return sum(sorted(takes)[-2:]) - loss

    def _average(self, unseen: Sequence[int]) -> float:
        total = sum(unseen)
        return sum([n * self._of_card(card) for card, n in enumerate(unseen) if n]) / total if total else 0.0

    def _of_card(self, card: int) -> float:
        if self._cards[card] < 0:
            self._cards[card] = self._value(-1, card) - self._now
        return self._cards[card]

    def _value(self, without: int, plus: int) -> float:
        """The worth of the hand without a card and with another; -1: none."""
        scene, hand = self._scene, self._scene.hand[:]
        if without >= 0:
            hand[without] -= 1
        if plus >= 0:
            hand[plus] += 1
        return self._worth.total(hand, scene.rows[scene.seat], scene.monster)
