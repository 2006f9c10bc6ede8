"""``ncc-route mcp``: verbs as tools of agents, on the files of a folder."""

import json
import os
from collections.abc import Callable, Mapping
from functools import partial
from glob import escape, glob
from os.path import isfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

import typer

from ncc_route import options, signals
from ncc_route.declared import Stated, params_of, verb
from ncc_route.solve import SOME_UNSERVED
from ncc_routing.core.exceptions import ParameterError
from ncc_routing.serve.params import MEGABYTE, AgentParams

if TYPE_CHECKING:
    from ncc_routing.serve.agents import AgentTool

RunApart = Callable[..., tuple[int, str, str]]
"""What runs the command in a folder: ``app.run_apart``."""

_TABLE: Final = (
    *("vehicles", "capacity", "depot", "matrix", "durations", "speed"),
    *("detour", "time_unit", "day", "in_progress", "columns"),
    "ignore_column",
)
_RUN: Final = ("time_limit", "seed", "objective", "allow_unserved")
_OFFERED: Final = {
    "solve": (*_TABLE, *_RUN, "start", "output", "also"),
    "replan": (*_RUN, "now", "actual", "new_orders_compete", "output", "also"),
    "offer": ("number", "slot", "improve", "now", "take", "output"),
    "explain": ("output",),
    "what-if": (*_RUN, "now", "actual", "output"),
    "check": _TABLE,
    "bound": (*_TABLE, "upper", "time_limit", "prove"),
}
"""Options of each verb that is a tool, which has its arguments too."""

_SECONDS: Final = {
    "solve": 10.0,
    "replan": 10.0,
    "what-if": 1.0,
    "bound": 10.0,
}
"""Time limit of each search that states none."""

_TIMES: Final = ("time_limit", "improve")
_WRITTEN: Final = ("output", "also")
_ROWS: Final = ("changes", "actual", "order")
"""Files that may be given as rows."""

_KINDS: Final[Mapping[str, tuple[str, Any]]] = {
    "int": ("integer", int),
    "float": ("number", (int, float)),
    "boolean": ("boolean", bool),
}
"""Types of options -> those of JSON schema and of Python; others are text."""

_MEANINGS: Final = {
    "instance": "Orders: a table (.csv, .json, .xlsx), or a file of VRPLIB.",
    "changes": "Table of changes (.csv, .json, .xlsx), or its rows: objects "
    "with change (add order, cancel, out of service, late, window or add "
    "vehicle), id, vehicle, and what else an order or a vehicle has.",
    "order": "File with the row of a new order, the row as an object, or the "
    "id of an unserved order.",
    "output": "New file for the plan: .json (or .xlsx) for the other tools, "
    ".csv, .sol, .html.",
}
"""What the help of the shell says otherwise."""

_INSTRUCTIONS: Final = (
    "Vehicle routing on the files of one folder, named relative to it. solve "
    "with an output .json or .xlsx writes the plan that replan, offer, "
    "explain and what_if take. No file is replaced. Answers are those of "
    "ncc-route with --json."
)

FolderArgument = Annotated[
    Path,
    options.argument(
        "FOLDER",
        "Folder whose files the tools may read, and to which they may add.",
        exists=True,
        file_okay=False,
        resolve_path=True,
    ),
]


@verb(stated=params_of(AgentParams, has_file=False))
def mcp(
    context: typer.Context,
    folder: FolderArgument,
    *,
    stated: Stated[AgentParams],
) -> None:
    """Offer verbs to agents as tools: solve, replan, offer, explain and kin.

    It speaks the Model Context Protocol on its standard streams with the
    client that starts it. Files outside the folder are refused.
    """
    from ncc_routing.serve.agents import listen, make_server

    limits = stated.params()
    root: Any = context.find_root()
    tools = tools_of(root.command.commands, root.obj, folder, limits)
    signals.exit_on_signals()  # nothing is lost: the processes end as well
    listen(make_server(tools, limits.time_limit, _INSTRUCTIONS))


def tools_of(
    commands: Mapping[str, Any],
    run_apart: RunApart,
    folder: Path,
    limits: AgentParams,
) -> "list[AgentTool]":
    """Return the tools on a folder, from the verbs by their names."""
    from ncc_routing.serve.agents import AgentTool

    tools = []
    for name, offered in _OFFERED.items():
        command = commands[name]
        call = _Call(
            name,
            {
                _name_of(param): param
                for param in command.params
                if _is_argument(param) or param.name in offered
            },
            folder,
            limits,
        )
        tools.append(
            AgentTool(
                name=name.replace("-", "_"),
                description=command.help,
                schema=call.schema(),
                prepare=call.prepare,
                run=partial(_run, run_apart),
                searches=not call.params.keys().isdisjoint(_TIMES),
            )
        )
    return tools


