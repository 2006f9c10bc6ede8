import asyncio
import time
from collections.abc import AsyncIterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from multiprocessing import get_context

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ValidationError

import ncc_routing as nr
from ncc_routing.problems.timetable import stop_rows

SECONDS, PROCESSES = 0.22, 4
FIRST = b"""{"vehicles": [{"capacity": 1}], "speed": "9km/h", "customers":
    [{"x": 0, "y": 0, "depot": 1}, {"x": 1, "y": 0, "close": "9:00"}]}"""


class Problem(BaseModel, extra="forbid"):
    customers: list[dict[str, object]]
    vehicles: list[dict[str, object]]
    matrix: dict[str, object] | None = None
    speed: str | None = None


def answer(body: bytes, due: float) -> JSONResponse:
    try:
        given = dict(Problem.model_validate_json(body))
        instance = nr.read(given.pop("customers"), **given)
        left = max(0.001, due - time.monotonic())
        best = nr.solve(instance, time_limit=left).best
    except (ValidationError, nr.NccRoutingError) as error:
        return JSONResponse({"error": str(error)}, 422)
    stops = stop_rows(instance, best)
    return JSONResponse({"cost": best.cost, "timetable": stops})


@asynccontextmanager
async def processes(app: FastAPI) -> AsyncIterator[None]:
    start = get_context("spawn"), answer, (FIRST, 0.0)
    with ProcessPoolExecutor(PROCESSES, *start) as app.state.pool:
        list(app.state.pool.map(abs, range(PROCESSES)))
        yield


app = FastAPI(lifespan=processes)


@app.post("/plan")
async def plan(request: Request) -> JSONResponse:
    due = time.monotonic() + SECONDS
    work = app.state.pool.submit(answer, await request.body(), due)
    return await asyncio.wrap_future(work)
