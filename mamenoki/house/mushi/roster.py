"""The house bots of mushi's ladder."""

from mamenoki.house.entry import Entry

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
