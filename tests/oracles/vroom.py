"""Random problems of VROOM, and a check of answers.

Nothing of the package is imported: the meanings are those of VROOM's API.
"""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

Json = dict[str, Any]

PARTS = (
    *("costs", "distances", "per_task_hour", "profiles", "priority"),
    *("skills", "shipments", "dimensions", "windows", "shifts", "fixed"),
    *("setup", "by_type", "speed", "max_tasks", "max_travel_time"),
    *("max_distance", "open", "several_windows", "breaks"),
)
"""What a problem may have."""


def random_vroom(seed: int, num_jobs: int) -> Json:  # noqa: C901, PLR0915
    """Return a problem with each part at random."""
    rng = random.Random(seed)
    has = {part: rng.random() < 0.4 for part in PARTS}
    size = num_jobs + 4
    places = [(rng.randrange(3000), rng.randrange(3000)) for _ in range(size)]
    names = ["car", "bike"] if has["profiles"] else ["car"]
    matrices = {}
    for name in names:
        durations = [
            [
                round(abs(a - c) + abs(b - d) * rng.uniform(1, 1.2))
                for c, d in places
            ]
            for a, b in places
        ]
        matrices[name] = {"durations": durations}
        if has["distances"] or has["max_distance"]:
            matrices[name]["distances"] = [
                [round(8 * t * rng.uniform(0.9, 1.1)) for t in row]
                for row in durations
            ]
    count = rng.randrange(1, 3) if has["dimensions"] else 1
    problem: Json = {"matrices": matrices, "jobs": [], "vehicles": []}

    def window() -> list[int]:
        start = rng.randrange(0, 20000)
        return [start, start + rng.randrange(1000, 9000)]

    def task(number: int) -> Json:
        one: Json = {"id": number, "location_index": rng.randrange(size)}
        one["service"] = rng.randrange(0, 400)
        if has["windows"] and rng.random() < 0.6:
            one["time_windows"] = [window()]
            if has["several_windows"]:
                start = one["time_windows"][0][1] + rng.randrange(1, 3000)
                one["time_windows"].append([start, start + 2000])
        if has["setup"]:
            one["setup"] = rng.randrange(0, 300)
        if has["by_type"] and rng.random() < 0.5:
            one["service_per_type"] = {"slow": rng.randrange(0, 900)}
            if has["setup"]:
                one["setup_per_type"] = {"slow": rng.randrange(0, 500)}
        return one

    def common() -> Json:
        one: Json = {}
        if has["skills"] and rng.random() < 0.4:
            one["skills"] = [rng.randrange(1, 3)]
        if has["priority"]:
            one["priority"] = rng.choice([0, 5, 100])
        return one

    def amount() -> list[int]:
        return [rng.randrange(0, 6) for _ in range(count)]

    number = 0
    while number < num_jobs:
        number += 1
        if has["shipments"] and rng.random() < 0.4 and number < num_jobs:
            number += 1
            problem.setdefault("shipments", []).append(
                {
                    "pickup": task(number - 1),
                    "delivery": task(number),
                    "amount": amount(),
                    **common(),
                }
            )
            continue
        job = {**task(number), **common(), "delivery": amount()}
        if rng.random() < 0.3:
            job["pickup"] = amount()
        problem["jobs"].append(job)
    for number in range(1, rng.randrange(2, 5)):
        vehicle: Json = {
            "id": 10 * number,
            "profile": rng.choice(names),
            "capacity": [rng.randrange(6, 20) for _ in range(count)],
            "start_index": rng.randrange(size),
            "end_index": rng.randrange(size),
        }
        if has["open"] and rng.random() < 0.6:
            del vehicle[rng.choice(["start_index", "end_index"])]
        if has["shifts"]:
            start = rng.randrange(0, 5000)
            vehicle["time_window"] = [start, start + 25000]
        if has["skills"]:
            vehicle["skills"] = rng.sample([1, 2, 3], 2)
        if has["by_type"]:
            vehicle["type"] = rng.choice(["slow", "quick"])
        if has["speed"]:
            vehicle["speed_factor"] = rng.choice([0.8, 1.0, 1.25])
        if has["max_tasks"]:
            vehicle["max_tasks"] = rng.randrange(2, 6)
        if has["max_travel_time"]:
            vehicle["max_travel_time"] = rng.randrange(4000, 15000)
        if has["max_distance"]:
            vehicle["max_distance"] = rng.randrange(40000, 120000)
        costs = {}
        if has["fixed"]:
            costs["fixed"] = rng.randrange(0, 9000)
        if has["costs"]:
            costs["per_hour"] = rng.choice([3600, 1800, 7200])
        if has["distances"]:
            costs["per_km"] = rng.randrange(0, 500)
        is_open = has["setup"] and "start_index" not in vehicle
        if has["per_task_hour"] and not (has["max_distance"] or is_open):
            costs["per_task_hour"] = rng.randrange(0, 5000)
        if costs:
            vehicle["costs"] = costs
        if has["breaks"]:
            start = rng.randrange(3000, 12000)
            vehicle["breaks"] = [
                {
                    "id": 1,
                    "service": rng.randrange(100, 1800),
                    "time_windows": [[start, start + 4000]],
                    **({"max_load": [9] * count} if seed % 3 == 0 else {}),
                }
            ]
        problem["vehicles"].append(vehicle)
    return problem


