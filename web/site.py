"""What every route needs, gathered once by the app's factory."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from service.limits import Rates
from service.settings import Settings
from storage.database import Database
from web.assets import Assets
from web.forecasting import Forecaster
from web.live import Spectator
from web.metrics import Metrics
from web.playing.parlour import Parlour
from web.rendering import Renderer


@dataclass(frozen=True, slots=True)
class Site:
    settings: Settings
    database: Database
    assets: Assets
    renderer: Renderer
    metrics: Metrics
    spectator: Spectator
    parlour: Parlour
    sittings: Rates
    """How often one address may sit down."""
    forecaster: Forecaster


def site_of(request: Request) -> Site:
    """The site that this request's app serves."""
    site: Site = request.app.state.site
    return site


Here = Annotated[Site, Depends(site_of)]
