"""Write the options of every verb into their page: ``make tables``.

Read off the application itself, so that no option can be missing. A verb
without a place on the page gets one at its end.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from ncc_route.app import app

PAGE = Path(__file__).parent / "reference" / "command_line.md"
BEGIN, END = "<!-- options of {}: begin -->", "<!-- options of {}: end -->"
PROGRAM = "ncc-route"


def commands() -> dict[str, Any]:
    """Return the command and its verbs by what is typed for them.

    The command itself comes first, as "ncc-route"; a verb of a verb is
    "instances get".
    """
    found: dict[str, Any] = {}

    def add(name: str, command: Any) -> None:
        found[name or PROGRAM] = command
        for verb, below in getattr(command, "commands", {}).items():
            if not below.hidden:
                add(f"{name} {verb}".strip(), below)

    add("", typer.main.get_command(app))
    return found


def usage(name: str, command: Any) -> str:
    """Return one line: the verb, its arguments, and where options go."""
    words = [PROGRAM] if name == PROGRAM else [PROGRAM, *name.split()]
    for param in command.params:
        if param.param_type_name == "argument":
            words.append(_metavar(param))
        elif param.required:
            words.append(f"{param.opts[0]} {_metavar(param)}")
    if any(
        param.param_type_name == "option" and not param.required
        for param in command.params
    ):
        words.append("[OPTIONS]")
    return " ".join([*words, *["VERB ..."][: name == PROGRAM]])


def table(command: Any) -> str:
    """Return arguments and options as a table: name, meaning, default."""
    rows = ["| option | meaning | default |", "| --- | --- | --- |"]
    for param in command.params:
        if not getattr(param, "hidden", False):
            cells = (_names(param), param.help or "", _default(param))
            escaped = [cell.replace("|", "\\|") for cell in cells]
            rows.append(f"| {' | '.join(escaped)} |")
    return "\n".join(rows)


def section(name: str, command: Any) -> str:
    """Return what stands between the marks of a verb."""
    said = f"```text\n{usage(name, command)}\n```"
    return f"{said}\n\n{table(command)}" if command.params else said


def filled(text: str) -> str:
    """Return the text of the page with today's options between its marks."""
    for name, command in commands().items():
        begin, end = BEGIN.format(name), END.format(name)
        if begin not in text:
            lead = (command.help or "").strip()
            text = f"{text.rstrip()}\n\n## {name}\n\n{lead}\n\n{begin}{end}\n"
        head, rest = text.split(begin)
        tail = rest.split(end)[1]
        text = f"{head}{begin}\n\n{section(name, command)}\n\n{end}{tail}"
    return text


def _metavar(param: Any) -> str:
    return str(param.metavar or param.name.upper())


def _names(param: Any) -> str:
    """Return how a parameter is typed, longest name first."""
    if param.param_type_name == "argument":
        return f"`{_metavar(param)}`"

    value = "" if param.is_flag else f" {_metavar(param)}"
    first, *others = sorted(param.opts, key=len, reverse=True)
    names = [f"{first}{value}", *others, *param.secondary_opts]
    return ", ".join(f"`{name}`" for name in names)


def _default(param: Any) -> str:
    """Return the default as the help says it."""
    if param.required:
        return "required"
    if isinstance(param.show_default, str):
        return param.show_default
    if param.default is None or isinstance(param.default, bool):
        return "on" if param.default else "-"
    if isinstance(param.default, tuple | list):
        return " ".join(f"`{value}`" for value in param.default) or "-"
    return f"`{param.default}`"


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text("utf-8")), encoding="utf-8")
