"""The web application: server-rendered pages over the database, readable without JavaScript."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.middleware.gzip import GZipMiddleware

from service.limits import Rates
from service.settings import Settings
from storage.database import Database
from web import errors
from web.assets import Assets
from web.forecasting import Forecaster
from web.live import Spectator
from web.metrics import Measured, Metrics
from web.playing.parlour import Parlour
from web.rendering import Renderer
from web.routes import calendars, events, exports, games, home, ladders, leagues, machine, play, tables
from web.shield import Shield
from web.site import Site


def create(settings: Settings, database: Database) -> FastAPI:
    """The app for one database. Closing the database is the caller's work.

    Matches in play are asked of the engine at ``settings.internal_address``, with the service token;
    guests' tables are planned in the database and played there.
    Its metrics are a registry, at ``app.state.site.metrics.registry``; no page shows them.
    """
    assets, metrics = Assets(), Metrics()
    engine = settings.internal_address, settings.service_token.get_secret_value()
    spectator, parlour = Spectator(*engine), Parlour(*engine, database)
    forecaster = Forecaster(settings)
    rates = Rates(settings.guest_tables_per_second, settings.guest_tables_burst)
    site = Site(settings, database, assets, Renderer(assets), metrics, spectator, parlour, rates, forecaster)

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        yield
        parlour.close()
        spectator.close()
        forecaster.close()

    app = FastAPI(title="mamenoki", docs_url=None, redoc_url=None, openapi_url=None, lifespan=life)
    app.state.site = site
    errors.install(app, site.renderer)
    for routes in (home, exports, calendars, ladders, tables, leagues, events, games, play, machine):
        app.include_router(routes.router)
    # the last one added is the outermost
    app.add_middleware(errors.Crashes, renderer=site.renderer)
    app.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=5)
    app.add_middleware(Shield)
    app.add_middleware(Measured, metrics=metrics)
    return app
