"""What a step of a stranger's walk is, and rules for what it leaves behind."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from textwrap import dedent
from typing import Any

OK, FAILS, NOT_HERE = "ok", "FAILS", "not here"


@dataclass(frozen=True)
class Seen:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def answer(self) -> dict[str, Any]:
        """The JSON object on standard output."""
        return dict(json.loads(self.out))

    @property
    def tail(self) -> str:
        """The last line of what was printed, and the code if it is not 0."""
        lines = (self.out.strip() or self.err.strip()).splitlines() or ["-"]
        return lines[-1] if self.code == 0 else f"[{self.code}] {lines[-1]}"


Judgement = tuple[bool, str]
Rule = Callable[[Seen], Judgement]

SEEN: dict[str, Seen] = {}
"""What the steps so far have left behind, by what they were about."""


@dataclass(frozen=True)
class Step:
    """One thing that a stranger tries.

    Parameters
    ----------
    item
        Number of the promise that it belongs to (ITEMS).
    what
        What is tried, in words; no two are the same.
    command
        What is typed, into bash or into Python.
    rule
        Says whether what was seen is right, and what to print of it.
    most
        Seconds that the whole process may take. Default: any.
    language
        "sh" or "python".
    """

    item: int
    what: str
    command: str
    rule: Rule
    most: float | None = None
    language: str = "sh"


def python(item: int, what: str, code: str) -> Step:
    """Return a step in Python: its assertions hold, its last line is seen."""
    return Step(item, what, dedent(code).strip(), prints(), None, "python")


def prints(*texts: str, code: int = 0) -> Rule:
    """Demand an exit code, and texts anywhere in what was printed."""

    def rule(seen: Seen) -> Judgement:
        both = seen.out + seen.err
        found = all(text in both for text in texts)
        lines = [n for n in both.splitlines() if texts and texts[0] in n]
        shown = lines[0] if lines and found else seen.tail
        return seen.code == code and found, shown

    return rule


def refuses(*texts: str, code: int = 1) -> Rule:
    """Demand one line on stderr, nothing on stdout, and an exit code."""

    def rule(seen: Seen) -> Judgement:
        lines = seen.err.splitlines()
        fine = len(lines) == 1 and all(text in lines[0] for text in texts)
        return fine and seen.code == code and not seen.out, seen.err

    return rule


def solves(
    most: float,
    least: float = 0.0,
    gap: float = 100.0,
    below: float = -100.0,
) -> Rule:
    """Bound the reported seconds, and the gap in percent on both sides."""

    def rule(seen: Seen) -> Judgement:
        answer = seen.answer
        seconds, over = answer["runtime_seconds"], answer["gap_percent"]
        fine = least <= seconds <= most and below <= over <= gap
        return fine and answer["feasible"], _say(answer)

    return rule


def beats(other: str, points: float, most: float = 100.0) -> Rule:
    """Demand a gap at most so many points over that of another step."""

    def rule(seen: Seen) -> Judgement:
        return _compare(seen, seen, SEEN[other], points, most)

    return rule


def beaten_by(other: str, points: float) -> Rule:
    """Demand that another step is at most so many points over this one."""

    def rule(seen: Seen) -> Judgement:
        return _compare(seen, SEEN[other], seen, points, 1e9)

    return rule


def _compare(
    seen: Seen, mine: Seen, yours: Seen, points: float, most: float
) -> Judgement:
    """Compare two gaps, and bound the seconds of what was seen."""
    answer = seen.answer
    over = mine.answer["gap_percent"] - yours.answer["gap_percent"]
    fine = over <= points and answer["runtime_seconds"] <= most
    return fine, f"{_say(answer)}"


def _say(answer: dict[str, Any]) -> str:
    return (
        f"{answer['method']} + {answer['polish']}: {answer['cost']}, "
        f"{answer['gap_percent']:.2f} %, {answer['runtime_seconds']:.2f} s"
    )


def compiles(inner: Rule, times: int = 1) -> Rule:
    """Demand that compilation is announced so many times, and a rule."""

    def rule(seen: Seen) -> Judgement:
        fine, text = inner(seen)
        told = seen.err.count("compiling kernels")
        return fine and told == times, f"{text}; compilation told {told} x"

    return rule


def fetches(seen: Seen) -> Judgement:
    """Demand the file; one clear line is all to be had off line."""
    if "no connection" in seen.err and len(seen.err.splitlines()) == 1:
        return True, f"{NOT_HERE}: {seen.err}"
    return seen.code == 0, seen.tail
