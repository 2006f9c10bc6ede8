"""Recompute every rule of a dispatcher's morning, from the tables alone.

    python morning.py orders.csv vans.csv plan.csv

Nothing of the package is imported. Times of the plan have no seconds, so that
each may be a minute off. What is broken is printed, a line each.
"""

from __future__ import annotations

import csv
import math
import sys
from collections import defaultdict
from itertools import pairwise

SPEED = 60 / 3.6  # metres a second
RADIUS = 6_371_008.8
MINUTE, HOUR = 60, 3600


def seconds(text: str) -> int:
    """Return the seconds of 8:30 after midnight."""
    hours, minutes = map(int, text.split(":"))
    return 3600 * hours + 60 * minutes


def windows(text: str) -> list[tuple[int, int]]:
    """Return both ends of each window."""
    parts = [part.strip().split("-") for part in text.split(";")]
    return [(seconds(first), seconds(last)) for first, last in parts]


def travel(one: dict[str, str], other: dict[str, str]) -> float:
    """Return the seconds from one place to another, by the great circle."""
    places = [(float(row["lat"]), float(row["lon"])) for row in (one, other)]
    (up, east), (down, west) = (map(math.radians, place) for place in places)
    rise, turn = math.sin((up - down) / 2), math.sin((east - west) / 2)
    root = rise**2 + math.cos(up) * math.cos(down) * turn**2
    return 2 * RADIUS * math.asin(math.sqrt(root)) / SPEED


def broken(  # noqa: C901
    orders: dict[str, dict[str, str]],
    van: dict[str, str],
    rows: list[dict[str, str]],
) -> list[str]:
    """Return the rules that a route breaks, in words."""
    wrong = []
    stops = [row for row in rows if row["kind"] == "customer"]
    breaks = [row for row in rows if row["kind"] == "break"]
    if len(stops) > int(van["max stops"]):
        wrong.append(f"{len(stops)} stops")
    load = sum(float(orders[row["id"]]["weight"]) for row in stops)
    if load > float(van["payload"]):
        wrong.append(f"a load of {load}")
    places = [row for row in rows if row["kind"] != "break"]
    is_open = van["end depot"] == "none"
    if places[0]["kind"] != "depot" or is_open != (places[-1] in stops):
        wrong.append("a wrong start or end")
    [(opens, closes)] = windows(van["shift"])
    if seconds(rows[0]["arrival"]) < opens:
        wrong.append(f"a start at {rows[0]['arrival']}")
    if seconds(rows[-1]["departure"]) > closes:
        wrong.append(f"an end at {rows[-1]['departure']}")
    for row in stops:
        order, begin = orders[row["id"]], seconds(row["service_start"])
        if not any(a <= begin <= b for a, b in windows(order["window"])):
            wrong.append(f"{row['id']} served at {row['service_start']}")
        took = seconds(row["departure"]) - begin
        if took < MINUTE * (int(order["service"].split()[0]) - 1):
            wrong.append(f"{row['id']} served for {took} s")
    length, _, when = van["break"].partition(" min ")
    [(first, last)] = windows(when)
    if len(breaks) != 1:
        wrong.append(f"{len(breaks)} breaks")
    for row in breaks:
        begin, end = seconds(row["arrival"]), seconds(row["departure"])
        if not first <= begin <= last or end - begin != MINUTE * int(length):
            wrong.append(f"a break from {begin} to {end}")
    # Between two places a driver travels, and has the breaks that lie there.
    for one, other in pairwise(places):
        between = [
            row
            for row in breaks
            if rows.index(one) < rows.index(row) < rows.index(other)
        ]
        needed = travel(orders[one["id"]], orders[other["id"]])
        needed += MINUTE * int(length) * len(between)
        took = seconds(other["service_start"]) - seconds(one["departure"])
        if took < needed - MINUTE:
            wrong.append(f"{took} s from {one['id']} to {other['id']}")
        wrong += [
            f"a break in the service of {one['id']} or {other['id']}"
            for row in between
            if seconds(row["arrival"]) < seconds(one["departure"])
            or seconds(row["departure"]) > seconds(other["service_start"])
        ]
    return wrong


def beyond_hours(
    orders: dict[str, dict[str, str]], rows: list[dict[str, str]]
) -> list[str]:
    """Return which EU hours of service a route breaks, in words.

    At most 4.5 h of driving without 45 min of rest and 9 h in all; at most 6 h
    of work without a rest, which is 30 min in all beyond 6 h, and 45 beyond 9.
    """
    driven = since = work = stretch = rested = 0.0
    wrong, last = [], None
    for row in rows:
        begin, end = seconds(row["service_start"]), seconds(row["departure"])
        if row["kind"] == "break":
            rested += end - begin
            stretch = 0.0
            since = 0.0 if end - begin >= 45 * MINUTE else since
            continue
        leg = travel(orders[last["id"]], orders[row["id"]]) if last else 0.0
        driven, since = driven + leg, since + leg
        work, stretch = work + leg + end - begin, stretch + leg + end - begin
        last = row
        if since > 4.5 * HOUR + MINUTE or stretch > 6 * HOUR + MINUTE:
            wrong.append(f"no rest up to {row['id']}")
    least = 45 if work > 9 * HOUR else 30 if work > 6 * HOUR else 0
    if driven > 9 * HOUR or rested < least * MINUTE:
        wrong.append(f"{driven} s of driving, {rested} s of rest")
    return wrong


def main(*files: str) -> int:
    """Print what is broken, and return how much."""
    tables = []
    for file in files:
        with open(file, encoding="utf-8", newline="") as lines:
            tables.append(list(csv.DictReader(lines)))
    order_rows, van_rows, plan = tables
    orders = {row["id"]: row for row in order_rows}
    vans = {row["van"]: row for row in van_rows}
    routes = defaultdict(list)
    for row in plan:
        routes[row["vehicle_name"]].append(row)
    wrong = [
        f"{name}: {text}"
        for name, rows in routes.items()
        for text in (
            *broken(orders, vans[name], rows),
            *beyond_hours(orders, rows),
        )
    ]
    served = [row["id"] for row in plan if row["kind"] == "customer"]
    missing = orders.keys() - {order_rows[0]["id"]} - set(served)
    wrong += [f"{name} is not served" for name in sorted(missing)]
    if len(set(served)) < len(served):
        wrong.append("an order is served twice")
    print("\n".join(wrong) or f"{len(served)} orders, {len(routes)} routes")
    return len(wrong)


if __name__ == "__main__":
    sys.exit(min(1, main(*sys.argv[1:])))
