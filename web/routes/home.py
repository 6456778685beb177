"""The first page."""

from fastapi import APIRouter, Request, Response

from web.reading.home import home_page
from web.site import Here

router = APIRouter()


@router.get("/")
def home(site: Here, request: Request) -> Response:
    page = home_page(site.database, site.settings.public_address)
    return site.renderer.page(request, "home.html", home=page)
