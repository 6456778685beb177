"""What the view of mushi says, in the shape that the programs reckon with."""

from dataclasses import dataclass
from typing import Any

from mamenoki.house.mushi.odds import Reroll, pack, total


@dataclass(slots=True)
class Scene:
    """A decision's view, read once. Cards are packed (:mod:`.odds`), dice (R, Y, G, B, bars)."""

    seat: int
    seats: int
    config: dict[str, int]
    state: str
    on_catch: bool
    hub: int
    catch: int
    caught: int
    dice: tuple[int, ...]
    yards: list[int]
    heaps: list[int]
    deck: int
    rolling: Reroll | None

    @property
    def group(self) -> int:
        """What the player rolls at."""
        return self.catch if self.on_catch else self.hub

    @property
    def after(self) -> int:
        """The seat that plays next."""
        return (self.seat + 1) % self.seats

    def bars(self) -> int:
        return self.dice[4]

    def consolation(self, yard: int) -> int:
        """How many cards a player with that yard draws when bugged up."""
        space = self.config["yard_limit"] - total(yard)
        return max(0, min(self.config["consolation"], space, self.deck))

    def refill(self) -> int:
        """How many cards the deck would give the hub if it were chosen now."""
        wanted = max(self.bars() * self.config["refill_per_bar"], self.config["hub_floor"] - total(self.hub))
        return max(0, min(wanted, self.deck))


def read(view: dict[str, Any], seat: int, config: dict[str, int]) -> Scene:
    """The scene for the seat that owes a decision."""
    return Scene(
        seat=seat,
        seats=len(view["yards"]),
        config=config,
        state=view["state"],
        on_catch=view["target"] == "catch",
        hub=pack(view["hub"]),
        catch=pack(view["catch"]),
        caught=pack(view["caught"]),
        dice=tuple(view["dice"]),
        yards=[pack(yard) for yard in view["yards"]],
        heaps=view["heaps"],
        deck=view["deck"],
        rolling=_rolling(view["dice"], view["rolling"]),
    )


def _rolling(dice: list[int], chosen: list[int]) -> Reroll | None:
    """The reroll that is decided and has not fallen yet, if there is one."""
    if not any(chosen):
        return None
    kept = [have - gone for have, gone in zip(dice, chosen, strict=True)]
    return Reroll(pack(kept), sum(kept[:4]), sum(chosen), "")
