"""Write the figures of sentences from records and code: ``make tables``.

A figure with a unit is made here, or stands in ``STATED``. The tables between
marks have their own scripts. The tests find any other figure in a page.
"""

from __future__ import annotations

import re
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, Final

from ncc_routing.bench.row_files import read_rows
from ncc_routing.generators.days import RECURRING
from ncc_routing.vrp.days import MAX_EXTRA_COST
from ncc_routing.vrp.plan import MOST_SECONDS, SEARCH_SHARE
from ncc_routing.vrp.preferences.compactness import RADIAL_SHARE
from ncc_routing.vrp.search import plan
from ncc_routing.vrp.search.iterated import IteratedParams
from ncc_routing.vrp.search.ruin_recreate_params import RuinRecreateParams
from readme_figures import RECORDS, gap

if TYPE_CHECKING:
    from collections.abc import Iterator

Filled = tuple[str, list[str]]
"""A sentence with a gap for each number, and the numbers."""

DOCS: Final = Path(__file__).parent

STATED: Final = {
    # What an experiment was told.
    "benchmarks/clusters.md": ("n / 50 seconds", "more than 0.1 s + 5 % over"),
    "benchmarks/index.md": (
        "at 1 and 10 s",
        "at 60 s with two seeds and at 240 s",
        "after 30 s",
        "n / 50 seconds",
        "for 1,000, s",  # a heading
        "published gaps are 14 to 20 %",  # the paper's
    ),
    "benchmarks/routes.md": (
        "1, 10, 60 and 240 s",
        "with 3 s",
        "plan in 10 s",
        # CVRPLIB's, of two hours.
        *("AILS-II 0.15 %", "FILO2 0.27 %", "FILO 0.32 %"),
        *("SISRs 0.58 %", "KGLS-XXL 0.95 %", "HGS-CVRP 1.33 %"),
    ),
    "benchmarks/size.md": (
        *("after 30 s", "of 3 s", "more than 300 ms"),
        *("more than 0.3 s", "(0.45 s with", "more than 1.5 s"),
    ),
    "benchmarks/warm_starts.md": (
        "gives 80 % of its budget",
        "less than 85 % of a core",
        "at 20 s but not at 60 s",
    ),
    # What others publish: the page names the sources.
    "start/why.md": (
        "4 to 40 min",
        "76 s, 801 s",
        "15 min",
        "1.63 % in 0.36 s",
        "publish 0.15 % and 0.27 % after",
    ),
    # What the tests of time limits hold.
    "reference/promises.md": ("at most 0.1 s plus 5 %",),
}
"""Figures that are no results of this package, by page."""

MOST_OF_A_SMALL_ONE: Final = 1_000
"""Customers of a problem that takes no time to read."""

LEAST_OF_A_LONG_ROUTE: Final = 30

UNIT = re.compile(
    r"(?<![\w.])\d[\d,.]*\s*(?:%|"
    r"(?:bytes|[kKMG]i?B|m?s|min|minutes?|seconds?|percent)\b)"
    r"|\d\.\d+\s+(?:points|times)\b"
    r"|\d[\d,.]*\s+of\s+\d[\d,]*\s+problems\b"
)
NOT_PROSE = re.compile(
    r"<!-- begin (\w+) -->.*?<!-- end \1 -->"
    r"|<!-- ([\w ]+): begin -->.*?<!-- \2: end -->"
    r"|^(`{3,}|:{3,}).*?^\3$"
    r"|`[^`]*`",
    re.DOTALL | re.MULTILINE,
)


def figures() -> dict[str, list[Filled]]:
    """Return sentences with gaps, and what belongs there, by page."""
    made = from_records()
    for page, sentences in from_code().items():
        made[page] = made.get(page, []) + sentences
    return made


