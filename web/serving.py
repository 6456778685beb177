"""The server of the pages, as the product and its browser tests run it."""

import uvicorn
from fastapi import FastAPI

from service.settings import Settings, split_address
from web.connections import bounds_of, protocol


def server(app: FastAPI, settings: Settings) -> uvicorn.Server:
    """A server of that app at ``settings.web_address``; its ``run`` lasts until SIGTERM."""
    host, port = split_address(settings.web_address)
    config = uvicorn.Config(
        app,
        host,
        port,
        http=protocol(bounds_of(settings)),
        ws="none",  # an upgraded connection would leave those bounds
        log_level="warning",
        server_header=False,
    )
    return uvicorn.Server(config)
