"""What a diagnosis finds, as data."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from ncc_routing.problems.constraints import FINDING, say
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ncc_routing.problems.instance import Instance

_MOST_LINES: Final = 10
"""Lines of findings of one kind."""

MOST_NAMED: Final = 5
"""Customers that a message names."""


@dataclass(frozen=True)
class Finding:
    """A reason for infeasibility, or a suspicious value.

    Parameters
    ----------
    kind
        For a customer that no vehicle can serve, the violated limit: "demand",
        "arc" (no path there or back), "start", "release", "window", "return",
        "shift", "break", "distance" or "driving"; "group" for several
        customers without a path. For a fleet that is too small: "fleet-load",
        "fleet-stops", "fleet-time", "fleet-distance" or "fleet-pairs";
        "fleet-break" for breaks that do not fit into a shift, a warning for
        some vehicles. For route constraints: "skill" or "pin" (no vehicle may
        serve a customer), "together" (customers cannot share a route) or
        "in_progress". For a warning: "units", "lengths" (far above the
        others), "swapped", "duplicate" or "at-depot".
    is_fatal
        Whether it proves infeasibility.
    message
        The rule, the customers and the values in words.
    customers
        The customers concerned, by number. Default: none in particular.
    ids
        Their ids, or their numbers as texts.
    numbers
        The values by name, in the units of the instance. Default: none.
    """

    kind: str
    is_fatal: bool
    message: str
    customers: tuple[int, ...] = ()
    ids: tuple[str, ...] = ()
    numbers: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Diagnosis:
    """Findings about a problem: a sequence, empty if there are none.

    It is true if there is any finding, even a warning; ``fatal`` is empty if
    nothing rules out a plan. ``str`` has a line for each finding, at most ten
    of a kind.

    Parameters
    ----------
    name
        Name of the instance.
    findings
        The fatal ones first, then the warnings.
    """

    name: str
    findings: tuple[Finding, ...]

    @property
    def fatal(self) -> tuple[Finding, ...]:
        """The findings that prove infeasibility."""
        return tuple(each for each in self.findings if each.is_fatal)

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """The findings that only look wrong."""
        return tuple(each for each in self.findings if not each.is_fatal)

    def __len__(self) -> int:
        """Return the number of findings."""
        return len(self.findings)

    def __iter__(self) -> Iterator[Finding]:
        """Return an iterator over the findings."""
        return iter(self.findings)

    def __getitem__(self, place: int) -> Finding:
        """Return a finding by its place."""
        return self.findings[place]

    def __str__(self) -> str:
        """Return a line for each finding, for a person."""
        lines = []
        for kind, number in Counter(each.kind for each in self).items():
            same = [each for each in self if each.kind == kind]
            sign = "" if same[0].is_fatal else "warning: "
            lines += [f"{sign}{each.message}" for each in same[:_MOST_LINES]]
            if number > _MOST_LINES:
                lines.append(f"{sign}{number - _MOST_LINES} more such cases")
        return "\n".join(f"{self.name}: {line}." for line in lines) or (
            f"{self.name}: nothing found."
        )

    def to_json(self) -> str:
        """Return everything as JSON text: one object."""
        content = {
            "instance": self.name,
            "feasible": False if self.fatal else None,
            "findings": [asdict(each) for each in self.findings],
        }
        return json.dumps(content, allow_nan=False)


def finding(
    instance: Instance,
    kind: str,
    message: str,
    customers: Iterable[int] = (),
    numbers: Mapping[str, float] | None = None,
    *,
    is_fatal: bool = True,
) -> Finding:
    """Return a finding; numbers that stand for no limit are left out."""
    about = tuple(map(int, customers))
    return Finding(
        kind,
        is_fatal,
        message,
        about,
        tuple(instance.node_ids[node] for node in about),
        {
            name: int(number) if float(number).is_integer() else float(number)
            for name, number in (numbers or {}).items()
            if abs(number) < NO_LIMIT
        },
    )


def proof(
    instance: Instance,
    kind: str,
    words: tuple[str, str],
    customers: Iterable[int] = (),
    numbers: Mapping[str, float] | None = None,
    *,
    values: Mapping[str, Any] = MappingProxyType({}),
    is_fatal: bool = True,
) -> Finding:
    """Return a finding in words about a constraint: its name and a variant.

    Their values are the numbers, and others.
    """
    of = {**(numbers or {}), **values}
    text = say(instance, words[0], FINDING, words[1], **of)
    return finding(instance, kind, text, customers, numbers, is_fatal=is_fatal)


def listed(instance: Instance, customers: Sequence[int]) -> str:
    """Return customers in words, the first few of many."""
    named = map(instance.describe_node, customers[:MOST_NAMED])
    more = len(customers) - MOST_NAMED
    return ", ".join(named) + (f" and {more} more" if more > 0 else "")
