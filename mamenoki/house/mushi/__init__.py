"""Programs that play mushi."""

from mamenoki.house.mushi.greedy import GreedyBot
from mamenoki.house.mushi.strong import StrongBot
from mamenoki.sdk import Bot

PROGRAMS: dict[str, type[Bot]] = {"greedy": GreedyBot, "strong": StrongBot}
"""Weakest first."""
