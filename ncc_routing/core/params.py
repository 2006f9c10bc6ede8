"""Parameters as values: built from plain mappings, said as plain mappings."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, field, fields, is_dataclass, replace
from importlib import import_module
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.extras import naming_the_extra
from ncc_routing.core.text import shortened, with_article

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

Params = TypeVar("Params")
Number = TypeVar("Number", int, float, int | None, float | None)

MAX_SEED: Final = 2**63 - 1
"""Largest seed that every library takes."""

MAX_EFFORT: Final = 10**9
"""Most trials, moves or starts."""

_BOUNDS: Final = "bounds"
_OPTION: Final = "option"
"""Where a field keeps its bounds, and its option in the shell."""


class Bounds(NamedTuple):
    """The least and largest value, and one outside with its own meaning."""

    low: float
    high: float
    also: float | None = None

    def __contains__(self, value: object) -> bool:
        """Whether a number is one of them; NaN is not."""
        number: Any = value
        return bool(self.low <= number <= self.high or number == self.also)

    def __str__(self) -> str:
        """Return the rule of a message: "lie in [1, 10]"."""
        low, high, also = map(_shown, self)
        is_open = self.high == math.inf
        rule = f"be at least {low}" if is_open else f"lie in [{low}, {high}]"
        return rule if self.also is None else f"{rule} or be {also}"


def _shown(number: float | None) -> str:
    return f"{number:g}" if isinstance(number, float) else str(number)


class Option(NamedTuple):
    """How the shell offers a parameter.

    ``metavar`` stands for its value, ``names`` are the values that it may have
    (default: any), ``shown`` replaces the default in the help.
    """

    help: str
    metavar: str = "N"
    names: Collection[str] = ()
    shown: str | None = None


def shell_option(
    help: str,
    metavar: str = "N",
    names: Collection[str] = (),
    shown: str | None = None,
) -> dict[str, Option]:
    """Return the metadata of a field that the shell offers as an option."""
    return {_OPTION: Option(help, metavar, names, shown)}


def bounded(
    default: Number,
    low: float,
    high: float,
    also: float | None = None,
    metadata: Mapping[str, object] | None = None,
) -> Number:
    """Return a field of a dataclass: a number, its default, its bounds.

    ``check_bounds`` enforces them; the annotation says whether the value is
    whole (``int``) and may be ``None``. ``metadata`` is as of
    ``shell_option``.
    """
    metadata = {_BOUNDS: Bounds(low, high, also), **(metadata or {})}
    declared: Any = field(default=default, metadata=metadata)
    return declared  # type: ignore[no-any-return]


def bounds_of(kind: type) -> dict[str, Bounds]:
    """Return the bounds of the fields of a dataclass that have some."""
    return _declared(kind, _BOUNDS)


def options_of(kind: type) -> dict[str, Option]:
    """Return the options of the fields of a dataclass that have one."""
    return _declared(kind, _OPTION)


def _declared(kind: type, key: str) -> dict[str, Any]:
    declared = {each.name: each.metadata.get(key) for each in fields(kind)}
    return {name: entry for name, entry in declared.items() if entry}


def check_bounds(params: object) -> None:
    """Make plain numbers of the bounded fields of a dataclass.

    ``bool`` is no number. ``ParameterError`` names field, bounds and value.
    """
    for each in fields(params):  # type: ignore[arg-type]
        if _BOUNDS in each.metadata:
            value = _number_of(each, getattr(params, each.name), each.name)
            object.__setattr__(params, each.name, value)


def _kinds_of(field: Field[Any]) -> list[str]:
    """Return the names in an annotation, which may be a text or a type."""
    kind: Any = field.type
    name = kind.__name__ if isinstance(kind, type) else str(kind)
    return name.split(" | ")


def _number_of(field: Field[Any], value: object, name: str) -> object:
    """Return the value of a field that is bounded, as a plain number."""
    bounds, kinds = field.metadata[_BOUNDS], _kinds_of(field)
    if value is None and "None" in kinds:
        return None
    is_whole = "int" in kinds
    wanted = Integral if is_whole else Real
    if isinstance(value, bool) or not isinstance(value, wanted):
        word = "a whole number" if is_whole else "a number"
        shown, hint = shortened(repr(value)), ""
        if callable(value) or hasattr(value, "progress"):
            shown = f"a {type(value).__name__}"
            hint = ": a criterion is the argument stop"
        raise ParameterError(f"{name} must be {word}, got {shown}{hint}.")
    if value not in bounds:
        raise ParameterError(f"{name} must {bounds}, got {value}.")
    number: Any = value
    if is_whole:
        return int(number)
    # A whole number may be larger than any float.
    is_larger = isinstance(number, int) and number > sys.float_info.max
    return math.inf if is_larger else float(number)


def build_params(kind: type[Params], value: object, where: str) -> Params:
    """Return parameters of a kind, a frozen dataclass.

    ``value`` is such parameters or a mapping with some of their fields, nested
    for nested dataclasses. ``where`` names them in a ``ParameterError``.
    """
    if isinstance(value, kind):
        return value
    if not isinstance(value, Mapping):
        raise ParameterError(
            f"{where} must be a mapping or a {kind.__name__}, got {value!r}."
        )
    known = _known(kind, value, where)
    given = {
        name: _field_value(known[name], entry, f"{where} {name}".strip())
        for name, entry in value.items()
    }
    return kind(**given)


def _known(
    kind: Any, named: Mapping[str, object], where: str = ""
) -> dict[str, Field[Any]]:
    """Return the fields by name; refuse names that are none of theirs."""
    known = {field.name: field for field in fields(kind)}
    for name in named:
        if name not in known:
            place = f" in {where}" if where else ""
            raise ParameterError(
                f"there is no parameter {name!r}{place}; the parameters are "
                f"{', '.join(known)}."
            )
    return known


def to_mapping(params: object) -> dict[str, object]:
    """Return parameters as a plain mapping, for a record of a run.

    ``None`` is left out; an object of the user becomes the name of its class.
    """
    return {
        field.name: _plain(getattr(params, field.name))
        for field in fields(params)  # type: ignore[arg-type]
        if getattr(params, field.name) is not None
    }


def _plain(value: object) -> object:
    if is_dataclass(value) and type(value).__name__.endswith("Params"):
        return to_mapping(value)
    if isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    return type(value).__name__


def _field_value(field: Field[Any], value: object, where: str) -> object:
    """Return the value of a field, checked against the type of its default."""
    if _BOUNDS in field.metadata:
        return _number_of(field, value, where)
    default = field.default
    if default is MISSING and callable(field.default_factory):
        default = field.default_factory()
    if default is MISSING or default is None:
        return value
    if is_dataclass(default):
        return build_params(type(default), value, where)
    if isinstance(default, tuple) and isinstance(value, Sequence):
        return tuple(value)
    for kind, word in ((bool, "true or false"), (str, "a text")):
        if isinstance(default, kind) and not isinstance(value, kind):
            raise ParameterError(f"{where} must be {word}, got {value!r}.")
    return value


def require_type(name: str, value: object, kind: type) -> None:
    """Refuse an argument that is not of a class, such as a whole result."""
    if not isinstance(value, kind):
        has_it = isinstance(getattr(value, "best", None), kind)
        raise ParameterError(
            f"{name} must be {with_article(kind.__name__)}, got "
            f"{type(value).__name__}"
            f"{': give its best' if has_it else ''}."
        )


def chosen(
    kind: type[Params],
    params: Params | None,
    also: Iterable[str] = (),
    **keywords: object,
) -> Params:
    """Return the parameters of a run: those given, and keywords before them.

    A keyword that is ``None`` is not given. Parameters of another class raise
    ``ParameterError``, and unknown keywords ``TypeError``, as in any call; it
    names what the function takes ``also``.
    """
    names = [*(each.name for each in fields(kind)), *also]  # type: ignore[arg-type]
    for name in keywords:
        if name not in names:
            raise TypeError(
                f"there is no parameter {name!r}; the parameters are "
                f"{', '.join(names)}."
            )
    if params is None:
        params = kind()
    if not isinstance(params, kind):
        home, name = type(params).__module__, type(params).__name__
        is_other = name == kind.__name__
        hint = f" of {home.partition('.')[0]}" if is_other else ""
        raise ParameterError(
            f"params must be {kind.__name__}, got {name}{hint}."
        )
    given = {n: value for n, value in keywords.items() if value is not None}
    return changed(params, given)


def changed(params: Params, changes: Mapping[str, object]) -> Params:
    """Return parameters with some of them replaced by name.

    An unknown name or a value out of range raises ``ParameterError``.
    """
    _known(params, changes)
    new: Params = replace(params, **changes)  # type: ignore[type-var]
    return new


def following_seed(seed: int, number: int) -> int:
    """Return the seed of a numbered part of a run; 0 follows the largest."""
    return (seed + number) % (MAX_SEED + 1)


def load(path: str) -> Any:
    """Return what "module:name" stands for."""
    module, _, name = path.partition(":")
    with naming_the_extra():
        return getattr(import_module(module), name)


def resolve_groups(params: object, groups: Mapping[str, str]) -> None:
    """Turn the mappings in fields of frozen parameters into dataclasses.

    ``groups`` has "module:class" by field, imported unless the field is
    ``None``.
    """
    for name, path in groups.items():
        value = getattr(params, name)
        if value is not None:
            built: object = build_params(load(path), value, name)
            object.__setattr__(params, name, built)
