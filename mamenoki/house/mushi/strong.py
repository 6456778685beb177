"""A player by expectation: exact odds of every reroll, weighed against what the others may do."""

from collections.abc import Sequence
from typing import Any

from mamenoki.house.mushi.odds import LETTERS, Reroll, add_evenly, odds, parts, rerolls, room, total
from mamenoki.house.mushi.outlook import Outlook, Taste
from mamenoki.house.mushi.scene import Scene, read
from mamenoki.house.mushi.settings import check_whole
from mamenoki.sdk import Bot, Decision, Seat

NEVER = float("-inf")


class StrongBot(Bot):
    """Takes the choice of the greatest expectation, one roll ahead.

    ``yard``: what a card in the yard is worth, in hundredths of one on the heap.
    ``rivalry``: how much a bug of the others hurts, in percent of an own one, shared among them.
    ``wary``: whether it reckons with the next player's theft and with the hub it leaves behind.
    """

    def __init__(self, yard: int = 80, rivalry: int = 100, wary: bool = True) -> None:
        super().__init__(yard=yard, rivalry=rivalry, wary=wary)
        check_whole(yard=(yard, 0, 300), rivalry=(rivalry, 0, 300))
        if type(wary) is not bool:
            raise ValueError(f"wary is {wary!r}; it must be true or false")
        self._taste = Taste(yard / 100, rivalry / 100, wary)
        self._seat = 0
        self._config: dict[str, Any] = {}
        self._least = 0

    def start(self, seat: Seat) -> None:
        self._seat, self._config = seat.seat, seat.config
        self._least = min(self._config["min_reroll"], self._config["dice"])

    def choose(self, decision: Decision) -> str:
        legal = decision.legal
        if len(legal) == 1:
            return legal[0]
        scene = read(decision.view, self._seat, self._config)
        outlook = Outlook(scene, self._taste)
        if scene.state == "target":
            return self._aim(scene, outlook)
        if scene.state == "keep":
            return legal[0]
        if scene.state == "boost":
            return self._boost(scene, outlook, legal)
        return self._roll(scene, outlook, legal)

    def _aim(self, scene: Scene, outlook: Outlook) -> str:
        yard = parts(scene.yards[self._seat])
        refilled = add_evenly(scene.hub, scene.refill())
        hub = max(self._boosted(scene, outlook, refilled, part, on_catch=False) for part in yard)
        catch = max(self._boosted(scene, outlook, scene.catch, part, on_catch=True) for part in yard)
        return "catch" if catch > hub else "hub"

    def _boost(self, scene: Scene, outlook: Outlook, legal: list[str]) -> str:
        def worth(text: str) -> float:
            return self._boosted(scene, outlook, scene.group, _cards(text), scene.on_catch)

        return max(legal, key=worth)

    def _boosted(self, scene: Scene, outlook: Outlook, group: int, part: int, on_catch: bool) -> float:
        """The worth of the turn when these yard cards go to the group first."""
        boosted, caught = total(part), total(scene.caught)
        hub = total(scene.hub) if on_catch else total(group) + boosted
        consolation = scene.consolation(scene.yards[self._seat] - part)
        bust = outlook.bust(hub if on_catch else hub + caught, boosted, consolation, on_catch)
        rolls = outlook.rolls(caught, hub, bust, on_catch)
        options = [scene.rolling] if scene.rolling else rerolls(scene.dice, self._least)
        return _best(group + part, options, rolls, bust)[0] - outlook.yard_card * boosted

    def _roll(self, scene: Scene, outlook: Outlook, legal: list[str]) -> str:
        caught, hub = total(scene.caught), total(scene.hub)
        consolation = scene.consolation(scene.yards[self._seat])
        bust = outlook.bust(hub if scene.on_catch else hub + caught, 0, consolation, scene.on_catch)
        rolls = outlook.rolls(caught, hub, bust, scene.on_catch)
        worth, reroll = _best(scene.group, rerolls(scene.dice, self._least), rolls, bust)
        if legal[0] == "stop" and outlook.stop(caught, hub, scene.bars(), scene.on_catch) >= worth:
            return "stop"
        return reroll.text


def _best(group: int, options: Sequence[Reroll], rolls: list[float], bust: float) -> tuple[float, Reroll]:
    """The best of some rerolls at a group, and its expectation."""
    best, choice = NEVER, options[0]
    for option in options:
        worth = _expect(group, option, rolls, bust)
        if worth > best:
            best, choice = worth, option
    return best, choice


def _expect(group: int, option: Reroll, rolls: list[float], bust: float) -> float:
    left = room(group, option.kept)
    if left < 0:
        return bust
    worth, safe, bugs = 0.0, 0.0, option.bugs
    for chance in odds(left, option.rolled):
        worth += chance * rolls[bugs]
        safe += chance
        bugs += 1
    return worth + (1 - safe) * bust


def _cards(text: str) -> int:
    """The packed cards of ``boost RRB``."""
    letters = text.partition(" ")[2]
    return sum(letters.count(letter) << 8 * colour for colour, letter in enumerate(LETTERS))
