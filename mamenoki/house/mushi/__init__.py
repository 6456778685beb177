from mamenoki.house.mushi.greedy import GreedyBot
from mamenoki.house.mushi.strong import StrongBot

PROGRAMS = {"greedy": GreedyBot, "strong": StrongBot}
