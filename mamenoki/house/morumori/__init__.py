"""Programs that play morumori."""

from mamenoki.house.morumori.greedy import GreedyBot
from mamenoki.house.morumori.strong import StrongBot
from mamenoki.sdk import Bot

PROGRAMS: dict[str, type[Bot]] = {"greedy": GreedyBot, "strong": StrongBot}
"""Weakest first."""
