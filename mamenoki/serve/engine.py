"""The engine's process: matches on the public and internal ports; beside them ratings, leagues, events and
uploaded bots."""

import asyncio
import sys

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
from service.auth import PUBLIC
from service.logging import configure
from service.settings import Settings
from service.wire import AddressTaken
from storage.database import Database

RATINGS = ratings_pb2.DESCRIPTOR.services_by_name["RatingService"]


def rating_extra(ratings: RatingService) -> Extra:
    """The rating service for the public port. Leaderboards are for everybody."""
    policy = {f"/{RATINGS.full_name}/{method.name}": PUBLIC for method in RATINGS.methods}
    return Extra(
        RATINGS.full_name, lambda server: add_RatingServiceServicer_to_server(ratings, server), policy
    )


def league_extra(leagues: LeagueService) -> Extra:
    """The league service for the public port."""
    return Extra(
        league_service.NAME,
        lambda server: add_LeagueServiceServicer_to_server(leagues, server),
        league_service.POLICY,
    )


def event_extra(events: EventService) -> Extra:
    """The service of tournaments for the public port."""
    return Extra(
        event_service.NAME,
        lambda server: add_EventServiceServicer_to_server(events, server),
        event_service.POLICY,
    )


def ladder_extra(ladders: LadderService) -> Extra:
    """The service of continuous ladders for the public port."""
    return Extra(
        ladder_service.NAME,
        lambda server: add_LadderServiceServicer_to_server(ladders, server),
        ladder_service.POLICY,
    )


def webhook_extra(hooks: WebhookService) -> Extra:
    """The service of webhooks for the public port."""
    return Extra(
        webhook_service.NAME,
        lambda server: add_WebhookServiceServicer_to_server(hooks, server),
        webhook_service.POLICY,
    )


def bot_extra(bots: BotService) -> Extra:
    """The service of uploaded bots for the public port."""
    return Extra(
        bot_service.NAME,
        lambda server: add_BotServiceServicer_to_server(bots, server),
        bot_service.POLICY,
    )


def announce(server: EngineServer) -> None:
    print(f"engine: public {server.public}, internal {server.internal}", flush=True)


def main() -> None:
    """Runs until SIGTERM. Settings come from the environment."""
    settings = Settings()
    configure(settings.log_level, settings.log_json)
    database = Database(settings.database_url)
    ratings, leagues = RatingService(database), LeagueService(database)
    bots, events = BotService(database, settings), EventService(database)
    workers = scheduler_settings.read()
    ladders, hooks = LadderService(database, workers), WebhookService(database, workers)
    extras = [
        rating_extra(ratings),
        league_extra(leagues),
        event_extra(events),
        ladder_extra(ladders),
        webhook_extra(hooks),
        bot_extra(bots),
    ]
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(serve(settings, database, extras, announce))
    except AddressTaken as error:
        sys.exit(f"mamenoki: {error}")
    finally:
        ratings.close()
        leagues.close()
        events.close()
        ladders.close()
        hooks.close()
        bots.close()
        database.close()


if __name__ == "__main__":
    main()
