"""What pages know of who is connected, to say when somebody plays next."""

import logging
from collections.abc import Mapping

from scheduler.settings import SchedulerSettings
from scheduler.settings import read as read_settings
from service.presence import Presence, PresenceError, Present
from service.settings import Settings

log = logging.getLogger(__name__)

WAIT_S = 0.5
"""A page does not wait longer for it: it says nothing of turns then."""


class Forecaster:
    """Safe to use from any thread. ``settings``: the workers', as this process's environment has them."""

    def __init__(self, settings: Settings) -> None:
        self.settings: SchedulerSettings = read_settings()
        self._presence = Presence(settings.redis_url, settings.presence_ttl_ms, WAIT_S)

    def present(self) -> Mapping[int, Present] | None:
        """The remote players that are here; None while nobody can say."""
        try:
            return self._presence.read()
        except PresenceError as error:
            log.info("no forecast: %s", error)
            return None

    def close(self) -> None:
        """Ends the connections."""
        self._presence.close()
