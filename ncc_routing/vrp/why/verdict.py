"""What makes a problem infeasible, and what looks wrong in it."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.core.exceptions import InfeasibleError
from ncc_routing.vrp.problem import as_instance
from ncc_routing.vrp.why.arcs import Arcs
from ncc_routing.vrp.why.findings import Diagnosis, Finding
from ncc_routing.vrp.why.oddities import find_oddities
from ncc_routing.vrp.why.pairs import find_exclusive
from ncc_routing.vrp.why.reach import (
    find_late_deliveries,
    find_oversized,
    find_unreachable,
)
from ncc_routing.vrp.why.rests import find_idle
from ncc_routing.vrp.why.rules import find_broken_rules
from ncc_routing.vrp.why.shortages import find_overload, find_overwork

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.problem import Problem


def diagnose(problem: Problem) -> Diagnosis:
    """Prove why a problem has no plan, and name values that look wrong.

    No search runs. Fatal findings are proved by arithmetic: customers that no
    vehicle can serve, each with the limit that the best vehicle violates;
    fleets that are too small for loads, times, distances, or customers that do
    not fit into common routes; and route constraints that contradict each
    other or the vehicles. A problem without such a finding may still have no
    plan.

    Parameters
    ----------
    problem
        As for :func:`ncc_routing.solve`.

    Returns
    -------
    Diagnosis
        The findings, the fatal ones first. Warnings are units that do not fit
        together, lengths of a matrix above 1,000 times the median, swapped
        longitudes and latitudes, customers with equal location, demand and
        window, and customers at the location of a depot.

    Raises
    ------
    ParameterError, InstanceError
        If it is not a problem, or breaks a rule of its format.
    """
    instance = as_instance(problem)
    arcs = Arcs(instance)
    idle = (each for each in find_idle(arcs) if not each.is_fatal)
    findings = [*_find_fatal(arcs), *idle, *find_oddities(instance, arcs)]
    return Diagnosis(instance.name, tuple(findings))


def require_possible(
    instance: Instance, *, leaves_out: bool = False, is_roomy: bool = False
) -> tuple[str, ...] | None:
    """Refuse a problem that provably has no plan.

    Of a roomy one, with vehicles for all who need one, sums prove nothing.

    ``InfeasibleError`` has the first finding of :func:`diagnose`, and the
    number of the others; absent are those whom no vehicle can serve. Where the
    plan ``leaves_out`` customers their ids are returned, ``None`` for a
    problem without a finding; in-progress routes must keep their rules.
    """
    findings = _find_fatal(Arcs(instance), is_roomy=is_roomy)
    if not findings:
        return None
    more = len(findings) - 1
    first = findings[0]
    if leaves_out:
        started = (each for each in findings if each.kind == "in_progress")
        first = next(started, first)
    lost = chain(*(each.ids for each in findings if "fleet" not in each.kind))
    if leaves_out and first.kind != "in_progress":
        return tuple(lost)
    text = f"{instance.name}: {first.message}"
    if more > 0:
        text += f" (and {more} more: see diagnose)"
    raise InfeasibleError(f"{text}.", absent=tuple(lost))


def _find_fatal(arcs: Arcs, *, is_roomy: bool = False) -> list[Finding]:
    instance = arcs.instance
    idle = [each for each in find_idle(arcs) if each.is_fatal]
    if idle:
        return idle
    findings = find_oversized(instance) + find_unreachable(instance, arcs)
    findings += find_late_deliveries(instance)
    lost = [customer for each in findings for customer in each.customers]
    # Those are apart from everybody, and of endless work.
    others = np.setdiff1d(arcs.customers, lost)
    findings += find_broken_rules(arcs)
    if is_roomy:
        return findings
    findings += find_overload(instance, arcs.customers)
    findings += find_overwork(instance, arcs, others)
    findings += find_exclusive(instance, arcs, others)
    return findings
