from tests.fixtures.bots import arena, opened_arena

__all__ = ["arena", "opened_arena"]
