"""Programs that play beanstalk."""

from mamenoki.house.beanstalk.greedy import GreedyBot
from mamenoki.house.beanstalk.strong import StrongBot
from mamenoki.sdk import Bot

PROGRAMS: dict[str, type[Bot]] = {"greedy": GreedyBot, "strong": StrongBot}
"""Weakest first."""
