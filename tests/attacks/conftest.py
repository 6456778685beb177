from tests.fixtures.bots import arena

__all__ = ["arena"]