def faults_of(problem: Json, answer: Json) -> list[str]:
    """Return what is wrong with an answer to a problem with matrices."""
    check = _Check(problem)
    faults = []
    for route in answer["routes"]:
        faults += check.route(route)
    for one in answer["unassigned"]:
        check.seen.append((one["type"], one["id"]))
    if sorted(check.seen) != sorted(check.tasks):
        faults.append("not each task is there once")
    vehicles = [route["vehicle"] for route in answer["routes"]]
    if len(set(vehicles)) < len(vehicles):
        faults.append("a vehicle has two routes")
    summary = answer["summary"]
    for key in (
        *("cost", "setup", "service", "duration", "waiting_time"),
        "priority",
    ):
        if summary[key] != sum(route[key] for route in answer["routes"]):
            faults.append(f"summary: {key}")
    if (summary["routes"], summary["unassigned"]) != (
        len(answer["routes"]),
        len(answer["unassigned"]),
    ):
        faults.append("summary: counts")
    return faults


class _Check:
    """The tasks of a problem, and those that are seen in an answer."""

    def __init__(self, problem: Json) -> None:
        self.problem = problem
        self.seen: list[tuple[str, int]] = []
        self.vehicles = {one["id"]: one for one in problem["vehicles"]}
        self.tasks: dict[tuple[str, int], Json] = {}
        self.pickup_of: dict[int, int] = {}
        for job in problem["jobs"]:
            self.tasks["job", job["id"]] = job
        for one in problem.get("shipments", []):
            shared = {k: one[k] for k in ("skills", "priority") if k in one}
            for kind in ("pickup", "delivery"):
                task = {**one[kind], **shared, kind: one["amount"]}
                self.tasks[kind, one[kind]["id"]] = task
            self.pickup_of[one["delivery"]["id"]] = one["pickup"]["id"]

    def route(self, route: Json) -> list[str]:
        """Return what is wrong with a route."""
        faults: list[str] = []
        vehicle = self.vehicles[route["vehicle"]]
        steps = route["steps"]
        kinds = [step["type"] for step in steps]
        if (kinds[0], kinds[-1]) != ("start", "end"):
            faults.append("a route does not start or end")
        if any(step["violations"] for step in [*steps, route]):
            faults.append("there are violations")
        driven = self._follow(vehicle, steps, faults)
        self._loads(vehicle, steps, faults)
        self._cost(vehicle, route, driven, faults)
        done = [step for step in steps if step["type"] == "break"]
        wanted = [one["id"] for one in vehicle.get("breaks", [])]
        if sorted(one["id"] for one in done) != sorted(wanted):
            faults.append("a break is missing")
        totals = {
            "setup": sum(step["setup"] for step in steps),
            "service": sum(step["service"] for step in steps),
            "waiting_time": sum(step["waiting_time"] for step in steps),
            "duration": steps[-1]["duration"],
        }
        faults += [key for key in totals if totals[key] != route[key]]
        return [f"vehicle {vehicle['id']}: {fault}" for fault in faults]

    def _follow(  # noqa: C901
        self, vehicle: Json, steps: list[Json], faults: list[str]
    ) -> float:
        """Check times and order; return the distance."""
        matrices = self.problem["matrices"][vehicle["profile"]]
        factor = round(100 / vehicle.get("speed_factor", 1)) / 100
        start, end = vehicle.get("time_window", (0, 10**12))
        if steps[0]["arrival"] < start or steps[-1]["arrival"] > end:
            faults.append("outside of the shift")
        place = vehicle.get("start_index")
        left_place, travel, distance = place, 0, 0.0
        tasks = [step for step in steps if step["type"] != "break"]
        for before, step in pairwise(steps):
            left = before["arrival"] + before["waiting_time"]
            left += before["setup"] + before["service"]
            driven = step["duration"] - before["duration"]
            if driven < 0 or step["arrival"] != left + driven:
                faults.append(f"the arrival at {step['type']}")
            travel += driven
            if step["type"] == "break":
                [one] = (b for b in vehicle["breaks"] if b["id"] == step["id"])
                self._in_window(step, one, faults)
                if step["service"] != one["service"]:
                    faults.append("the service of a break")
                continue
            if step["type"] == "end":
                place = vehicle.get("end_index")
            else:
                task = self._task(vehicle, step, left_place, faults)
                place = task["location_index"]
            if None not in (place, left_place):
                wanted = matrices["durations"][left_place][place] * factor
                if left_place == place:
                    wanted = 0
                if abs(wanted - travel) > 1.01:
                    faults.append(f"travel to {place}: {travel}, {wanted}")
                if "distances" in matrices and left_place != place:
                    distance += matrices["distances"][left_place][place]
            left_place, travel = place, 0
        if len(tasks) - 2 > vehicle.get("max_tasks", 10**6):
            faults.append("too many tasks")
        if steps[-1]["duration"] > vehicle.get("max_travel_time", 10**9):
            faults.append("too much travel")
        if distance > vehicle.get("max_distance", 10**9):
            faults.append("too far")
        if "distances" in matrices and round(distance) != steps[-1].get(
            "distance"
        ):
            faults.append("the distance")
        return distance

    def _task(
        self,
        vehicle: Json,
        step: Json,
        left_place: int | None,
        faults: list[str],
    ) -> Json:
        key = (step["type"], step["id"])
        self.seen.append(key)
        task = self.tasks[key]
        if step["type"] == "delivery":
            pickup = ("pickup", self.pickup_of[step["id"]])
            if pickup not in self.seen:
                faults.append("a delivery before its pickup")
        if not set(task.get("skills", [])) <= set(vehicle.get("skills", [])):
            faults.append("skills")
        self._in_window(step, task, faults)
        kind = vehicle.get("type", "")
        for name in ("setup", "service"):
            wanted = task.get(f"{name}_per_type", {}).get(
                kind, task.get(name, 0)
            )
            if name == "setup" and left_place == task["location_index"]:
                wanted = 0
            if step[name] != wanted:
                faults.append(f"{name} of {key}: {step[name]}, {wanted}")
        return task

    def _in_window(self, step: Json, task: Json, faults: list[str]) -> None:
        begin = step["arrival"] + step["waiting_time"]
        windows = task.get("time_windows", [[0, 10**12]])
        if step["waiting_time"] < 0 or not any(
            early <= begin <= late for early, late in windows
        ):
            faults.append(f"{begin} is in no window {windows}")

    def _loads(
        self, vehicle: Json, steps: list[Json], faults: list[str]
    ) -> None:
        load = [0] * len(vehicle["capacity"])
        keys = [(step["type"], step.get("id")) for step in steps]
        tasks = [self.tasks.get(key) for key in keys]  # type: ignore[arg-type]
        for task, (kind, _) in zip(tasks, keys, strict=True):
            if task and kind == "job":
                load = _plus(load, task.get("delivery"), 1)
        for task, step in zip(tasks, steps, strict=True):
            if task:
                load = _plus(load, task.get("pickup"), 1)
                load = _plus(load, task.get("delivery"), -1)
            if step["load"] != load:
                faults.append(f"the load {step['load']} is {load}")
            limits = [vehicle["capacity"]]
            if step["type"] == "break":
                limits += [
                    one["max_load"]
                    for one in vehicle["breaks"]
                    if one["id"] == step["id"] and "max_load" in one
                ]
            for limit in limits:
                if any(x > most for x, most in zip(load, limit, strict=True)):
                    faults.append("overloaded")

    def _cost(
        self, vehicle: Json, route: Json, distance: float, faults: list[str]
    ) -> None:
        costs = vehicle.get("costs", {})
        cost = costs.get("fixed", 0)
        cost += costs.get("per_hour", 3600) * route["duration"] / 3600
        cost += costs.get("per_km", 0) * distance / 1000
        work = route["setup"] + route["service"]
        cost += costs.get("per_task_hour", 0) * work / 3600
        room = 1.5 + len(route["steps"]) * 0.5 * (
            vehicle.get("speed_factor", 1) != 1
        )
        if abs(cost - route["cost"]) > room:
            faults.append(f"the cost {route['cost']} is {cost}")


def _plus(load: list[int], more: list[int] | None, sign: int) -> list[int]:
    if more is None:
        return load
    return [a + sign * b for a, b in zip(load, more, strict=True)]
