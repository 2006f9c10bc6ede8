"""Options that several verbs take, made from fields of dataclasses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Generic, NamedTuple, TypeVar

import typer

from ncc_route.options import (
    completing,
    file,
    jobs,
    one_of,
    positive_seconds,
    was_typed,
)
from ncc_routing.core.params import bounds_of, build_params, options_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

Params = TypeVar("Params")

_CHECKS: dict[str, Callable[..., Any]] = {
    "time_limit": positive_seconds,
    "jobs": jobs,
}
"""What the shell requires of a parameter, where it has words of its own."""

_TYPES: dict[str, type] = {"int": int, "float": float, "bool": bool}


class Group(NamedTuple):
    """Options that a verb has in place of one of its arguments.

    ``make`` returns the argument from the options that were given, by name,
    and the context.
    """

    options: tuple[Parameter, ...]
    make: Callable[[dict[str, Any], typer.Context], object]


def verb(
    **groups: Group,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that gives a verb the options of its groups."""

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        shape = signature(function)
        declared: dict[str, Parameter] = {
            "context": parameter("context", typer.Context)
        }
        for name, each in shape.parameters.items():
            for one in groups[name].options if name in groups else (each,):
                declared[one.name] = one.replace(kind=Parameter.KEYWORD_ONLY)

        @wraps(function)
        def run(context: typer.Context, **values: Any) -> None:
            for name, group in groups.items():
                given = {one.name: values.pop(one.name) for one in group[0]}
                values[name] = group.make(given, context)
            if "context" in shape.parameters:
                values["context"] = context
            function(**values)

        run.__signature__ = shape.replace(  # type: ignore[attr-defined]
            parameters=[*declared.values()]
        )
        run.__annotations__ = {
            name: each.annotation for name, each in declared.items()
        }
        return run

    return decorate


def parameter(
    name: str, annotation: object, default: object = Parameter.empty
) -> Parameter:
    """Return a parameter of a verb, which is an option."""
    return Parameter(
        name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation
    )


def option(
    kind: Any, name: str, changes: Mapping[str, str] | None = None
) -> Parameter:
    """Return the option that a field of a dataclass stands for."""
    changes = changes or {}
    field = kind.__dataclass_fields__[name]
    declared = options_of(kind)[name]
    flag = changes.get("flag", "--" + name.replace("_", "-"))
    shown: str | bool | None = changes.get("shown", declared.shown)
    is_file = declared.metavar == "FILE"
    annotation: Any = _TYPES.get(field.type.split(" | ")[0], str)
    annotation = Path if is_file else annotation
    if field.default is None:
        annotation = annotation | None
    check, least = _CHECKS.get(name), None
    if check is None and declared.names:
        check = one_of(declared.names)
    elif check is None and name in bounds_of(kind):
        low, _, also = bounds_of(kind)[name]
        least = low if also is None else min(low, also)
    info = typer.Option(
        flag,
        metavar=declared.metavar,
        callback=check,
        autocompletion=completing(declared.names) if declared.names else None,
        min=least,
        help=changes.get("help", declared.help),
        show_default=shown or field.default is not None,
    )
    name = flag.partition("/")[0].strip("-").replace("-", "_")
    return parameter(name, Annotated[annotation, info], field.default)


@dataclass(frozen=True)
class Stated(Generic[Params]):
    """What a user states: typed options, over the file of ``--params``.

    ``source`` is the name of that file, for messages.
    """

    kind: type[Params]
    values: Mapping[str, object]
    source: str = ""

    def params(self, **more: object) -> Params:
        """Return the parameters, with some more set."""
        return build_params(self.kind, {**self.values, **more}, self.source)


_FILE = parameter(
    "params",
    Annotated[
        Path | None,
        file(
            "--params",
            "TOML file with parameters, one table per algorithm. "
            "Options take precedence.",
        ),
    ],
    None,
)


def params_of(
    kind: type,
    only: Iterable[str] | None = None,
    *,
    has_file: bool = True,
    **changes: Mapping[str, str],
) -> Group:
    """Return the options of parameters, which a verb gets as ``Stated``.

    ``only`` names the fields on offer; ``changes`` gives a field another
    "flag", "help" or "shown".
    """
    names = options_of(kind) if only is None else only
    made = {name: option(kind, name, changes.get(name)) for name in names}

    def make(given: dict[str, Any], context: typer.Context) -> object:
        source, stated = given.get("params"), {}
        if source is not None:
            # Imported here: a help text needs no reader.
            from ncc_routing.io.toml import read_params

            stated = read_params(source)
        for name, each in made.items():
            if was_typed(context, each.name):
                stated[name] = given[each.name]
        return Stated(kind, stated, str(source or ""))

    return Group((*made.values(), *[_FILE][:has_file]), make)
