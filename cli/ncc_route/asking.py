"""A dialogue about the columns of tables that may matter."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ncc_route.output import ask, say
from ncc_routing.core.exceptions import InstanceError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing.desk.columns import Naming, Question
    from ncc_routing.problems.read_problem import ReadProblem


def require_terminal(wanted: bool) -> bool:
    """Refuse questions that nobody can answer."""
    if wanted and not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise typer.BadParameter(
            "there is no terminal to ask on: answer with --columns and "
            "--ignore-column."
        )
    return wanted


def read_asking(
    read: Callable[[Naming | None], ReadProblem],
    naming: Naming | None,
    path: str | Path,
) -> ReadProblem:
    """Read a table, and ask about its columns until nothing is open.

    The answers are written beside the table, even where it is refused for
    something else.
    """
    from ncc_routing.desk.columns import NO_NAMING, questions_in

    answered: set[tuple[str, str]] = set()
    while True:
        try:
            problem = read(naming)
        except InstanceError as error:
            asked = [
                each
                for each in questions_in(error)
                if (each.source, each.title) not in answered
            ]
            if not asked:
                _write(path, naming, is_needed=bool(answered))
                raise
        else:
            _write(path, naming, is_needed=bool(answered))
            return problem
        for question in asked:
            naming = _answered(question, naming or NO_NAMING)
            answered.add((question.source, question.title))


def _answered(question: Question, naming: Naming) -> Naming:
    """Return what is said about columns with the answer to a question.

    What is answered before is no answer any more.
    """
    title, first = question.title, question.likely[:1]
    question = question._replace(
        likely=[
            each for each in question.likely if each not in naming.columns
        ],
        taken={**question.taken, **naming.columns},
    )
    cost = question.cost if question.likely[:1] == first else ""
    samples = dict.fromkeys(map(str, question.cells))
    lines = [f"{question.source}: {title}: {', '.join([*samples][:3])}"]
    for number, field in enumerate(question.likely, start=1):
        meaning = question.fields[field].meaning.replace("`", "")
        lines.append(f"  {number}  {field}: {meaning}")
    lines.append(f"  i  ignore it{cost and f': {cost}'}")
    say("\n".join(lines), err=True)
    while True:
        answer = ask("Number, field or i")
        if answer.lower() == "i":
            return replace(naming, ignored=(*naming.ignored, title))
        try:
            field = question.field_of(answer)
        except ParameterError as error:
            say(str(error), err=True)
        else:
            return replace(naming, columns={**naming.columns, field: title})


def _write(
    path: str | Path, naming: Naming | None, *, is_needed: bool
) -> None:
    """Write the answers beside the table; an older file stays if wanted."""
    from ncc_routing.core.text_files import write_text
    from ncc_routing.desk.columns import written_naming

    file = Path(path).with_suffix(".columns.toml")
    if not is_needed or naming is None:
        return
    if file.exists() and ask(f"Replace {file}? [y/N]").lower() != "y":
        return
    write_text(file, written_naming(naming))
    say(f"{file}: for --columns, another time.", err=True)
