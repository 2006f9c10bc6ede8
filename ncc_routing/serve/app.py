"""The service over HTTP: what VROOM's users ask, and tables as JSON."""

from __future__ import annotations

import asyncio
import socket
from contextlib import asynccontextmanager
from importlib.metadata import version
from importlib.resources import files
from typing import TYPE_CHECKING, Final

import uvicorn
from fastapi import FastAPI, Request, Response
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import HTMLResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from ncc_routing.serve.params import GRACE, MEGABYTE, ServeParams
from ncc_routing.serve.pool import Answer, BusyError, Pool, told
from ncc_routing.serve.work import (
    FAILED,
    PATHS,
    TOO_LARGE,
    TOO_MANY,
    Limits,
    Reply,
    failure,
    reply_to,
    warm_up,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

_BUSY, _TOO_SLOW, _GONE = 503, 408, 499

_BODY_SECONDS: Final = 30.0
"""Within them a body must arrive."""


def make_app(params: ServeParams | None = None) -> FastAPI:  # noqa: C901
    """Return the service as an application of ASGI.

    POST / takes VROOM's JSON, with the options of vroom-express; POST /solve
    tables as JSON, and answers with a result; POST /replan a result, "changes"
    and "now"; POST /offers a result and an "order"; POST /explain a result and
    an "id". GET /health tells of the workers, and GET / is a page to try it.
    An error is ``{"code": ..., "error": ...}``: 400 for bad input, 413 for too
    much of it, 503 with Retry-After where too many requests wait. The header
    Server-Timing of an answer has the milliseconds that it waited.
    """
    limits = params or ServeParams()
    workers, queue = limits.workers or 1, limits.queue or 0
    of_request = Limits.of(limits)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.pool = Pool(workers, queue, warm_up)
        await app.state.pool.open()
        yield
        app.state.pool.close()

    app = FastAPI(
        title="ncc_routing",
        version=version("ncc_routing"),
        lifespan=lifespan,
        docs_url=None,  # their pages load scripts of other hosts
        redoc_url=None,
    )
    app.add_middleware(
        CORSMiddleware,
        allow_origins=[limits.cors],
        allow_methods=["GET", "POST"],
        allow_headers=["*"],
    )

    @app.exception_handler(HTTPException)
    async def refused(_: Request, error: HTTPException) -> Response:
        reply = failure(error.status_code, 2, f"{error.detail}.")
        return _response(reply, dict(error.headers or {}))

    @app.exception_handler(Exception)
    async def failed(_: Request, error: Exception) -> Response:
        return _response(failure(FAILED, 1, told(error)))

    async def post(request: Request) -> Response:
        path = request.url.path
        try:
            body = await asyncio.wait_for(
                _body(request, round(limits.max_megabytes * MEGABYTE)),
                _BODY_SECONDS,
            )
        except ClientDisconnect:
            return Response(status_code=_GONE)
        except TimeoutError:
            text = f"the request must arrive within {_BODY_SECONDS:g} s."
            return _response(failure(_TOO_SLOW, 2, text))
        if body is None:
            text = f"the request has more than {limits.max_megabytes:g} MB."
            reply = failure(TOO_LARGE, TOO_MANY, text)
            return _response(reply, {"Connection": "close"})
        pool: Pool = app.state.pool
        work = asyncio.ensure_future(
            pool.call(
                limits.time_limit + GRACE, reply_to, path, body, of_request
            )
        )
        gone = asyncio.ensure_future(_disconnected(request))
        try:
            await asyncio.wait({work, gone}, return_when="FIRST_COMPLETED")
            if work.done():
                return _answer(work, limits.time_limit)
            return Response(status_code=_GONE)
        finally:
            gone.cancel()
            work.cancel()

    async def answer(request: Request) -> Response:
        try:
            return await post(request)
        except asyncio.CancelledError:  # by uvicorn, which ends
            return _response(failure(_BUSY, 1, "the service was stopped."))

    for path in PATHS:
        app.add_api_route(path, answer, methods=["POST"])

    @app.get("/")
    async def page() -> HTMLResponse:
        home = files("ncc_routing.serve")
        return HTMLResponse((home / "page.html").read_text("utf-8"))

    @app.get("/health")
    async def health() -> dict[str, object]:
        pool: Pool = app.state.pool
        counts = {"busy": pool.busy, "waiting": pool.waiting}
        return {"status": "healthy", "workers": workers, **counts}

    return app


def listen(params: ServeParams, host: str, port: int) -> None:
    """Answer requests until a signal comes.

    ``OSError`` is raised before any process starts where the port is taken.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family)
    config = uvicorn.Config(
        make_app(params),
        log_level="info",
        access_log=False,
        timeout_graceful_shutdown=1,
        timeout_keep_alive=75,  # a proxy closes idle connections first
    )
    uvicorn.Server(config).run([listener])


def _answer(work: asyncio.Future[Answer], seconds: float) -> Response:
    """Return the response of a call that has ended."""
    error = work.exception()
    if error is None:
        reply, waited = work.result()
        timing = f"wait;dur={1000.0 * waited:.1f}"
        return _response(reply, {"Server-Timing": timing})
    if isinstance(error, BusyError):
        reply = failure(_BUSY, 1, told(error))
        return _response(reply, {"Retry-After": str(max(1, round(seconds)))})
    return _response(failure(FAILED, 1, told(error)))


def _response(reply: Reply, headers: dict[str, str] | None = None) -> Response:
    return Response(reply.body, reply.status, headers, "application/json")


async def _body(request: Request, most: int) -> bytes | None:
    """Return the body, ``None`` where it is too large."""
    stated = request.headers.get("content-length", "")
    if stated.isdecimal() and int(stated) > most:
        return None
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            return None
        parts.append(part)
    return b"".join(parts)


async def _disconnected(request: Request) -> None:
    """Return when the client has gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
