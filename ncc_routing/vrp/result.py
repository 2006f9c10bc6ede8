"""What a solve returns: the best solution and how it came about."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from ncc_routing.core.events import TracePoint  # noqa: TC001 (types_of)
from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.extras import require_extra
from ncc_routing.core.text import counted
from ncc_routing.core.text_files import (
    EXCEL_SUFFIX,
    require_path,
    write_text,
)
from ncc_routing.plotting.figures import FIGURE_SUFFIXES
from ncc_routing.problems.constraints import LARGEST, MIN_MAX, Constraint, say
from ncc_routing.problems.declared import types_of
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.json_schema import schema_of
from ncc_routing.problems.plain import (
    from_plain,
    parse_object,
    reading_result,
    to_plain,
    typed_entry,
)
from ncc_routing.problems.routes.checking import check_solution
from ncc_routing.problems.routes.comparison import (
    Differences,  # noqa: TC001 (types_of)
)
from ncc_routing.problems.routes.references import (
    Consistency,
    measure_consistency,
)
from ncc_routing.problems.routes.route_shapes import (
    RouteShapes,
    measure_shapes,
)
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.problems.routes.summary import Summary, summarise
from ncc_routing.problems.routes.timetable import (
    has_times,
    list_stops,
    stop_rows,
)
from ncc_routing.problems.routes.unserved import (
    Unserved,
    left_out_of,
    unserved_lines,
    without_required,
)
from ncc_routing.problems.values import NO_LIMIT
from ncc_routing.vrp.route_files import (
    FORMATS,
    PICTURE_SUFFIXES,
    draw_routes,
    require_form,
    require_options,
)

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    import pandas
    import pyarrow
    import pyvrp
    from matplotlib.figure import Figure

    from ncc_routing.problems.routes.schedules import Schedule


BOUND: Final = "bound"
"""The stage of the lower bound."""


@dataclass(frozen=True)
class Stage:
    """One step of a solve.

    Parameters
    ----------
    name
        "start" (an initial solution), "cluster", "route", "fleet", "search"
        (before the polish "pyvrp"), "polish", "bound", or a method that does
        not separate them.
    seconds
        Wall-clock time of the step.
    cost
        Cost of the solution after it, ``None`` before there is one.
    """

    name: str
    seconds: float
    cost: float | None


def proves(instance: Instance, lower_bound: float | None, cost: float) -> bool:
    """Whether a bound proves a cost to be optimal: both are whole numbers."""
    return instance.is_integral and lower_bound == cost


def bound_gap_percent(
    cost: float | None, lower_bound: float | None
) -> float | None:
    """Return 100 (cost / bound - 1), ``None`` where that means nothing."""
    if cost is None or lower_bound is None:
        return None
    if not (0.0 < cost < math.inf and lower_bound > 0.0):
        return None
    return 100.0 * (cost / lower_bound - 1.0)


@dataclass(frozen=True, repr=False)
class Result:
    """The outcome of :func:`ncc_routing.solve`.

    ``cost``, ``is_feasible``, ``num_routes``, ``distance`` and ``duration``
    are values here, without the parentheses of PyVRP's ``Result`` and
    ``Solution``.

    Parameters
    ----------
    instance
        The instance that was solved.
    best
        The best solution, which has passed ``check_solution``.
    method
        The construction that ran, or "initial-solution".
    polish
        The requested polish, such as "auto"; ``phases`` has what ran.
    seed
        Seed of the run.
    stages
        The stages in order, with their time and the cost after each.
    runtime
        Wall-clock seconds of the call of ``solve``.
    params
        All parameters of the run, as a plain mapping. Default: none known.
    trace
        The best cost over time, from the first solution on; compact routes may
        cost more than its last value. Default: unknown.
    interrupted
        Whether Ctrl-C ended the run. Default no.
    labels
        District of each node in the reference of the run, from
        ``problems.routes.references.reference_labels``. Default: no reference.
    phases
        The construction, or "initial-solution", with "repair" if it broke a
        constraint; and the phases of the improvement with the share of its
        time at which each ends. Default: unknown.
    unserved
        Required customers who are on no route, with the reasons: only with
        ``allow_unserved``. Default: none.
    lower_bound
        No solution costs less. Default: ``None``, as without
        ``bound_seconds``, or where required customers are unserved.
    differences
        What is different from the plan before, of :func:`ncc_routing.replan`.
        Default: ``None``, as of ``solve``.
    """

    instance: Instance
    best: Solution
    method: str
    polish: str
    seed: int
    stages: tuple[Stage, ...]
    runtime: float
    params: Mapping[str, object] = field(default_factory=dict)
    trace: tuple[TracePoint, ...] = ()
    interrupted: bool = False
    labels: tuple[int, ...] = ()
    phases: tuple[str, ...] = ()
    unserved: tuple[Unserved, ...] = ()
    lower_bound: float | None = None
    differences: Differences | None = None

    @property
    def bound_gap_percent(self) -> float | None:
        """Percentage by which the cost is above the lower bound at most.

        ``None`` without a bound, if a customer is unserved, or if the cost or
        the bound is not positive.
        """
        if self.unserved:
            return None
        return bound_gap_percent(self.cost, self.lower_bound)

    @property
    def is_optimal(self) -> bool:
        """Whether the lower bound proves that no solution costs less.

        Only where all costs are whole numbers: others are known up to
        ``bound_gap_percent``.
        """
        return not self.unserved and proves(
            self.instance, self.lower_bound, self.cost
        )

    @property
    def cost(self) -> float:
        """Cost of the best solution."""
        return self.best.cost

    @property
    def routes(self) -> tuple[tuple[int, ...], ...]:
        """Routes of the best solution, customers 1..n without the depot."""
        return self.best.routes

    @property
    def num_routes(self) -> int:
        """Number of routes of the best solution."""
        return self.best.num_routes

    @cached_property
    def is_feasible(self) -> bool:
        """Whether the best solution breaks no constraint, checked on demand.

        It is ``True`` for every result of ``solve`` that serves all required
        customers, and ``False`` for one with ``unserved`` ones.
        """
        return not check_solution(self.instance, self.best)

    @cached_property
    def absent(self) -> tuple[Unserved, ...]:
        """All customers on no route: ``unserved`` ones, then optional ones.

        Of a group, one is enough.
        """
        return (*self.unserved, *left_out_of(self.instance, self.best))

    @property
    def distance(self) -> float:
        """Distance of all routes."""
        return sum(one.distance for one in self.schedules)

    @property
    def duration(self) -> float:
        """Duration of all routes: driving, service and waiting."""
        return sum(one.duration for one in self.schedules)

    @cached_property
    def schedules(self) -> list[Schedule]:
        """When each route is where, and what it takes."""
        return self.best.schedules(self.instance)

    @property
    def min_max(self) -> Constraint | None:
        """The limit of routes whose largest amount is the objective."""
        return MIN_MAX.get(str(self.params.get("objective")))

    @cached_property
    def largest(self) -> float | None:
        """Largest amount of a route, where that is the objective.

        A duration, a distance or a number of customers, in the unit of the
        instance; ``None`` with another objective.
        """
        limit = self.min_max
        return limit and self.best.largest(self.instance, limit)

    def describe_amounts(self) -> list[str]:
        """Return ``largest`` and what balances are about as lines of text."""
        given, lines = self.instance, []
        if self.min_max is not None:
            name, value = self.min_max.name, self.largest
            text = say(given, name, LARGEST, value=value)
            lines.append(f"{LARGEST:<10}{text} on a route")
        for one, values in self.best.balances(given):
            ends = {"least": min(values, default=0)}
            ends["most"] = max(values, default=0)
            text = say(given, "spread", LARGEST, one.amount, **ends)
            lines.append(f"{'balance':<10}{text} on the routes")
        return lines

    @cached_property
    def totals(self) -> Summary:
        """Orders, vehicles, kilometres, hours and costs of all routes."""
        return summarise(self.instance, self.best, self.unserved)

    @cached_property
    def shapes(self) -> RouteShapes:
        """How compact the routes are, measured on demand.

        Raises
        ------
        InstanceError
            If the instance has no coordinates.
        """
        return measure_shapes(self.instance, self.best)

    @cached_property
    def consistency(self) -> Consistency | None:
        """How much the routes keep of the reference, ``None`` without one."""
        if not self.labels:
            return None
        return measure_consistency(self.labels, self.routes)

    def __repr__(self) -> str:
        """Return one line; ``summary`` says more."""
        return (
            f"Result({self.instance.name}: cost {self.cost:,.10g}, "
            f"{counted(self.best.num_routes, 'route')}, "
            f"{self.method} + {self.polish}, {self.runtime:.2f} s)"
        )

    @property
    def proof(self) -> str:
        """When the cost was proven to be optimal, in words, or nothing."""
        if not self.is_optimal:
            return ""
        seconds = sum(s.seconds for s in self.stages if s.name == BOUND)
        return f"optimal: proven in {seconds:.1f} s"

    def _distance_to_bound(self) -> str:
        if self.is_optimal:
            return f", {self.proof}"
        gap = self.bound_gap_percent
        if gap is None:
            return ""
        return f", at most {gap:.2f} % above {self.lower_bound:,.10g}"

    def summary(self) -> str:
        """Return some lines of text: problem, stages, cost, loads."""
        given, best = self.instance, self.best
        load = int(given.demands[list(chain.from_iterable(best.routes))].sum())
        vehicle_types = given.vehicle_types
        room = sum(
            vehicle_types[idx].capacity * len(trips)
            for idx, trips in zip(
                best.vehicle_types, best.trips(given), strict=True
            )
        )
        full = (
            f", {100.0 * load / max(room, 1):.1f} % full"
            if room < NO_LIMIT and given.loads is None and not given.shipments
            else ""
        )
        ending = ", interrupted" if self.interrupted else ""
        lines = [
            f"{'instance':<10}{given.name}, {given.describe_size()}",
            f"{'method':<10}{self.method}, polish {self.polish}, "
            f"seed {self.seed}",
        ]
        if self.phases:
            lines.append(f"{'phases':<10}{', '.join(self.phases)}")
        for stage in self.stages:
            after = "" if stage.cost is None else f", cost {stage.cost:,.10g}"
            lines.append(f"{stage.name:<10}{stage.seconds:.2f} s{after}")
        lines += [
            *self.describe_amounts(),
            f"{'cost':<10}{self.cost:,.10g}{self._distance_to_bound()}",
            f"{'routes':<10}{best.num_routes}{full}",
            *self.totals.lines(),
            f"{'time':<10}{self.runtime:.2f} s{ending}",
        ]
        return "\n".join([*lines, *unserved_lines(self.absent)])

    def write(self, path: str | os.PathLike[str], **options: Any) -> None:
        """Write the result to a file in the format of its suffix.

        Parameters
        ----------
        path
            The file; an existing one is replaced. .sol, no suffix, or "-",
            standard output: the routes in VRPLIB form. .csv: the timetable
            (:func:`ncc_routing.desk.routes.write_routes`). .xlsx: a sheet for
            each vehicle, an overview, the unserved customers, and everything
            in a hidden sheet. .json: everything (``to_json``). .html: an
            interactive page, .geojson: map data, .png and .svg: a figure.
        options
            For .json ``format``: "vroom" is an answer of VROOM
            (``to_vroom``). For .html, .png and .svg: ``hulls`` (whether to
            shade the convex hulls of routes, default no); for .html also
            ``tiles``, the address of a base map, and ``notes``, lines of text
            for customers by id, as in ``plotting.html.routes_html``; for .png
            and .svg also ``size`` in inches (default (7, 7)), ``dpi`` (default
            100) and ``labels``, as in ``plotting.routes.plot_solution``.

        Raises
        ------
        ParameterError
            If the suffix is none of these, or does not have an option.
        InstanceError
            If a picture needs coordinates and there are none.
        MissingDependencyError
            If a figure is asked for and matplotlib is not installed.
        NccRoutingError
            If the file cannot be written.
        """
        file = require_form(path)
        require_options(file, options)
        suffix = file.suffix.lower()
        if suffix in PICTURE_SUFFIXES:
            if suffix in FIGURE_SUFFIXES:
                options = {"labels": self.labels, **options}
            elif suffix == ".html":
                options = {"differences": self.differences, **options}
            draw_routes(file, self.instance, self.best, self.absent, **options)
        elif "format" in options:
            if options["format"] not in FORMATS:
                names, given = " or ".join(FORMATS), options["format"]
                raise ParameterError(f"format must be {names}, got {given!r}.")
            write_text(file, json.dumps(self.to_vroom()) + "\n")
        elif suffix == ".json":
            write_text(file, self.to_json() + "\n")
        elif suffix == EXCEL_SUFFIX:
            from ncc_routing.desk.workbooks import write_plan

            plan = self.instance, self.best, self.absent
            write_plan(
                file,
                *plan,
                result=self.to_json(),
                differences=self.differences,
            )
        elif suffix == ".csv":
            from ncc_routing.desk.routes import write_routes

            write_routes(file, self.instance, self.best, self.absent)
        else:
            from ncc_routing.io.vrplib import write_solution

            write_solution(file, self.best, self.instance)

    def to_json(self) -> str:
        """Return everything as JSON text, which ``from_json`` reads."""
        content: dict[str, Any] = {
            "instance": to_plain(self.instance),
            "routes": self.best.routes,
            "vehicle_types": self.best.vehicle_types,
            "cost": self.cost,
            "method": self.method,
            "polish": self.polish,
            "seed": self.seed,
            "stages": [asdict(stage) for stage in self.stages],
            "runtime_seconds": self.runtime,
            "params": self.params,
            "trace": [asdict(point) for point in self.trace],
            "interrupted": self.interrupted,
            "labels": self.labels,
            "phases": self.phases,
            "unserved": [asdict(one) for one in self.absent],
            "lower_bound": self.lower_bound,
            "is_optimal": self.is_optimal,
            "summary": self.totals.to_json(),
        }
        if self.largest is not None:
            content["largest"] = self.largest
        if self.differences is not None:
            content["differences"] = asdict(self.differences)
        if has_times(self.instance):
            content["timetable"] = stop_rows(self.instance, self.best)
        return json.dumps(content)

    def to_vroom(
        self, *, geometry: bool = False, loading: float = 0.0
    ) -> dict[str, Any]:
        """Return the answer of VROOM, as its JSON holds it.

        A problem that was read from VROOM's JSON keeps its ids, and
        descriptions are given back. In others, tasks and vehicles are numbered
        from 1, and their ids and names are descriptions.

        Parameters
        ----------
        geometry
            Whether routes have straight lines between their stops as an
            encoded polyline. Default no.
        loading
            Seconds that reading the problem took. Default 0.
        """
        from ncc_routing.desk.vroom_answer import answer_of

        return answer_of(
            self.instance,
            self.best,
            self.absent,
            geometry=geometry,
            seconds=(loading, self.runtime),
        )

    @classmethod
    def from_json(cls, text: str) -> Result:
        """Return the result that ``to_json`` wrote.

        Raises
        ------
        ParameterError
            If the text is not a result, or its routes break a rule.
        """
        if str(text).lower().endswith(".json"):
            raise ParameterError(
                f"from_json takes the text of a result, not a path: {text}."
            )
        with reading_result():
            content = parse_object(text)
            if isinstance(content["instance"], str):
                raise TypeError(
                    "it has only the name of its instance, as --json prints; "
                    "use to_json or -o FILE.json"
                )
            instance = from_plain(Instance, content["instance"])
            # What results of older versions may lack.
            lists: dict[str, Any] = {
                "unserved": [],
                "labels": [],
                "vehicle_types": [],
            }
            others = {"lower_bound": None, "differences": None}
            content = {**lists, **others, **content}
            content.setdefault("phases", content.pop("plan", []))
            content["unserved"] = [
                one for one in content["unserved"] if not one.get("optional")
            ]
            given = {
                key: typed_entry(content, key, kind)
                for key, kind in _types_in_json().items()
            }
            routes, types = given.pop("routes"), given.pop("vehicle_types")
            result = cls(
                instance=instance,
                best=Solution(routes, given.pop("cost"), types),
                runtime=given.pop("runtime_seconds"),
                **given,
            )
            if result.labels and len(result.labels) != len(instance.demands):
                raise ValueError("labels must hold a number for each node")
        left_out = [one.customer for one in result.unserved]
        asked = without_required(instance, left_out)
        for violation in check_solution(asked, result.best)[:1]:
            raise ParameterError(
                f"the result is invalid: {violation.message}."
            )
        return result

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Result:
        """Return the result in a file that ``write`` wrote.

        Parameters
        ----------
        path
            The file: .json, .xlsx, or .csv with the .json of the same name
            beside it. Stops of a table must be those that were written; other
            cells that people have changed do not count, and a log line says
            so.

        Raises
        ------
        ParameterError
            If there is no result in the file, or its routes break a rule.
        InstanceError
            If a file is missing, or its stops were changed.
        """
        from ncc_routing.desk.plan_files import (
            is_table_of_stops,
            require_unchanged,
            result_text,
        )

        file = require_path(path, "a result")
        text = result_text(file)
        try:
            result = cls.from_json(text)
        except ParameterError as error:
            raise ParameterError(f"{file}: {error}") from None
        if is_table_of_stops(file):
            with TemporaryDirectory() as folder:
                written = Path(folder, file.name)
                result.write(written)
                require_unchanged(file, written)
        return result

    def to_pyvrp(
        self, data: pyvrp.ProblemData | pyvrp.Model
    ) -> pyvrp.Solution:
        """Return the best solution as a ``pyvrp.Solution`` of the data.

        Raises
        ------
        ParameterError
            If the data are not those of the result: their stops, depots or
            vehicle types are more or fewer, or the solution is infeasible.
        InfeasibleError
            If a vehicle type has more routes than vehicles in the data.
        """
        from ncc_routing.pyvrp.adapter import feasible_in, problem_data

        return feasible_in(problem_data(data), self.best, self.instance)

    def to_dataframe(self, *, clock: bool = True) -> pandas.DataFrame:
        """Return the timetable as a pandas table, one row for each stop.

        Columns: those of ``problems.routes.timetable.list_stops``. A CSV file
        of the table, without its index, is read as a plan.

        Parameters
        ----------
        clock
            Whether times have the format of the input; otherwise they are
            numbers. Default ``True``.

        Raises
        ------
        MissingDependencyError
            If pandas is not installed.
        """
        require_extra("pandas")
        import pandas

        return pandas.DataFrame(
            list_stops(self.instance, self.best, self.absent, clock=clock)
        )

    def to_arrow(self) -> pyarrow.Table:
        """Return the timetable as a table of Arrow, as ``write`` .csv has it.

        polars, duckdb and others take it as it is. An empty cell is null. A
        column of numbers has numbers, any other one texts.

        Raises
        ------
        MissingDependencyError
            If pyarrow is not installed.
        """
        require_extra("pyarrow")
        import pyarrow

        columns = list_stops(self.instance, self.best, self.absent)
        return pyarrow.table(
            {name: _uniform(cells) for name, cells in columns.items()}
        )

    def plot(self, **options: Any) -> Figure:
        """Return a figure of the routes, in the colours of the reference.

        Options: :func:`ncc_routing.plotting.routes.plot_solution`.

        Raises
        ------
        MissingDependencyError
            If matplotlib is not installed.
        """
        from ncc_routing.plotting import plot_solution

        options = {"labels": self.labels, **options}
        return plot_solution(self.instance, self.best, self.absent, **options)

    def plot_timetable(self, **options: Any) -> Figure:
        """Return a Gantt chart of the vehicles' days.

        Options: :func:`ncc_routing.plotting.gantt.plot_timetable`.

        Raises
        ------
        ParameterError
            If the instance has no times.
        MissingDependencyError
            If matplotlib is not installed.
        """
        from ncc_routing.plotting import plot_timetable

        return plot_timetable(self.instance, self.best, **options)

    def plot_trace(self, **options: Any) -> Figure:
        """Return a figure of the best cost over time.

        Options: :func:`ncc_routing.plotting.traces.plot_trace`.

        Raises
        ------
        MissingDependencyError
            If matplotlib is not installed.
        """
        from ncc_routing.plotting import plot_trace

        return plot_trace(self, **options)

    def _repr_html_(self) -> str:
        from ncc_routing.plotting.svg import html_card, routes_svg

        picture = ""
        if self.instance.coords is not None:
            picture = routes_svg(self.instance, self.best, self.absent)
        return html_card(self.summary(), picture)


def _uniform(cells: list[Any]) -> list[Any]:
    """Return cells of one type, or ``None`` where they are empty."""
    filled = [None if each in (None, "") else each for each in cells]
    kinds = {type(each) for each in filled} - {type(None)}
    if kinds <= {int, float} or len(kinds) == 1:
        return filled
    return [None if each is None else str(each) for each in filled]


def _types_in_json() -> dict[str, Any]:
    """Return the types of the entries beside the instance."""
    types = {**types_of(Result), **types_of(Solution)}
    types["runtime_seconds"] = types.pop("runtime")
    del types["instance"], types["best"]
    return types


def result_schema() -> dict[str, Any]:
    """Return the JSON schema of what ``to_json`` writes."""
    schema = schema_of(Result)
    given = schema["properties"]
    given |= schema["$defs"].pop("Solution")["properties"]
    given["runtime_seconds"] = given.pop("runtime")
    del given["best"]
    given |= {"summary": {}, "timetable": {}, "is_optimal": {}}
    given["largest"] = {"type": "number"}
    optional = "timetable", "differences", "largest"
    schema["required"] = [key for key in given if key not in optional]
    return schema
