"""The games as PettingZoo environments. Needs the packages of the group ``learn``; see docs/learn.md."""

from mamenoki.learn.environment import Environment, env

__all__ = ["Environment", "env"]
