"""Skills, pins, groups and districts of a table, and begun routes."""

from __future__ import annotations

import logging
from dataclasses import replace
from itertools import chain
from os import PathLike
from typing import TYPE_CHECKING, Any, Final

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.text_files import describe_value
from ncc_routing.io._wording import in_words_of
from ncc_routing.io.plans import read_begun
from ncc_routing.io.vehicles import rule_of_names, types_by_name
from ncc_routing.problems.route_rules import BegunRoute, RouteRules
from ncc_routing.problems.solution import Solution

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np

    from ncc_routing.io.tables import Table
    from ncc_routing.problems.fleet import Fleet
    from ncc_routing.problems.instance import Instance

logger = logging.getLogger(__name__)

_COLUMNS: Final = (
    *("skills", "served_by", "same_route", "different_routes", "district"),
)
"""Columns of the rules of routes; depots have empty cells there."""


def read_rules(
    table: Table,
    is_customer: np.ndarray,
    order: Sequence[int],
    fleet: Fleet | None,
    max_districts: Any,
) -> RouteRules | None:
    """Return the rules that the columns of customers say, if there are any.

    ``order`` are the rows of the nodes. Begun routes stand in another file.
    """
    if max_districts is not None and "district" not in table.columns:
        raise ParameterError(
            f"{table.source}: max_districts needs a column district."
        )
    given = [column for column in _COLUMNS if column in table.columns]
    changes: dict[str, Any] = {}
    types_of = types_by_name(() if fleet is None else fleet.types)
    for column in given:
        names = types_of if column == "served_by" else ()
        words = table.words(column, names)
        for row, found in enumerate(words):
            if found and not is_customer[row]:
                rule = "must be empty, as this is a depot"
                raise table.error(row, column, rule)
        entries = [words[row] for row in order]
        if column == "skills":
            changes["skills"] = entries
        elif column == "served_by":
            types = _pins_of(table, words, types_of)
            changes["vehicles"] = [types[row] or None for row in order]
        elif column == "district":
            # A label is all that its cell says.
            labels = ["|".join(found) for found in entries]
            known = [label for label in dict.fromkeys(labels) if label]
            changes["districts"] = [
                known.index(label) if label else -1 for label in labels
            ]
            changes["max_districts"] = max_districts
            if max_districts is None:
                title = table.titles.get(column, column)
                logger.warning(
                    "%s: column %s limits nothing without max_districts.",
                    table.source,
                    title,
                )
        else:
            changes[column] = _groups_of(entries)
    with in_words_of(table.source):
        rules = RouteRules(**changes)
    _say_split_skills(table, rules, fleet)
    has_districts = max(rules.districts, default=-1) >= 0
    return rules if rules.features or has_districts else None


def _say_split_skills(
    table: Table, rules: RouteRules, fleet: Fleet | None
) -> None:
    """Warn once where a vehicle has the words of a skill, and not the skill.

    A single word such as "lift" may be part of another skill.
    """
    types = () if fleet is None else fleet.types
    known = set(chain.from_iterable(kind.skills for kind in types))
    for skill in sorted(set(chain.from_iterable(rules.skills))):
        if skill in known and " " not in skill:
            continue
        for kind in types:
            owned = set(" ".join(kind.skills).split())
            if skill not in kind.skills and owned.issuperset(skill.split()):
                logger.warning(
                    "%s: skill %s is no skill of vehicle %s, which has its "
                    "words in others: ; , and | separate skills, not blanks.",
                    *(table.source, skill, kind.name or "without a name"),
                )
                return


def _pins_of(
    table: Table,
    words: Sequence[Sequence[str]],
    types_of: Mapping[str, Sequence[int]],
) -> list[list[int]]:
    """Return the vehicle types that the cells of customers name."""
    found = []
    for row, names in enumerate(words):
        for name in names:
            if name not in types_of:
                raise table.error(row, "served_by", rule_of_names(types_of))
        found.append([idx for name in names for idx in types_of[name]])
    return found


def _groups_of(
    labels: Sequence[Sequence[str]],
) -> list[tuple[int, ...]]:
    """Return the nodes that have a label in common, for each label."""
    groups: dict[str, list[int]] = {}
    for node, own in enumerate(labels):
        for label in dict.fromkeys(own):
            groups.setdefault(label, []).append(node)
    return [tuple(group) for group in groups.values()]


def with_begun(instance: Instance, begun: object) -> Instance:
    """Return the instance with the beginnings of routes.

    Parameters
    ----------
    instance
        The instance; its own begun routes are replaced.
    begun
        A file that ``read_begun`` reads, a ``Solution``, or a list of
        ``BegunRoute``. Empty routes count as not begun.

    Raises
    ------
    InstanceError
        If the file is wrong, or a route reloads or does not suit the
        instance.
    ParameterError
        If it is none of these.
    """
    source: object = "begun"
    if isinstance(begun, str | PathLike):
        source = begun
        found = read_begun(begun, instance)
    elif isinstance(begun, Solution):
        driven = zip(begun.vehicle_types, begun.routes, strict=True)
        with in_words_of(source):
            found = tuple(BegunRoute(*each) for each in driven if each[1])
    elif isinstance(begun, list | tuple) and all(
        isinstance(one, BegunRoute) for one in begun
    ):
        found = tuple(begun)
    else:
        raise ParameterError(
            "begun must be a file of routes, a Solution, or a list of "
            f"BegunRoute, got {describe_value(begun)}."
        )
    with in_words_of(source):
        rules = replace(instance.rules or RouteRules(), begun=found)
        return replace(instance, rules=rules)
