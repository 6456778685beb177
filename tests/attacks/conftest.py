from tests.fixtures.bots import arena, folder, opened_arena

__all__ = ["arena", "folder", "opened_arena"]
