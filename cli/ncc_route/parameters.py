"""Options made of the parameters of an algorithm."""

from __future__ import annotations

from dataclasses import dataclass
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar

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


_CHECKS: dict[str, Callable[..., Any]] = {
    "time_limit": positive_seconds,
    "jobs": jobs,
}
"""What the shell requires of a parameter, where it has words of its own."""

_TYPES: dict[str, type] = {"int": int, "float": float, "str": str}

_PARAMS = Parameter(
    "params",
    Parameter.KEYWORD_ONLY,
    default=None,
    annotation=Annotated[
        Path | None,
        file(
            "--params",
            "TOML file with parameters, one table per algorithm. "
            "Options take precedence.",
        ),
    ],
)


def taking(
    kind: type,
    only: Iterable[str] | None = None,
    *,
    has_file: bool = True,
    **changes: Mapping[str, str],
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that gives a verb the options of parameters.

    They replace the argument ``stated``, a ``Stated`` of ``kind``. ``only``
    names the fields on offer; ``changes`` gives a field another "flag", "help"
    or "shown".
    """
    names = options_of(kind) if only is None else only
    made = {name: _made(kind, name, changes.get(name, {})) for name in names}

    def decorate(verb: Callable[..., None]) -> Callable[..., None]:
        own = dict(signature(verb).parameters)
        wants_context = "context" in own
        context = Parameter(
            "context", Parameter.KEYWORD_ONLY, annotation=typer.Context
        )
        own["context"] = context
        declared: list[Parameter] = []
        for name, each in own.items():
            if name == "stated":
                declared += made.values()
                declared += [_PARAMS] if has_file else []
            else:
                declared.append(each.replace(kind=Parameter.KEYWORD_ONLY))

        @wraps(verb)
        def run(context: typer.Context, **values: Any) -> None:
            # Imported here: a help text needs no reader.
            from ncc_routing.io.toml import read_params

            source = values.pop("params", None) if has_file else None
            stated = {} if source is None else read_params(source)
            for name, each in made.items():
                value = values.pop(each.name)
                if was_typed(context, each.name):
                    stated[name] = value
            if wants_context:
                values["context"] = context
            verb(stated=Stated(kind, stated, str(source or "")), **values)

        run.__signature__ = signature(verb).replace(  # type: ignore[attr-defined]
            parameters=declared
        )
        run.__annotations__ = {each.name: each.annotation for each in declared}
        return run

    return decorate


def _made(kind: Any, name: str, changes: Mapping[str, str]) -> Parameter:
    """Return the parameter of a verb that a field stands for."""
    field = kind.__dataclass_fields__[name]
    option = options_of(kind)[name]
    flag = changes.get("flag", "--" + name.replace("_", "-"))
    shown: str | bool | None = changes.get("shown", option.shown)
    annotation: Any = _TYPES.get(field.type.split(" | ")[0], Path)
    if field.default is None:
        annotation = annotation | None
    check, least = _CHECKS.get(name), None
    if check is None and option.names:
        check = one_of(option.names)
    elif check is None and name in bounds_of(kind):
        low, _, also = bounds_of(kind)[name]
        least = low if also is None else min(low, also)
    info = typer.Option(
        flag,
        metavar=option.metavar,
        callback=check,
        autocompletion=completing(option.names) if option.names else None,
        min=least,
        help=changes.get("help", option.help),
        show_default=shown or field.default is not None,
    )
    return Parameter(
        flag.strip("-").replace("-", "_"),
        Parameter.KEYWORD_ONLY,
        default=field.default,
        annotation=Annotated[annotation, info],
    )
