"""The fixtures of the whole stack, for the tests of this folder."""

from tests.fixtures.stack import make_stack, processes

__all__ = ["make_stack", "processes"]
