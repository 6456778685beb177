"""The house bots of beanstalk's ladder."""

from mamenoki.house.entry import Entry

ROSTER = [
    Entry("random", "beanstalk", "standard", "random"),
    Entry("greedy-reckless", "beanstalk", "standard", "greedy", {"zeal": 4, "shy": False}),
    Entry("greedy-idle", "beanstalk", "standard", "greedy", {"zeal": 1}),
    Entry("greedy", "beanstalk", "standard", "greedy"),
    Entry("greedy-gambler", "beanstalk", "standard", "greedy", {"zeal": 3, "deck": "gamble"}),
    Entry("strong-rash", "beanstalk", "standard", "strong", {"rounds": 10}),
    Entry("strong-patient", "beanstalk", "standard", "strong", {"haste": 30}),
    Entry("strong", "beanstalk", "standard", "strong"),
]
"""Weakest first, roughly; no two of them play alike."""
