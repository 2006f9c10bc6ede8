"""Fields of the model, each declared once: what it takes, and how it is read.

A class of the model is a frozen dataclass of such fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from functools import cache, partial
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Final,
    NamedTuple,
    NoReturn,
    Self,
    get_type_hints,
)

import numpy as np

from ncc_routing.core.exceptions import InstanceError, UnsupportedProblemError
from ncc_routing.problems.values import (
    NO_LIMIT,
    ReadOnlyArrays,
    names_tuple,
    one_number,
    require_kind,
    tuple_of,
    whole_tuple,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_READ: Final = "read"
_KIND: Final = "kind"
_MAY_BE_NONE: Final = "may be None"
_FILES: Final = "files"


class Files(NamedTuple):
    """What files have of a field, as data.

    Attributes
    ----------
    says
        What its column of tables says, for people. Default: it has none.
    column
        Name of the column. Default: that of the field.
    cells, unit
        How cells are read, and what they count in. Default: as the type of the
        field, and nothing.
    blank
        What an empty cell says, and an entry of a node of which nothing is
        known. Default: the default of the field.
    needed
        Whether an empty cell is refused. Default no.
    vrplib
        Its section of VRPLIB: name, kind, and what it shows. Default: none.
    vroom
        Its key in VROOM's JSON. Default: none.
    pyvrp
        Whether PyVRP's vehicle types have it too. Default: they do.
    per_node
        Whether it has an entry for each node. Default no.
    """

    says: str = ""
    column: str = ""
    cells: str = ""
    unit: str = ""
    blank: Any = None
    needed: bool = False
    vrplib: str = ""
    vroom: str = ""
    pyvrp: bool = True
    per_node: bool = False


def declared(
    read: Callable[..., Any] | None,
    default: Any = MISSING,
    *,
    kind: type[Any] | None = None,
    may_be_none: bool | None = None,
    **facts: Any,
) -> Any:
    """Return a field that a function reads, of source, name and value.

    Parameters
    ----------
    read
        Returns the value as it is kept, or raises ``InstanceError``. ``None``:
        the class reads it.
    default
        As of a dataclass. Default: the field has to be given.
    kind
        Class of the model that the field holds, or several of. Default: none.
    may_be_none
        Whether ``None`` is kept as it is. Default: if it is the default.
    facts
        What ``Files`` have of it, and further keywords of the function.
    """
    known = [name for name in Files._fields if name in facts]
    metadata = {
        _FILES: Files(**{name: facts.pop(name) for name in known}),
        _READ: read and partial(read, **facts),
        _KIND: kind,
        _MAY_BE_NONE: default is None if may_be_none is None else may_be_none,
    }
    return field(default=default, metadata=metadata)


def per_node(
    read: Callable[..., Any] | None, default: Any = MISSING, **facts: Any
) -> Any:
    """Return a field with an entry for each node; blank ones are 0."""
    return declared(read, default, **{"blank": 0, "per_node": True, **facts})


def number(default: Any = MISSING, **facts: Any) -> Any:
    """Return a field of a number, with the facts of ``one_number``."""
    return declared(
        one_number, default, **{"whole": False, "least": 0, **facts}
    )


def whole(default: Any = MISSING, **facts: Any) -> Any:
    """Return a field of a whole number."""
    return number(default, **{"whole": True, **facts})


def limit(**facts: Any) -> Any:
    """Return a field of a number, which is at first no limit."""
    return number(NO_LIMIT, is_limit=True, **facts)


def whole_limit(**facts: Any) -> Any:
    """Return the same of a whole number."""
    return limit(whole=True, **facts)


def wholes(default: Any = (), **facts: Any) -> Any:
    """Return a field of several whole numbers."""
    return declared(whole_tuple, default, **facts)


def names(default: Any = (), **facts: Any) -> Any:
    """Return a field of several names."""
    return declared(names_tuple, default, **facts)


def flag(default: Any = MISSING, **facts: Any) -> Any:
    """Return a field that is true or false."""
    return declared(_one_of, default, of=bool, **facts)


def text(default: Any = MISSING, **facts: Any) -> Any:
    """Return a field of a text."""
    return declared(_one_of, default, of=str, **facts)


def choice(of: Iterable[str], default: Any = MISSING) -> Any:
    """Return a field of one of several texts."""
    return declared(_chosen, default, of=tuple(of))


def part(of: type[Any], default: Any = None) -> Any:
    """Return a field of an object of a class of the model."""
    return declared(_one_of, default, kind=of, of=of)


def parts(of: type[Any], default: Any = (), **facts: Any) -> Any:
    """Return a field of several objects of a class."""
    return declared(_several, default, kind=of, of=of, **facts)


def kind_of(field: Field[Any]) -> type[Any] | None:
    """Return the class of the model that a field holds, or several of."""
    kind: type[Any] | None = field.metadata.get(_KIND)
    return kind


def in_files(kind: type[Any]) -> Iterator[tuple[Field[Any], Files]]:
    """Yield the fields of a class, and what files have of each."""
    for each in fields(kind):
        yield each, each.metadata.get(_FILES, Files())


def blanks_of(kind: type[Any]) -> dict[str, Any]:
    """Return the fields with an entry for each node, and what says nothing."""
    each = in_files(kind)
    return {row.name: files.blank for row, files in each if files.per_node}


def stated(part: Any) -> dict[str, Any]:
    """Return the fields that say more than their defaults and blanks."""
    found = {}
    for row, files in in_files(type(part)):
        value = entries = getattr(part, row.name)
        if isinstance(value, np.ndarray):
            entries = value.tolist()
        if (
            any(each != files.blank for each in entries or ())
            if files.per_node
            else value != row.default
        ):
            found[row.name] = value
    return found


@cache
def types_of(kind: Any) -> dict[str, Any]:
    """Return the types of the fields of a dataclass."""
    # Some modules import these for types alone.
    hints = get_type_hints(kind, localns={"Mapping": Mapping, "np": np})
    return {each.name: hints[each.name] for each in fields(kind)}


def facts_of(field: Field[Any]) -> dict[str, Any]:
    """Return the facts of a field, such as its bounds."""
    read = field.metadata.get(_READ)
    return getattr(read, "keywords", {})


class Declared(ReadOnlyArrays):
    """A frozen dataclass whose fields are read as they are declared."""

    def read_fields(self, source: str) -> None:
        """Read all fields; ``source`` is named in errors."""
        for each in fields(self):  # type: ignore[arg-type]
            value = getattr(self, each.name)
            if value is None and each.metadata.get(_MAY_BE_NONE):
                continue
            if read := each.metadata.get(_READ):
                value = read(source, each.name, value)
                object.__setattr__(self, each.name, value)

    def keep(self, **values: Any) -> None:
        """Set fields while the object is made."""
        for name, value in values.items():
            object.__setattr__(self, name, value)


@dataclass(frozen=True, kw_only=True)
class Entry(Declared):
    """An object of JSON with a key for each declared field.

    ``path`` is its place in messages. Keys that are ``unread``, and others
    where it ``takes_more``, may hold anything.
    """

    source: object = ""
    path: str = ""
    unread: ClassVar[tuple[str, ...]] = ()
    takes_more: ClassVar[bool] = False

    @classmethod
    def read(cls, source: object, path: str, content: object) -> Self:
        """Return the object, each field as it is declared.

        Raises
        ------
        InstanceError
            If a value is wrong; it names its path.
        UnsupportedProblemError
            If a key is not known.
        """
        if not isinstance(content, Mapping):
            raise InstanceError(source, path, "must be an object")
        at = f"{path}." if path else ""
        rows = _rows_of(cls)  # type: ignore[arg-type]
        for key in content:
            if not cls.knows(key):
                known = ", ".join((*rows, *cls.unread))
                rule = f"is not known; known are {known}; lenient keeps it"
                raise UnsupportedProblemError(source, f"{at}{key}", rule)
        entries = {}
        for key, row in rows.items():
            if key in content:
                read = row.metadata[_READ]
                entries[key] = read(source, at + key, content[key])
            elif row.default is MISSING:
                raise InstanceError(source, at + key, "must be there")
        return cls(source=source, path=path, **entries)

    @classmethod
    def knows(cls, key: str) -> bool:
        """Whether an object may have a key."""
        rows = _rows_of(cls)  # type: ignore[arg-type]
        return cls.takes_more or key in rows or key in cls.unread

    @classmethod
    def kind_of_key(cls, key: str) -> type[Any] | None:
        """Return the class of the objects of a key, ``None`` without any."""
        row = _rows_of(cls).get(key)  # type: ignore[arg-type]
        return None if row is None else kind_of(row)

    def place(self, key: str) -> str:
        """Return the path of a field."""
        return f"{self.path}.{key}" if self.path else key

    def error(
        self, key: str, rule: str, value: object = None
    ) -> InstanceError:
        """Return the error about a field, to be raised."""
        return InstanceError(self.source, self.place(key), rule, value)

    def refuse(self, key: str, rule: str) -> NoReturn:
        """Refuse a field that there is no model of."""
        raise UnsupportedProblemError(self.source, self.place(key), rule)


@cache
def _rows_of(kind: Any) -> dict[str, Field[Any]]:
    """Return the declared fields of a class."""
    return {one.name: one for one in fields(kind) if _READ in one.metadata}


def _one_of(source: str, name: str, value: Any, of: type[Any]) -> Any:
    if of is bool and isinstance(value, np.bool_):
        return bool(value)
    require_kind(source, name, value, of)
    return value


def _chosen(source: str, name: str, value: Any, of: tuple[str, ...]) -> str:
    if value not in of:
        rule = f"must be one of {', '.join(of)}"
        raise InstanceError(source, name, rule, value)
    return str(value)


def _several(
    source: str, name: str, value: Any, of: type[Any]
) -> tuple[Any, ...]:
    return tuple_of(source, name, value, of)
