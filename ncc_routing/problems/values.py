"""The values of a problem, checked one field at a time.

Compiled code needs squares and sums that neither overflow nor vanish, and
exact sums of whole numbers.
"""

from __future__ import annotations

import math
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.core.text import (
    counted,
    has_controls,
    shortened,
    with_article,
)
from ncc_routing.core.units import NO_LIMIT as NO_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterable

Kind = TypeVar("Kind")

TOO_LARGE: Final = f"must be at most {NO_LIMIT} (2**60)"
"""The rule for numbers that are no limits."""

LARGEST_WHOLE: Final = 2**53
"""Up to it every whole number is one in float64 as well.

Loads and rounded distances are compared exactly, so sums stay below it.
"""

LARGEST_SIZE: Final = 1e100
"""Bound on coordinates, lengths and real weights; the largest one is at least
one over it, unless all are 0."""

LARGEST_SUM: Final = LARGEST_WHOLE // 4
"""Bound on the sum of all demands, weights, times, and costs of one kind:
2**51. A few such sums together are whole numbers in float64 as well."""

_EXCERPT: Final = 40
"""Characters of a value that a message shows."""


class ReadOnlyArrays:
    """A frozen dataclass whose arrays are read-only, in pickled copies too."""

    def __setstate__(self, state: dict[str, object]) -> None:
        """Take over the attributes, arrays read-only."""
        for value in state.values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
        vars(self).update(state)


def numbers(source: str, field: str, value: object) -> np.ndarray:
    """Return ``value`` as a new float64 array."""
    if value is None:
        raise InstanceError(source, field, "must be given, got None")
    try:
        array = np.array(value)
        # Numbers as texts are no numbers, nor are dates and complex ones.
        if array.dtype.kind not in "buifO" or (
            array.dtype.kind == "O"
            and any(isinstance(entry, (str, bytes)) for entry in array.flat)
        ):
            raise ValueError
        return array.astype(np.float64, order="C", copy=False)
    except (TypeError, ValueError, OverflowError):
        text = shortened(repr(value), _EXCERPT)
        rule = f"must be numbers of a regular shape, got {text}"
        raise InstanceError(source, field, rule) from None


def read_only(array: np.ndarray) -> np.ndarray:
    """Return an array that nobody can change any more."""
    array.flags.writeable = False
    return array


def refuse(
    is_wrong: np.ndarray,
    source: str,
    field: str,
    rule: str,
    values: np.ndarray,
) -> None:
    """Refuse the first wrong value.

    In the rule, {} is its row and {entry} all of its place, from 1.
    """
    for place in np.argwhere(is_wrong)[:1].tolist() if is_wrong.any() else ():
        entry = tuple(1 + idx for idx in place)
        text = rule.format(*entry, entry=entry)
        raise InstanceError(source, field, text, values[tuple(place)])


def require_kind(
    source: str, field: str, value: object, kind: type[Kind]
) -> None:
    """Refuse an object that is none of a class."""
    if not isinstance(value, kind):
        what = with_article(kind.__name__)
        rule = f"must be {what}, got {type(value).__name__}"
        raise InstanceError(source, field, rule)


def tuple_of(
    source: str, field: str, value: object, kind: type[Kind]
) -> tuple[Kind, ...]:
    """Return several objects of a class as a tuple."""
    entries = listed(source, field, value, kind.__name__)
    for idx, each in enumerate(entries):
        require_kind(source, f"{field}, entry {idx + 1}", each, kind)
    return entries


def listed(
    source: str, field: str, value: object, what: str
) -> tuple[Any, ...]:
    """Return what can be gone through, but a text, as a tuple."""
    try:
        if not isinstance(value, (str, bytes)):
            return tuple(value)  # type: ignore[arg-type]
    except TypeError:
        pass
    rule = f"must be a list of {what}"
    raise InstanceError(source, field, rule, value)


def whole_numbers(source: str, field: str, value: object) -> np.ndarray:
    """Return a read-only int64 array; refuse fractions and huge numbers."""
    array = numbers(source, field, value)
    is_whole = np.isfinite(array) & (array == np.rint(array))
    if not is_whole.all():
        bad = float(array[~is_whole].flat[0])
        raise InstanceError(source, field, "must be whole numbers", bad)
    if (np.abs(array) > NO_LIMIT).any():
        largest = float(np.abs(array).max())
        raise InstanceError(source, field, TOO_LARGE, largest)
    whole = array.astype(np.int64)
    whole.flags.writeable = False
    return whole


def one_number(
    source: str,
    field: str,
    value: object,
    *,
    whole: bool = True,
    is_limit: bool = False,
    least: int = 0,
) -> float:
    """Return a number of at least ``least``, an int where it is whole.

    ``whole`` refuses fractions. A number above ``NO_LIMIT`` is refused, or
    becomes that where it ``is_limit``.
    """
    rule = "must be a whole number" if whole else "must be a number"
    if isinstance(value, (bool, np.bool_)):
        raise InstanceError(source, field, rule, value)
    given: Any = value
    # An array takes several times as long as a number.
    if type(given) not in (int, float) or not abs(given) <= NO_LIMIT:
        given = numbers(source, field, value)
        if given.ndim != 0 or np.isnan(given):
            raise InstanceError(source, field, rule, given.tolist())
    number = float(given)
    if number > NO_LIMIT and not is_limit:
        raise InstanceError(source, field, TOO_LARGE, number)
    number = min(number, float(NO_LIMIT))
    if number < least:
        rule = f"must be at least {least}" if least else "must not be negative"
        raise InstanceError(source, field, rule, number)
    if whole and not number.is_integer():
        raise InstanceError(source, field, rule, number)
    return int(number) if number.is_integer() else number


