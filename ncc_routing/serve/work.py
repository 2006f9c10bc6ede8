"""What a worker does with the body of a request."""

from __future__ import annotations

import gc
import json
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ncc_routing.core.exceptions import (
    InfeasibleError,
    InstanceError,
    NccRoutingError,
    ParameterError,
    TooLargeError,
)
from ncc_routing.core.params import build_params
from ncc_routing.desk.problem import choose_times, read_with_form
from ncc_routing.desk.table_options import TableOptions
from ncc_routing.desk.tables import parse_json
from ncc_routing.desk.vroom import (
    is_answer,
    is_vroom,
    numbered,
    routes_of_steps,
)
from ncc_routing.desk.vroom_answer import code_of
from ncc_routing.desk.vroom_format import Options
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.vrp.dispatch.explain import explain
from ncc_routing.vrp.dispatch.offers import offers
from ncc_routing.vrp.dispatch.replan import replan
from ncc_routing.vrp.params import SolveParams
from ncc_routing.vrp.result import Result
from ncc_routing.vrp.solve import solve

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ncc_routing.problems.instance import Instance
    from ncc_routing.serve.params import ServeParams

OK, BAD_INPUT, TOO_LARGE, FAILED = 200, 400, 413, 500
"""Status codes of HTTP."""

TOO_MANY: Final = 4
"""Code of vroom-express for a request that is too large."""

_SOURCE: Final = "request"

_TABLES: Final = (
    *("customers", "vehicles", "matrix", "durations"),
    *("result", "problem", "answer", "changes", "actual"),
)
"""Keys that hold tables or objects; a text would name a file."""

_OF_RUNS: Final = ("time_limit", "seed", "objective", "allow_unserved")

_LEAST_SECONDS: Final = 0.2
_SECONDS_PER_JOB: Final = 0.01

_FIRST: Final = b"""{"vehicles": [{"id": 1, "start": [2, 48], "end": [2, 48]}],
"jobs": [{"id": 1, "location": [2.1, 48]}, {"id": 2, "location": [2, 48.1]}]}
"""
"""A problem that loads what the next ones need."""


class Limits(NamedTuple):
    """Most seconds and tasks of a request, OSRM, and how VROOM's is read."""

    seconds: float
    jobs: int
    osrm: str | None = None
    lenient: bool = False

    @classmethod
    def of(cls, params: ServeParams) -> Limits:
        """Return those of a service."""
        names = ("time_limit", "max_jobs", "osrm", "lenient")
        return cls(*(getattr(params, name) for name in names))


class Reply(NamedTuple):
    """The status and the JSON of an answer."""

    status: int
    body: bytes


class _TooManyError(NccRoutingError):
    """A request has more tasks or vehicles than the service takes."""


def warm_up() -> None:
    """Load what requests need, and spare it the pauses to look for garbage."""
    reply_to("/", _FIRST, Limits(0.01, 10))
    gc.freeze()


def reply_to(path: str, body: bytes, limits: Limits) -> Reply:
    """Return the answer to a request; ``path`` is one of ``PATHS``."""
    begin = time.monotonic()
    try:
        content = parse_json(_SOURCE, body.decode("utf-8"))
        if not isinstance(content, dict):
            raise ParameterError("the request must be an object of JSON.")
        request = _ANSWERS[path]
        if request.needed:
            request.check(content)
        answer = request.answer(content, limits, begin)
    except UnicodeDecodeError:
        return failure(BAD_INPUT, 2, "the request is not in UTF-8.")
    except (_TooManyError, TooLargeError) as error:
        return failure(TOO_LARGE, TOO_MANY, str(error))
    except NccRoutingError as error:
        of_input = (InstanceError, ParameterError, InfeasibleError)
        status = BAD_INPUT if isinstance(error, of_input) else FAILED
        return failure(status, code_of(error), str(error))
    return Reply(OK, json.dumps(answer).encode())


def failure(status: int, code: int, text: str) -> Reply:
    """Return the answer of a failure, with VROOM's code."""
    return Reply(status, json.dumps({"code": code, "error": text}).encode())