def from_records() -> dict[str, list[Filled]]:
    """Return the sentences that tell results."""
    growth = read_rows(RECORDS / "ccp" / "growth.csv")
    largest = max(growth, key=lambda row: int(row["num_points"]))
    part = read_rows(RECORDS / "dask_cluster.csv")[0]
    full, small = (
        [
            int(row[column])
            for row in read_rows(RECORDS / f"{table}.csv")
            if row["has_plan"] in {"1", "yes"}
        ]
        for table, column in (
            ("full_problems", "is_optimal"),
            ("small_problems", "is_cheapest"),
        )
    )
    return {
        "benchmarks/clusters.md": [
            (
                "is {} % for `ckm` and {} % for GB21",
                [gap("ccp/cpmp", method=name) for name in ("ckm", "gb21")],
            ),
            (
                "take {} s and {} MB",
                [f"{float(largest['seconds']):.0f}", largest["peak_mb"]],
            ),
        ],
        "benchmarks/routes.md": [
            (
                "The gap falls from {} to {} %",
                [f"{float(gap(f'x_{s}s')):.1f}" for s in (1, 240)],
            ),
            (
                "The network removes {} % of the extra cost",
                [gain_of_the_scorer()],
            ),
            (
                "find the optimum of {} % of the problems",
                [f"{100.0 * mean(full):.1f}"],
            ),
            (
                "find the optimum of {} of {} problems",
                [f"{sum(small):,}", f"{len(small):,}"],
            ),
        ],
        "benchmarks/size.md": [
            (
                "{} bytes per customer are sent",
                [f"{float(part['bytes_a_customer']):.0f}"],
            )
        ],
        "concepts/clusters.md": [
            (
                "has a gap of {} % after a second, `ckm` {} % after five",
                [gap("x_1s"), gap("scorer_x", method="ckm", budget="5.0")],
            )
        ],
        "reference/promises.md": [
            ("start of the program ({} s)", [start_of_the_program()])
        ],
        "start/why.md": [
            (
                "On AGS, the gap after 120 s is {} % with {} to {} customers "
                "on a route, and {} % with {} to {}.",
                gaps_by_length(),
            ),
            (
                "On 25 instances of XL, the gap after ten minutes is {} %;",
                [gap("xl_600s")],
            ),
            (
                "30 s on two cores improve the first routes by {} %",
                [gain_of_the_largest()],
            ),
        ],
        "tutorials/compact_and_consistent.md": [
            (
                "`compactness=1` costs {} % with time windows, and {} % on X",
                [
                    extra_cost(
                        "compactness_windows", "compactness", set="VRPTW"
                    ),
                    extra_cost("compactness_x", "compactness"),
                ],
            ),
            (
                "it costs {} % on CVRPs, and {} % with time windows",
                [
                    extra_cost(table, "stay")
                    for table in ("steadiness", "steadiness_windows")
                ],
            ),
        ],
        "tutorials/own_scorer.md": [
            ("it removes {} % of the extra cost", [gain_of_the_scorer()])
        ],
        "tutorials/thirty_thousand.md": [
            (
                "A part of 10,000 customers is {} MB",
                [f"{float(part['part_bytes']) / 1e6:.0f}"],
            )
        ],
    }


def start_of_the_program() -> str:
    """Return the seconds of a process outside of its work."""
    rows = read_rows(RECORDS / "time_limit.csv")
    return "{:.1f}".format(
        mean(
            float(row["process_seconds"]) - float(row["work_seconds"])
            for row in rows
            if int(row["num_customers"]) <= MOST_OF_A_SMALL_ONE
        )
    )


def gaps_by_length() -> list[str]:
    """Return gap and customers of a route, where it is long and short."""
    found = []
    rows = [
        (int(row["num_customers"]) / int(row["num_routes"]), row)
        for row in read_rows(RECORDS / "peers_ags.csv")
        if row["solver"] == "ncc_routing"
    ]
    for is_long in (True, False):
        own = [
            (size, float(row["gap_percent"]))
            for size, row in rows
            if (size > LEAST_OF_A_LONG_ROUTE) == is_long
        ]
        sizes, gaps = zip(*own, strict=True)
        found += [f"{mean(gaps):.2f}"]
        found += [f"{each(sizes):.0f}" for each in (min, max)]
    return found


def gain_of_the_largest() -> str:
    """Return how many percent the largest first routes become better."""
    rows = read_rows(RECORDS / "large.csv")
    size = max(int(row["num_customers"]) for row in rows)
    row = next(
        row
        for row in rows
        if row["run"] == "polished" and int(row["num_customers"]) == size
    )
    first = float(row["construction_cost"])
    return f"{100.0 * (1.0 - float(row['cost']) / first):.1f}"


