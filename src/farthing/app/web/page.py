"""The page and its parts: one document, style sheets and script modules, of which the report shares most."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from fastapi import APIRouter, HTTPException, Response

from farthing.report.web.assets import web_asset, web_assets

MEDIA = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
OWN = "farthing.app.web.static"


def page_routes() -> APIRouter:
    """Return the page at / and its parts below /assets/."""
    router = APIRouter(include_in_schema=False)

    @router.get("/")
    async def page() -> Response:
        return Response(_own("index.html"), media_type="text/html")

    @router.get("/assets/{name}")
    async def asset(name: str) -> Response:
        if name not in asset_names():
            raise HTTPException(404)
        suffix = name[name.rindex(".") :]
        return Response(asset_text(name), media_type=MEDIA[suffix], headers={"Cache-Control": "max-age=300"})

    return router


@cache
def asset_names() -> frozenset[str]:
    """Return the names of all style sheets, scripts and pictures."""
    own = (path.name for path in files(OWN).iterdir())
    return frozenset({*web_assets(), *(name for name in own if name.endswith(tuple(MEDIA)))})


def asset_text(name: str) -> str:
    """Return a part of the page, or one that the report shares."""
    return _own(name) if (files(OWN) / name).is_file() else web_asset(name)


@cache
def _own(name: str) -> str:
    return (files(OWN) / name).read_text(encoding="utf-8")