def _vroom(content: dict[str, Any], limits: Limits, begin: float) -> Any:
    """Answer a problem of VROOM, with the options of vroom-express."""
    if not is_vroom(content):
        raise ParameterError(
            "the request must have vehicles, and jobs or shipments."
        )
    tasks = _count(content, "jobs") + 2 * _count(content, "shipments")
    _require_few(limits, tasks, _count(content, "vehicles"))
    given = content.pop("options", {})
    options = Options.read(_SOURCE, "options", given)
    reading = TableOptions(osrm=limits.osrm, lenient=limits.lenient)
    if options.c:
        return choose_times(reading, content)
    problem = read_with_form(reading, content)
    loading = time.monotonic() - begin
    params = _params({"allow_unserved": True})
    seconds = _seconds(given.get("l"), tasks, limits, begin)
    result = solve(problem, params=params, time_limit=seconds)
    answer = result.to_vroom(geometry=options.g, loading=loading)
    if options.explain:
        answer["explanations"] = [
            explain(result, str(one)).to_json() for one in options.explain
        ]
    return answer


def _solve(content: dict[str, Any], limits: Limits, begin: float) -> Any:
    """Answer tables with the whole result."""
    tasks = _count(content, "customers")
    _require_few(limits, tasks, _count(content, "vehicles"))
    run: dict[str, Any] = {
        key: content.pop(key) for key in _OF_RUNS if key in content
    }
    customers = content.pop("customers")
    has_lengths = not {"matrix", "durations", "speed", "detour"}.isdisjoint(
        content
    )
    osrm = None if has_lengths else limits.osrm
    reading = TableOptions(**content, osrm=osrm)
    problem = read_with_form(reading, customers)
    params = _params({"allow_unserved": True, **run})
    seconds = _seconds(params.time_limit, tasks, limits, begin)
    return _whole(solve(problem, params=params, time_limit=seconds))


def _replan(content: dict[str, Any], limits: Limits, begin: float) -> Any:
    """Answer a result and what is new with the result of the rest."""
    of_vroom = "problem" in content
    given = _planned_by_vroom if of_vroom else _result_of
    before = given(content, limits)
    tasks = before.instance.num_customers
    _require_few(limits, _count(content, "changes"))
    run: dict[str, Any] = {
        key: content[key] for key in _OF_RUNS if key in content
    }
    params = _params({"allow_unserved": True, **run})
    after = replan(
        before,
        content.get("changes", ()),
        now=content["now"],
        actual=content.get("actual"),
        allow_unserved=params.allow_unserved,
        params=params,
        time_limit=_seconds(params.time_limit, tasks, limits, begin),
    )
    return after.to_vroom() if of_vroom else _whole(after)


def _planned_by_vroom(content: dict[str, Any], limits: Limits) -> Result:
    """Return a problem of VROOM with the routes of an answer as a result.

    Changes then have ids of tasks and vehicles as VROOM's.
    """
    problem: Any = content["problem"]
    answer: Any = content.get("answer")
    if not (is_vroom(problem) and is_answer(answer)):
        raise ParameterError(
            "problem and answer must be those of VROOM: vehicles with jobs or "
            "shipments, and routes with steps."
        )
    reading = TableOptions(osrm=limits.osrm, lenient=limits.lenient)
    instance = read_with_form(reading, problem).instance
    _require_few(limits, instance.num_customers)
    routes, types = routes_of_steps("answer", answer, instance)
    for row in content.get("changes", ()):
        if isinstance(row, dict):
            _name_by_vroom(row, instance)
    before = Result(
        instance=instance,
        best=Solution.from_routes(instance, routes, types),
        method="initial-solution",
        polish="none",
        seed=1,
        stages=(),
        runtime=0.0,
    )
    if _times_in(before.to_vroom()) != _times_in(answer):
        raise ParameterError(
            "answer: its times are not those of its routes as they are "
            "planned, after a delay perhaps: only a result, as of /solve, "
            "keeps these."
        )
    return before


def _times_in(answer: Mapping[str, Any]) -> dict[Any, Any]:
    """Return when each task of an answer is reached."""
    return {
        (step["type"], step["id"]): step.get("arrival")
        for route in answer["routes"]
        for step in route["steps"]
        if "id" in step and step["type"] != "break"
    }


def _name_by_vroom(change: dict[str, Any], instance: Instance) -> None:
    """Let a change name tasks and vehicles as the instance does."""
    task, vehicle = change.get("id"), change.get("vehicle")
    if isinstance(task, int):
        names = [f"pickup {task}", str(task), f"delivery {task}"]
        found = [name for name in names if name in instance.node_ids]
        pairs = [
            {instance.node_ids[one.pickup], instance.node_ids[one.delivery]}
            for one in instance.shipments
        ]
        if len(found) > 1 and set(found) not in pairs:
            raise ParameterError(
                f"changes: id {task} is that of {' and '.join(found)}: say "
                "which, as a text."
            )
        change["id"] = found[0] if found else str(task)
    if isinstance(vehicle, int):
        called = [one.name for one in instance.vehicle_types]
        known = {(numbered(name) or (None,))[0]: name for name in called}
        if vehicle not in known:
            rule = f"changes: vehicle {vehicle}: there is no such vehicle."
            raise ParameterError(rule)
        change["vehicle"] = known[vehicle]


