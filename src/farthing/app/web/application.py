"""The application: routes, errors, the page, and the guard around all of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from farthing.app.web.documents import with_limits
from farthing.app.web.guard import Access, Guard
from farthing.app.web.page import page_routes
from farthing.app.web.replies import ClientGone, farthing_error, http_error, wrong_body
from farthing.app.web.routes import scoring_routes
from farthing.app.web.small_routes import asking_routes, telling_routes
from farthing.core.errors import FarthingError
from farthing.core.version import __version__
from farthing.service.service import Service

ABOUT = "Cheap, light and fast evaluation of generated text."


def create_app(service: Service | None = None, access: Access | None = None) -> FastAPI:
    """Return the application; it starts the service and, when it ends, finishes what was accepted.

    :param access: who may ask; anybody on this machine by default
    """
    service = service or Service()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        service.start()
        yield
        service.close()

    app = FastAPI(
        title="Farthing", description=ABOUT, version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None
    )  # fmt: skip
    for router in (scoring_routes(service), asking_routes(service), telling_routes(service), page_routes()):
        app.include_router(router)
    for error in (FarthingError, TimeoutError, ClientGone, Exception):
        app.add_exception_handler(error, farthing_error)
    app.add_exception_handler(RequestValidationError, wrong_body)
    app.add_exception_handler(HTTPException, http_error)
    document = with_limits(app.openapi(), service.limits)
    app.add_middleware(Guard, service=service, access=access or Access(), paths=["/", *document["paths"]])
    return app
