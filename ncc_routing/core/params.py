"""Parameters as values: built from plain mappings, said as plain mappings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass, replace
from numbers import Integral, Real
from typing import Any, TypeVar

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.methods import load

Params = TypeVar("Params")


def build_params(kind: type[Params], value: object, where: str) -> Params:
    """Return parameters of a kind.

    Parameters
    ----------
    kind
        A frozen dataclass.
    value
        Such a dataclass, which comes back as it is; or a mapping with some
        of its fields, as of a table in a TOML file, where a nested mapping
        stands for a nested dataclass.
    where
        Name of the parameters, for the messages.

    Raises
    ------
    ParameterError
        If a key is unknown, or a value is of the wrong type or out of
        range.
    """
    if isinstance(value, kind):
        return value
    if not isinstance(value, Mapping):
        raise ParameterError(
            f"{where} must be a mapping or a {kind.__name__}, got {value!r}."
        )
    known = {field.name: field for field in fields(kind)}  # type: ignore[arg-type]
    for name in value:
        require_known(name, known, where)
    given = {
        name: _field_value(known[name], entry, f"{where} {name}".strip())
        for name, entry in value.items()
    }
    return kind(**given)


def require_known(name: str, known: Mapping[str, object], where: str) -> None:
    """Refuse a name that is not among the known ones.

    Raises
    ------
    ParameterError
        It lists the known names.
    """
    if name not in known:
        place = f" in {where}" if where else ""
        raise ParameterError(
            f"there is no parameter {name!r}{place}; the parameters are "
            f"{', '.join(known)}."
        )


def to_mapping(params: object) -> dict[str, object]:
    """Return parameters as a plain mapping, for a record of a run.

    Fields that are ``None`` are left out; what is no plain value (a
    priority of the user) is said by the name of its class.
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
    """Return the value of a field, checked against the type of its default.

    A field whose default is ``None`` checks its own values.
    """
    default = field.default
    if default is MISSING and callable(field.default_factory):
        default = field.default_factory()
    if default is MISSING or default is None:
        return value
    if is_dataclass(default):
        return build_params(type(default), value, where)
    if isinstance(default, tuple) and isinstance(value, Sequence):
        return tuple(value)
    for kind, wanted, word in (
        (bool, bool, "true or false"),
        (int, Integral, "a whole number"),
        (float, Real, "a number"),
        (str, str, "a text"),
    ):
        if isinstance(default, kind):
            is_flag = isinstance(value, bool) and kind is not bool
            if is_flag or not isinstance(value, wanted):
                raise ParameterError(f"{where} must be {word}, got {value!r}.")
            return value if kind is str else kind(value)  # type: ignore[arg-type]
    return value


def changed(params: Params, changes: Mapping[str, object]) -> Params:
    """Return parameters with some of them replaced by name.

    Raises
    ------
    ParameterError
        If there is no such parameter, or a value is out of range.
    """
    known = {field.name: field for field in fields(params)}  # type: ignore[arg-type]
    for name in changes:
        require_known(name, known, "")
    new: Params = replace(params, **changes)  # type: ignore[type-var]
    return new


def resolve_groups(params: object, groups: Mapping[str, str]) -> None:
    """Turn the mappings in fields of frozen parameters into dataclasses.

    Parameters
    ----------
    params
        The parameters; their fields named in ``groups`` are replaced.
    groups
        "module:class" of each group of parameters. A group that is ``None``
        stays so, and its module is not imported.
    """
    for name, path in groups.items():
        value = getattr(params, name)
        if value is not None:
            built: object = build_params(load(path), value, name)
            object.__setattr__(params, name, built)


def require_limits(time_limit: float | None, seed: int) -> None:
    """Refuse a time limit that is not positive, and a negative seed.

    Raises
    ------
    ParameterError
        It names the parameter and its value.
    """
    if time_limit is not None and not isinstance(time_limit, Real):
        raise ParameterError(
            f"time_limit must be a number of seconds, got {time_limit!r}."
        )
    if time_limit is not None and not time_limit > 0:
        raise ParameterError(f"time_limit must be positive, got {time_limit}.")
    if not seed >= 0:
        raise ParameterError(f"seed must be >= 0, got {seed}.")
