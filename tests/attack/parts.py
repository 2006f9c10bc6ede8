"""The parts of the attack, as data."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ncc_routing.ccp.methods import METHODS as CLUSTER_METHODS
from ncc_routing.vrp.methods import METHODS, POLISHES
from tests.attack.runner import Part

if TYPE_CHECKING:
    from tests.attack.outcomes import Counts

NUM_COSTS: Final = 100 * len(METHODS)
"""Instances of set X and constructions."""

NUM_METHODS: Final = len(METHODS) + len(POLISHES) + len(CLUSTER_METHODS)


def too_many_late(counts: Counts) -> str | None:
    """Return what is wrong where more than one run in a hundred is late."""
    late, runs = counts["late"], counts["timed runs"]
    if 100 * late > runs:
        return f"{late} of {runs} runs overshot by more than 0.1 s + 5 %"
    return None


PARTS: Final = (
    Part(
        "files",
        "damaged files of every form, read and used",
        "tests.attack.files:damage_file",
        share=6.0,
        enough=18_500,
    ),
    Part(
        "commands",
        "damaged command lines",
        "tests.attack.commands:damage_command",
        share=2.0,
        enough=1_700,
    ),
    Part(
        "degenerate",
        "degenerate routing problems, every method and polish",
        "tests.attack.degenerate:solve_degenerate",
        share=3.0,
        enough=400,
    ),
    Part(
        "clusters",
        "degenerate clustering problems, every method and objective",
        "tests.attack.clusters:cluster_degenerate",
        share=2.0,
        enough=150,
    ),
    Part(
        "kills",
        "signals at random moments of every verb that writes",
        "tests.attack.kills:kill_at_random",
        share=4.0,
        enough=155,
        patience=60.0,
    ),
    Part(
        "writes",
        "kills between two writes, and in the middle of one",
        "tests.attack.kills:kill_at_a_write",
        share=2.0,
        enough=75,
        patience=60.0,
    ),
    Part(
        "full disk",
        "writes that fail, of every verb that writes",
        "tests.attack.kills:fill_the_disk",
        share=2.0,
        enough=40,
        patience=60.0,
    ),
    Part(
        "memory",
        "many solves in one process, each method",
        "tests.attack.repeated:solve_often",
        share=3.0,
        patience=120.0,
        most=NUM_METHODS,
    ),
    Part(
        "together",
        "threads and processes at once, against lonely answers",
        "tests.attack.repeated:solve_together",
        share=2.0,
        enough=12,
        patience=120.0,
    ),
    Part(
        "costs",
        "costs by vrplib and PyVRP, every construction on set X",
        "tests.attack.costs:recompute_cost",
        share=3.0,
        patience=300.0,
        enough=NUM_COSTS,
    ),
    Part(
        "limits",
        "random limits of 0.5 to 10 s",
        "tests.attack.limits:keep_limit",
        share=6.0,
        enough=200,
        is_timed=True,
        patience=60.0,
        judge=too_many_late,
    ),
)
"""Every part; the wall-clock time of a machine at rest matters to "limits"
alone."""

BY_PROCESSOR: Final = {
    part.name: replace(
        part,
        what=f"{part.what}, by processor time",
        function="tests.attack.limits:keep_processor_limit",
    )
    for part in PARTS
    if part.name == "limits"
}
"""Parts that can be judged on a machine that others use as well."""
