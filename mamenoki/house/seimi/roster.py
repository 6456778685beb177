"""The house bots of seimi's ladder."""

from mamenoki.house.entry import Entry

ROSTER = [
    Entry("random", "seimi", "standard", "random"),
    Entry("greedy-lazy", "seimi", "standard", "greedy", {"swaps": False, "foresight": False}),
    Entry("greedy-saver", "seimi", "standard", "greedy", {"most": 3}),
    Entry("greedy-plain", "seimi", "standard", "greedy", {"swaps": False}),
    Entry("greedy", "seimi", "standard", "greedy"),
    Entry("strong-headlong", "seimi", "standard", "strong", {"patience": 25}),
    Entry("strong-blind", "seimi", "standard", "strong", {"watchful": False}),
    Entry("strong", "seimi", "standard", "strong"),
]
"""Weakest first, roughly; no two of them play alike."""
