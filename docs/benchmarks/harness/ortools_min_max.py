"""Solve a problem by OR-Tools: ``python ortools_min_max.py FILE SECONDS``.

OR-Tools is no part of this project's environment, so this is a program of its
own. The span cost and guided local search make the longest route short, as in
the example of its documentation.
"""

import json
import sys
from pathlib import Path

from ortools.constraint_solver import (  # type: ignore[import-not-found]
    pywrapcp,
    routing_enums_pb2,
)

SPAN_COST = 100
"""Cost of a unit of the longest route, beside 1 of each unit of distance."""


def main(file: str, seconds: str) -> None:
    """Write the routes, a list of nodes for each vehicle, as JSON."""
    problem = json.loads(Path(file).read_text(encoding="utf-8"))
    ends = problem["ends"]
    manager = pywrapcp.RoutingIndexManager(
        len(problem["durations"]), len(ends), ends, ends
    )
    model = pywrapcp.RoutingModel(manager)
    lengths = model.RegisterTransitMatrix(problem["distances"])
    model.SetArcCostEvaluatorOfAllVehicles(lengths)
    times = model.RegisterTransitMatrix(problem["durations"])
    model.AddDimensionWithVehicleCapacity(
        times, 0, problem["shifts"], True, "time"
    )
    span = model.GetDimensionOrDie("time")
    span.SetGlobalSpanCostCoefficient(SPAN_COST)
    loads = model.RegisterUnaryTransitVector(problem["demands"])
    model.AddDimensionWithVehicleCapacity(
        loads, 0, problem["capacities"], True, "load"
    )
    asked = pywrapcp.DefaultRoutingSearchParameters()
    kinds = routing_enums_pb2.FirstSolutionStrategy
    asked.first_solution_strategy = kinds.AUTOMATIC
    ways = routing_enums_pb2.LocalSearchMetaheuristic
    asked.local_search_metaheuristic = ways.GUIDED_LOCAL_SEARCH
    asked.time_limit.FromMilliseconds(round(1000 * float(seconds)))
    found = model.SolveWithParameters(asked)
    routes = []
    for vehicle in range(len(ends) if found else 0):
        place, route = model.Start(vehicle), []
        while not model.IsEnd(place):
            route.append(manager.IndexToNode(place))
            place = found.Value(model.NextVar(place))
        routes.append(route[1:])
    sys.stdout.write(json.dumps(routes) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
