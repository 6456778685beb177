"""What a bot is: a class with one method.

::

    from mamenoki.sdk import Bot, Decision

    class MyBot(Bot):
        def choose(self, decision: Decision) -> str:
            return decision.legal[0]

One object sits at one seat of one match, so attributes of ``self`` are that
seat's memory. ``choose`` may be ``async def``. The same class plays in
``mamenoki play`` on a laptop and in ``mamenoki connect`` on a server.
"""

from mamenoki.sdk.pipe import Bot, Decision, Json, Result, Seat

__all__ = ["Bot", "Decision", "Json", "Result", "Seat"]