def _offers(content: dict[str, Any], limits: Limits, begin: float) -> Any:
    """Answer a result and an order with the places for it."""
    before = _result_of(content, limits)
    improve = content.get("improve")
    if improve is not None:
        improve = _seconds(improve, 0, limits, begin)
    answers = offers(
        before,
        content["order"],
        content.get("k", 20),
        slots=content.get("slots"),
        improve=improve,
        now=content.get("now"),
    )
    return {"offers": [one.to_json() for one in answers]}


def _explain(content: dict[str, Any], limits: Limits, _: float) -> Any:
    """Answer a result and an id with what binds the order or the route."""
    return explain(_result_of(content, limits), content["id"]).to_json()


class _Request(NamedTuple):
    """How a request is answered, the keys that it needs, and others."""

    answer: Callable[[dict[str, Any], Limits, float], Any]
    needed: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    def check(self, content: Mapping[str, Any]) -> None:
        """Refuse unknown, wrong and missing keys."""
        known = (*self.needed, *self.others)
        for key, value in content.items():
            if key not in known:
                raise ParameterError(
                    f"{key} is not known; known are {', '.join(known)}."
                )
            if key in _TABLES and not isinstance(value, list | dict):
                raise ParameterError(f"{key} must be a list or an object.")
        for key in self.needed:
            if key not in content:
                raise ParameterError(f"the request must have {key}.")


_OF_TABLES: Final = (
    *("vehicles", "matrix", "durations", "speed", "detour", "time_unit"),
    *("capacity", "depot", "name", "rounding", "max_districts"),
)

_ANSWERS: Final[Mapping[str, _Request]] = {
    "/": _Request(_vroom),
    "/solve": _Request(_solve, ("customers",), (*_OF_TABLES, *_OF_RUNS)),
    "/replan": _Request(
        _replan,
        ("now",),
        ("result", "problem", "answer", "changes", "actual", *_OF_RUNS),
    ),
    "/offers": _Request(
        _offers, ("result", "order"), ("k", "slots", "improve", "now")
    ),
    "/explain": _Request(_explain, ("result", "id")),
}

PATHS: Final = tuple(_ANSWERS)
"""What a request may ask for."""


def _result_of(content: Mapping[str, Any], limits: Limits) -> Result:
    if "result" not in content:
        raise ParameterError("the request must have result.")
    result = Result.from_json(json.dumps(content["result"]))
    _require_few(limits, result.instance.num_customers)
    return result


def _whole(result: Result) -> Any:
    return json.loads(result.to_json())


def _params(given: dict[str, Any]) -> SolveParams:
    return build_params(SolveParams, given, "")


def _count(content: Mapping[str, Any], key: str) -> int:
    """Return the number of rows of a table, which may be in columns."""
    value = content.get(key, ())
    if isinstance(value, dict):
        value = max(value.values(), key=_size, default=())
    return _size(value)


def _size(value: object) -> int:
    return len(value) if isinstance(value, list) else 0


def _require_few(limits: Limits, *counts: int) -> None:
    """Refuse more tasks or vehicles than the service takes."""
    if max(counts) > limits.jobs:
        raise _TooManyError(
            f"too many locations or vehicles: {max(counts)}, at most "
            f"{limits.jobs} are allowed."
        )


def _seconds(asked: object, tasks: int, limits: Limits, begin: float) -> float:
    """Return the seconds of a search: what reading leaves of those asked for.

    Writing the answer takes no longer than reading.
    """
    if asked is None:
        asked = max(_LEAST_SECONDS, _SECONDS_PER_JOB * tasks)
    is_number = isinstance(asked, int | float) and not isinstance(asked, bool)
    if not is_number or not asked > 0:  # type: ignore[operator]
        raise ParameterError(
            f"the time limit must be a positive number, got {asked!r}."
        )
    most = min(float(asked), limits.seconds)  # type: ignore[arg-type]
    return max(0.001, most - 2.0 * (time.monotonic() - begin))
