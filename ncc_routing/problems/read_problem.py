"""What a reader returns: a problem, and what its form says of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.solution import Solution


class ReadProblem(NamedTuple):
    """A problem, and what its form says of a run.

    ``leaves_out`` is whether the form is one of orders of which some may stay
    out. ``start`` are routes to start from, ``None`` without any.
    """

    instance: Instance
    leaves_out: bool = False
    start: Solution | None = None