def whole_tuple(
    source: str, field: str, value: object, *, is_limit: bool = False
) -> tuple[int, ...]:
    """Return several numbers that ``one_number`` takes, as a tuple."""
    return tuple(
        int(one_number(source, field, entry, is_limit=is_limit))
        for entry in listed(source, field, value, "whole numbers")
    )


def finite_numbers(
    source: str, field: str, value: object, shape: tuple[int, int]
) -> np.ndarray:
    """Return ``value`` as a read-only float64 array of finite numbers."""
    array = lengths(source, field, value, shape)
    rule = "entry {entry} must be finite"
    refuse(~np.isfinite(array), source, field, rule, array)
    array.flags.writeable = False
    return array


def lengths(
    source: str, field: str, value: object, shape: tuple[int, int]
) -> np.ndarray:
    """Return ``value`` as a new float64 array, ``inf`` and nan included."""
    array = numbers(source, field, value)
    if array.shape != shape:
        raise InstanceError(
            source, field, f"must have shape {shape}", array.shape
        )
    return array


def unique_texts(
    source: str, value: Iterable[object] | None, size: int
) -> tuple[str, ...] | None:
    """Return ids as ``size`` different texts, ``None`` where there are none.

    Empty texts and control characters are refused.
    """
    if value is None:
        return None
    texts = tuple(map(str, listed(source, "ids", value, "texts")))
    if len(texts) != size:
        rule = f"must hold {counted(size, 'id')}, one for each row"
        raise InstanceError(source, "ids", rule, len(texts))
    if (
        len(set(texts)) == size
        and all(map(str.strip, texts))
        and not has_controls("".join(texts))
    ):
        return texts
    known: dict[str, int] = {}
    for number, text in enumerate(texts, start=1):
        if not text.strip():
            raise InstanceError(source, "ids", "an id must not be empty")
        if has_controls(text):
            rule = "an id must not hold control characters"
            raise InstanceError(source, "ids", rule, text)
        if known.setdefault(text, number) != number:
            rule = f"must not repeat (entries {known[text]} and {number})"
            raise InstanceError(source, "ids", rule, text)
    return texts


def names_tuple(source: str, field: str, value: object) -> tuple[str, ...]:
    """Return names without case and spare blanks, each one once."""
    names = []
    for entry in listed(source, field, value, "names"):
        require_kind(source, field, entry, str)
        name = " ".join(str(entry).casefold().split())
        if not name or has_controls(name):
            rule = "a name must be a text without control characters"
            raise InstanceError(source, field, rule, repr(entry))
        names.append(name)
    return tuple(dict.fromkeys(names))


def require_size(source: str, field: str, values: np.ndarray) -> None:
    """Refuse finite lengths, weights or coordinates of an extreme size.

    The largest, of coordinates the longest side of the box about them, must be
    at most ``LARGEST_SIZE`` and 0 or at least one over it.
    """
    largest = float(np.abs(values).max(initial=0.0))
    if largest > LARGEST_SIZE:
        rule = f"must be at most {LARGEST_SIZE:g} in size"
        raise InstanceError(source, field, rule, largest)
    if field == "coords":
        largest = float(np.ptp(values, axis=0).max(initial=0.0))
    if 0.0 < largest < 1.0 / LARGEST_SIZE:
        what = "be 0 or" if field != "coords" else "be equal or span"
        rule = f"must {what} at least {1.0 / LARGEST_SIZE:g}"
        raise InstanceError(source, field, rule, largest)


def longest_finite(matrix: np.ndarray) -> float:
    """Return the largest finite entry of a matrix, 0 where there is none."""
    return float(np.max(matrix, where=np.isfinite(matrix), initial=0.0))


def require_sum(source: str, field: str, total: float) -> None:
    """Refuse a sum of whole numbers, a float, above ``LARGEST_SUM``."""
    if total > LARGEST_SUM:
        rule = f"must add up to at most {LARGEST_SUM} (2**51), as whole "
        rule += "numbers are added exactly; take a larger unit"
        raise InstanceError(source, field, rule, f"{total:.4g}")


COST_TOLERANCE: Final = 1e-6
"""Relative difference at which two unrounded costs count as equal."""

LOAD_TOLERANCE: Final = 1e-9
"""Share by which a sum of real numbers may exceed its limit.

It covers the rounding of the sum alone. Sums of whole numbers are exact.
"""

LARGEST_EXCESS: Final = 0.5
"""What ``widened`` adds at most: no whole number more comes below a limit."""


def exceeds(value: float, limit: float) -> bool:
    """Whether a limit is broken; exact where both are whole numbers."""
    if 0.0 <= limit >= value:
        return False
    if float(value).is_integer() and float(limit).is_integer():
        return value > limit
    return value > limit * (1.0 + LOAD_TOLERANCE)


def rounds_to(value: float, stated: float) -> bool:
    """Whether a value is a stated one, up to the decimals of that.

    A whole number has none: 12 is not 12.3 rounded, but 12.3 may be 12.34.
    """
    if not math.isfinite(stated) or float(stated).is_integer():
        return value == stated
    _, _, last = Decimal(repr(float(stated))).as_tuple()
    return math.isclose(value, stated, abs_tol=0.5 * 10.0 ** int(last))


def widened(limits: np.ndarray) -> np.ndarray:
    """Return the limits that a search compares sums of real numbers with.

    Half the tolerance is left for the rounding in another order: no sum up to
    such a limit ``exceeds`` the given one.
    """
    more = np.minimum(0.5 * LOAD_TOLERANCE * limits, LARGEST_EXCESS)
    return limits + more


def exceed(
    values: np.ndarray | float, limits: np.ndarray | float
) -> np.ndarray:
    """Return where limits are broken, as a search compares sums."""
    return np.asarray(values > widened(np.asarray(limits)))
