"""A sensible player with habits: it collects what it has most of, and lays down what counts now."""

from mamenoki.house.seimi.scene import CARD_OF, PARENTS, Scene, masks, read
from mamenoki.house.seimi.settings import check_switches, check_whole
from mamenoki.sdk import Bot, Decision, Seat

ROW, HELD, COMING = 6, 4, 1
"""How much a card is liked for a row that it fits, for each one alike in hand, and for each monster
that is still to come against which it counts."""

PARENTS_APPEAL = 7


class GreedyBot(Bot):
    """Lays down at most ``most`` cards a fight, those that count, the largest rows first.

    ``swaps``: whether it ever puts a card into the field to take two. ``foresight``: whether it
    minds which monsters are still to come when it takes cards.
    """

    def __init__(self, most: int = 99, swaps: bool = True, foresight: bool = True) -> None:
        super().__init__(most=most, swaps=swaps, foresight=foresight)
        check_whole(most=(most, 1, 99))
        check_switches(swaps=swaps, foresight=foresight)
        self._most, self._swaps, self._foresight = most, swaps, foresight
        self._seat = 0
        self._masks: list[int] = []
        self._laid = 0

    def start(self, seat: Seat) -> None:
        self._seat, self._masks = seat.seat, masks(seat.config["effective"])

    def choose(self, decision: Decision) -> str:
        scene = read(decision.view, self._seat)
        if scene.state == "deploy":
            return self._lay(scene, decision.legal)
        self._laid = 0
        return self._take(scene, decision.legal)

    def _take(self, scene: Scene, legal: list[str]) -> str:
        """The dearest card of the field if it is dear enough, else the deck; a useless one goes first."""
        puts = [text for text in legal if text.startswith("put ")]
        takes = [text for text in legal if text.startswith("take ") and text != "take deck"]
        if self._swaps and puts and sum(scene.hand) > 2:
            worst = min(puts, key=lambda text: self._appeal(scene, text, held=1))
            if self._appeal(scene, worst, held=1) <= ROW:
                return worst
        best = max(takes, key=lambda text: self._appeal(scene, text), default=legal[0])
        dear = best != "take deck" and self._appeal(scene, best) >= ROW
        return best if dear or legal[0] != "take deck" else "take deck"

    def _appeal(self, scene: Scene, text: str, held: int = 0) -> int:
        """How much a card is liked; ``held`` of it are this very card."""
        card = CARD_OF[text.partition(" ")[2]]
        if card == PARENTS:
            return PARENTS_APPEAL
        ability = card % 4
        fits = scene.rows[self._seat][card // 4][0] == ability
        coming = [mask for mask in self._masks[scene.monster :] if mask >> ability & 1]
        return ROW * fits + HELD * (scene.hand[card] - held) + COMING * len(coming) * self._foresight

    def _lay(self, scene: Scene, legal: list[str]) -> str:
        best = max(legal, key=lambda text: self._gain(scene, text))
        if self._laid >= self._most or self._gain(scene, best) <= 0:
            self._laid = 0
            return "done"
        self._laid += 1
        return best

    def _gain(self, scene: Scene, text: str) -> int:
        """How much larger what counts now gets if this and all alike are laid down."""
        if text == "done":
            return 0
        verb, _, name = text.partition(" ")
        led = name.startswith("parents+")
        card = CARD_OF[name.removeprefix("parents+")]
        mask = self._masks[scene.monster]
        if not mask >> card % 4 & 1:
            return 0
        ability, size, _ = scene.rows[self._seat][card // 4]
        lost = size if verb == "replace" and mask >> ability & 1 else 0
        return scene.hand[card] + led - lost