def extra_cost(table: str, weight: str, **chosen: str) -> str:
    """Return how many percent the weight 1 of a preference costs.

    Only the rows with the values ``chosen`` count.
    """
    key = ("instance", "seed", "milliseconds", "seconds")
    costs = {
        (*(row.get(name) for name in key), float(row[weight])): float(
            row["cost"]
        )
        for row in read_rows(RECORDS / f"{table}.csv")
        if all(row[name] == value for name, value in chosen.items())
    }
    return "{:.1f}".format(
        mean(
            100.0 * (cost / costs[(*run, 0.0)] - 1.0)
            for (*run, one), cost in costs.items()
            if one == 1.0
        )
    )


def gain_of_the_scorer() -> str:
    """Return what percentage of the loss by a river a scorer removes."""
    with_scorer, without = (
        float(gap("learned_places", scorer=name))
        for name in ("network", "none")
    )
    return f"{100.0 * (1.0 - with_scorer / without):.0f}"


def from_code() -> dict[str, list[Filled]]:
    """Return the sentences that tell what the code is told."""
    params = RuinRecreateParams()
    iterated = IteratedParams()
    server = (DOCS / "tutorials" / "server.py").read_text("utf-8")
    return {
        "concepts/search.md": [
            (
                "from {} to {} times the mean edge",
                [f"{params.start_temperature}", f"{params.end_temperature}"],
            ),
            (
                "from the routes before by {} edges, and by {} at the end",
                [
                    f"{iterated.start_distance:g}",
                    f"{iterated.end_distance:g}",
                ],
            ),
            ("to its {} nearest neighbours", [f"{iterated.num_near}"]),
            ("mean cost of the last {} iterations", [f"{iterated.window}"]),
            (
                "in {} % of the iterations",
                [f"{100 * iterated.partner_share:g}"],
            ),
            ("end at {} % of the cooling", [f"{100 * plan.COOLED:g}"]),
            ("begins at {} % of its schedule", [f"{100 * plan.WARM:g}"]),
            (
                "as have {} ms for each customer",
                [f"{1e3 * plan.START_SECONDS_PER_CUSTOMER:g}"],
            ),
            (
                "with at least {} ms for each",
                [f"{1e3 * plan.WHOLE_SECONDS_PER_CUSTOMER:g}"],
            ),
            (
                "if each has {} ms for each customer",
                [f"{1e3 * plan.RESTART_SECONDS_PER_CUSTOMER:g}"],
            ),
            ("from the depot count {} times", [f"{RADIAL_SHARE:g}"]),
            (
                "makes the start for {} % of the time",
                [f"{100 * SEARCH_SHARE:g}"],
            ),
        ],
        "start/faq.md": [("up to {} s", [f"{MOST_SECONDS:g}"])],
        "tutorials/compact_and_consistent.md": [
            (
                "With {} % of the customers in common",
                [f"{100 * RECURRING:g}"],
            ),
            (
                "`max_extra_cost` more, {} % by default",
                [f"{100 * MAX_EXTRA_COST:g}"],
            ),
        ],
        "tutorials/server.md": [
            (
                "search ends after {} s",
                re.findall(r"^SECONDS, PROCESSES = ([\d.]+),", server, re.M),
            )
        ],
    }


def in_text(sentence: str) -> re.Pattern[str]:
    """Return what finds a sentence with any numbers in its gaps."""
    words = map(re.escape, sentence.split())
    return re.compile(r"\s+".join(words).replace(r"\{\}", r"([\d.,]*\d)"))


def filled(text: str, made: list[Filled]) -> str:
    """Return a page with today's figures in its sentences.

    Raises
    ------
    ValueError
        If a sentence is not on the page, or more than once.
    """
    for sentence, values in made:
        matches = [*in_text(sentence).finditer(text)]
        if len(matches) != 1:
            raise ValueError(f"{len(matches)} times on the page: {sentence}")
        for number, value in reversed([*enumerate(values, 1)]):
            begin, end = matches[0].span(number)
            text = text[:begin] + value + text[end:]
    return text


def unfounded(text: str, founded: list[str]) -> Iterator[str]:
    """Yield the figures of a page that are in none of its sentences."""
    prose = NOT_PROSE.sub(lambda match: " " * len(match[0]), text)
    spans = [
        match.span()
        for sentence in founded
        for match in in_text(sentence).finditer(text)
    ]
    for match in UNIT.finditer(prose):
        begin, end = match.span()
        if not any(first <= begin and end <= last for first, last in spans):
            yield match[0]


if __name__ == "__main__":
    for name, sentences in figures().items():
        page = DOCS / name
        page.write_text(
            filled(page.read_text("utf-8"), sentences), encoding="utf-8"
        )
