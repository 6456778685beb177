"""The house bots that a ladder starts with: programs under names of their own."""

from dataclasses import dataclass, field

from mamenoki.sdk.bot import Json


@dataclass(frozen=True, slots=True)
class Entry:
    """One house bot: what it is called, what it plays, and the program and settings behind it."""

    name: str
    game: str
    variant: str
    program: str
    settings: dict[str, Json] = field(default_factory=dict)


ROSTER = [
    Entry("random", "mushi", "standard", "random"),
    Entry("greedy-hoarder", "mushi", "standard", "greedy", {"hoard": 3}),
    Entry("greedy-cautious", "mushi", "standard", "greedy", {"goal": 2, "chase": 12}),
    Entry("greedy-bold", "mushi", "standard", "greedy", {"goal": 5, "chase": 7}),
    Entry("greedy-loner", "mushi", "standard", "greedy", {"chase": 99}),
    Entry("greedy-thief", "mushi", "standard", "greedy", {"chase": 4}),
    Entry("greedy", "mushi", "standard", "greedy"),
    Entry("strong-quick", "mushi", "standard", "strong", {"wary": False}),
    Entry("strong-peaceful", "mushi", "standard", "strong", {"rivalry": 0}),
    Entry("strong", "mushi", "standard", "strong"),
]
"""Weakest first, roughly; no two of them play alike."""
