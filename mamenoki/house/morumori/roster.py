"""The house bots of morumori's ladders."""

from mamenoki.house.entry import Entry

ROSTER = [
    Entry("random", "morumori", "versus", "random"),
    Entry("greedy-forgetful", "morumori", "versus", "greedy", {"memory": 4}),
    Entry("greedy-simple", "morumori", "versus", "greedy", {"cards": 1}),
    Entry("greedy", "morumori", "versus", "greedy"),
    Entry("greedy-attentive", "morumori", "versus", "greedy", {"memory": 40, "cards": 3}),
    Entry("strong-secretive", "morumori", "versus", "strong", {"caution": 40}),
    Entry("strong-open", "morumori", "versus", "strong", {"hide": "unseen"}),
    Entry("strong", "morumori", "versus", "strong"),
    Entry("random", "morumori", "coop", "random"),
    Entry("greedy-forgetful", "morumori", "coop", "greedy", {"memory": 4}),
    Entry("greedy-simple", "morumori", "coop", "greedy", {"cards": 1}),
    Entry("greedy", "morumori", "coop", "greedy"),
    Entry("greedy-attentive", "morumori", "coop", "greedy", {"memory": 40, "cards": 3}),
    Entry("strong-stirring", "morumori", "coop", "strong", {"hide": "seen"}),
    Entry("strong", "morumori", "coop", "strong"),
]
"""Weakest first within a ladder, roughly; no two of them play alike there."""
