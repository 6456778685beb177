"""The engine's process: matches on the public and internal ports; beside them ratings, leagues, events and
uploaded bots."""

import asyncio
import sys
from collections.abc import Callable
from typing import Any

import uvloop

from engine_service.server.main import EngineServer, Extra, serve
from ratings.service import RatingService
from ratings.v1 import ratings_pb2
from ratings.v1.ratings_pb2_grpc import add_RatingServiceServicer_to_server
from scheduler import bot_service, event_service, ladder_service, league_service, webhook_service
from scheduler import settings as scheduler_settings
from scheduler.bot_service import BotService
from scheduler.event_service import EventService
from scheduler.ladder_service import LadderService
from scheduler.league_service import LeagueService
from scheduler.v1.bots_pb2_grpc import add_BotServiceServicer_to_server
from scheduler.v1.events_pb2_grpc import add_EventServiceServicer_to_server
from scheduler.v1.ladders_pb2_grpc import add_LadderServiceServicer_to_server
from scheduler.v1.leagues_pb2_grpc import add_LeagueServiceServicer_to_server
from scheduler.v1.webhooks_pb2_grpc import add_WebhookServiceServicer_to_server
from scheduler.webhook_service import WebhookService
from service.auth import PUBLIC, Policy
from service.logging import configure
from service.settings import Settings
from service.wire import AddressTaken
from storage.database import Database

Service = RatingService | LeagueService | EventService | LadderService | WebhookService | BotService

_RATINGS = ratings_pb2.DESCRIPTOR.services_by_name["RatingService"]
_EVERYBODY: Policy = {f"/{_RATINGS.full_name}/{method.name}": PUBLIC for method in _RATINGS.methods}
_BESIDE: dict[type[Service], tuple[str, Callable[[Any, Any], None], Policy]] = {
    RatingService: (_RATINGS.full_name, add_RatingServiceServicer_to_server, _EVERYBODY),
    LeagueService: (league_service.NAME, add_LeagueServiceServicer_to_server, league_service.POLICY),
    EventService: (event_service.NAME, add_EventServiceServicer_to_server, event_service.POLICY),
    LadderService: (ladder_service.NAME, add_LadderServiceServicer_to_server, ladder_service.POLICY),
    WebhookService: (webhook_service.NAME, add_WebhookServiceServicer_to_server, webhook_service.POLICY),
    BotService: (bot_service.NAME, add_BotServiceServicer_to_server, bot_service.POLICY),
}


def extra(service: Service) -> Extra:
    """A service beside the engine's own, for the public port, with who may call what of it."""
    name, add, policy = _BESIDE[type(service)]
    return Extra(name, lambda server: add(service, server), policy)


def announce(server: EngineServer) -> None:
    print(f"engine: public {server.public}, internal {server.internal}", flush=True)


def main() -> None:
    """Runs until SIGTERM. Settings come from the environment."""
    settings = Settings()
    configure(settings.log_level, settings.log_json)
    database = Database(settings.database_url)
    workers = scheduler_settings.read()
    services: list[Service] = [
        RatingService(database),
        LeagueService(database),
        EventService(database),
        LadderService(database, workers),
        WebhookService(database, workers),
        BotService(database, settings),
    ]
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(serve(settings, database, [extra(one) for one in services], announce))
    except AddressTaken as error:
        sys.exit(f"mamenoki: {error}")
    finally:
        for service in services:
            service.close()
        database.close()


if __name__ == "__main__":
    main()
