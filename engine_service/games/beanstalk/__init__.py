"""The double-batting beanstalk game by ムーブ: rules and decisions of ours are in the README beside this file."""

from engine_service.games.beanstalk.game import BEANSTALK

__all__ = ["BEANSTALK"]
