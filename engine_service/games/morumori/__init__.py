"""モル盛 (Morumori): rules and decisions of ours are in the README beside this file."""

from engine_service.games.morumori.game import MORUMORI

__all__ = ["MORUMORI"]
