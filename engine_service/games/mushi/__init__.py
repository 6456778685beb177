"""ムシがいっぱい (Bugs 'n a heap): rules and decisions of ours are in the README beside this file."""

from engine_service.games.mushi.game import MUSHI

__all__ = ["MUSHI"]
