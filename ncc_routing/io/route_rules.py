"""Skills, pins, groups and districts of a table, and begun routes."""

from __future__ import annotations

import logging
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.text_files import describe_value
from ncc_routing.io._wording import in_words_of
from ncc_routing.io.plans import read_begun
from ncc_routing.problems.route_rules import BegunRoute, RouteRules
from ncc_routing.problems.solution import Solution

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance

logger = logging.getLogger(__name__)


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