class _Call(NamedTuple):
    """A verb as a tool: its options by the names that an agent gives them."""

    verb: str
    params: Mapping[str, Any]
    folder: Path
    limits: AgentParams

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the arguments."""
        return {
            "type": "object",
            "properties": {
                name: _schema_of(param) for name, param in self.params.items()
            },
            "required": [
                name for name, param in self.params.items() if param.required
            ],
            "additionalProperties": False,
        }

    def prepare(
        self, given: Mapping[str, object]
    ) -> tuple[Path, tuple[str, ...], dict[str, str]]:
        """Return the folder, what would be typed in it, and further files.

        A file of rows is called by its name after a null.
        """
        typed, last, files = [], [], {}
        stated = {name: x for name, x in given.items() if x is not None}
        if self.verb in _SECONDS:
            seconds = min(_SECONDS[self.verb], self.limits.time_limit)
            stated = {"time_limit": seconds, **stated}
        for name in stated:
            if name not in self.params:
                raise ParameterError(
                    f"{name} is not known; known are {', '.join(self.params)}."
                )
        for name, param in self.params.items():
            value = stated.get(name)
            if name in _ROWS and isinstance(value, (dict, list)):
                files[f"{name}.json"] = self._rows(name, value)
                values = [f"\0{name}.json"]
            else:
                values = self._values(name, param, value)
            for each in values:
                if _is_argument(param):
                    last.append(str(each))
                elif isinstance(each, bool):
                    flags = param.opts if each else param.secondary_opts
                    typed += flags[:1]
                else:
                    typed.append(f"{param.opts[0]}={each}")
        return self.folder, (self.verb, "--json", *typed, "--", *last), files

    def _rows(self, name: str, rows: object) -> str:
        """Return rows as the text of a file."""
        text = json.dumps(rows)
        self._require_small(name, "what is given", len(text))
        return text

    def _values(self, name: str, param: Any, value: object) -> list[Any]:
        """Return what is given for an option, each within the limits."""
        values: list[Any] = [value] if value is not None else []
        if param.multiple and isinstance(value, list):
            values = value
        kind, types = _kind_of(param)
        for each in values:
            if not isinstance(each, types) or (
                isinstance(each, bool) and types is not bool
            ):
                raise ParameterError(
                    f"{name} must be of type {kind}, got {each!r}."
                )
            if name in _TIMES and each > self.limits.time_limit:
                raise ParameterError(
                    f"{name} must be at most {self.limits.time_limit:g}, got "
                    f"{each:g}."
                )
            if isinstance(each, str):
                self._require_inside(name, each)
        return values

    def _require_inside(self, name: str, text: str) -> None:
        """Refuse what names a file out of the folder, or one too large.

        Any text may name a file, and some readers open those of the same stem.
        """
        given, path = Path(text), str(self.folder / text)
        files = [path]
        if "\0" in text or given.is_absolute() or ".." in given.parts:
            files = [os.sep]
        elif os.path.lexists(path):
            files += glob(f"{escape(os.path.splitext(path)[0])}.*")
        reals = [os.path.realpath(file) for file in files]
        if not all(Path(real).is_relative_to(self.folder) for real in reals):
            raise ParameterError(f"{name}: {text!r} is not in the folder.")
        if name == "instance" and os.path.isdir(path):
            raise ParameterError(f"{name}: {text} must be a file.")
        if name in _WRITTEN and os.path.lexists(path):
            raise ParameterError(
                f"{name}: {text} exists, and no file is replaced; choose "
                "another name."
            )
        sizes = [os.path.getsize(real) for real in reals if isfile(real)]
        self._require_small(name, text, max(sizes, default=0))

    def _require_small(self, name: str, text: str, size: int) -> None:
        most = self.limits.max_megabytes
        if size > most * MEGABYTE:
            raise ParameterError(f"{name}: {text} has more than {most:g} MB.")


def _run(
    run_apart: RunApart,
    folder: Path,
    typed: tuple[str, ...],
    files: Mapping[str, str],
) -> tuple[str, str, bool]:
    """Run the command: in a process, with files that are nowhere else."""
    with TemporaryDirectory() as beside:
        for name, text in files.items():
            Path(beside, name).write_text(text, encoding="utf-8")
        home = os.path.join(beside, "")
        words = [each.replace("\0", home) for each in typed]
        code, said, noted = run_apart(folder, words)
    noted = noted.replace(home, "")
    # A wrong solution is an answer of check, with code 1.
    return said, noted, code not in (0, SOME_UNSERVED) and not said


def _schema_of(param: Any) -> dict[str, Any]:
    """Return the JSON schema of an option, with the text of its help."""
    kind, _ = _kind_of(param)
    schema: dict[str, Any] = {"type": kind}
    least = getattr(param.type, "min", None)
    if least is not None:
        schema["minimum"] = least
    if param.multiple:
        schema = {"type": "array", "items": schema}
    name = _name_of(param)
    if name in _ROWS:
        schema["type"] = ["string", "array", "object"]
    meaning = _MEANINGS.get(name, param.help)
    return {**schema, "description": meaning}


def _kind_of(param: Any) -> tuple[str, Any]:
    word = param.type.name.partition(" ")[0]  # "int range"
    return _KINDS.get(word, ("string", str))


def _is_argument(param: Any) -> bool:
    return bool(param.param_type_name == "argument")


def _name_of(param: Any) -> str:
    """Return the name of an option, and of an argument as the help says it."""
    named = param.metavar.strip(".").lower() if _is_argument(param) else ""
    return named or str(param.name)
