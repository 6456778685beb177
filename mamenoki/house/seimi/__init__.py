"""Programs that play seimi."""

from mamenoki.house.seimi.greedy import GreedyBot
from mamenoki.house.seimi.strong import StrongBot
from mamenoki.sdk import Bot

PROGRAMS: dict[str, type[Bot]] = {"greedy": GreedyBot, "strong": StrongBot}
"""Weakest first."""
