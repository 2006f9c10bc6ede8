"""Files of NumPy, read without running code and without trust."""

from __future__ import annotations

import os
import struct
import tokenize
import zipfile
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_DAMAGE: Final = (
    *(OSError, EOFError, ValueError, TypeError, KeyError, IndexError),
    *(AttributeError, OverflowError, RecursionError, MemoryError),
    *(SyntaxError, NotImplementedError, RuntimeError),
    *(zipfile.BadZipFile, zlib.error, struct.error, tokenize.TokenError),
)
"""What numpy, openpyxl and zipfile raise where a byte of a file is wrong: a
header is a text of Python, and says how much memory to take."""

_NO_ARRAY: Final = "is not a NumPy array that can be read without running code"


def read_shapes(file: Path) -> dict[str, tuple[int, ...]]:
    """Return the shape of each array in a file, without its values."""
    with refusing_damage(file, _NO_ARRAY):
        if not zipfile.is_zipfile(file):
            return {"": np.load(file, mmap_mode="r").shape}
        with zipfile.ZipFile(file) as archive:
            return {
                name.removesuffix(".npy"): _shape_of(archive, name)
                for name in archive.namelist()
            }


def _shape_of(archive: zipfile.ZipFile, name: str) -> tuple[int, ...]:
    with archive.open(name) as stream:
        major, _ = np.lib.format.read_magic(stream)
        if major == 1:
            return np.lib.format.read_array_header_1_0(stream)[0]
        return np.lib.format.read_array_header_2_0(stream)[0]


def read_arrays(
    file: Path, largest: int | None = None, only: str | None = None
) -> dict[str, np.ndarray]:
    """Return the arrays of a .npz file by name, or that of a .npy file as "".

    All arrays together may take ``largest`` bytes. Objects are refused: they
    would be pickled code.
    """
    with refusing_damage(file, _NO_ARRAY):
        if not zipfile.is_zipfile(file):
            # Mapped, so that no memory is taken for what a header states.
            mapped = np.load(file, mmap_mode="r", allow_pickle=False)
            _require_size(file, mapped.nbytes, largest)
            return {"": np.array(mapped)}
        with zipfile.ZipFile(file) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
        _require_size(file, size, largest)
        with np.load(file, allow_pickle=False) as content:
            names = content.files if only is None else [only]
            return {name: np.array(content[name]) for name in names}


@contextmanager
def refusing_damage(file: Path, rule: str) -> Iterator[None]:
    """Say in one line that a file is missing or damaged, which is the rule."""
    if not os.path.lexists(file):
        raise InstanceError(file, "file", "does not exist")
    try:
        yield
    except InstanceError:
        raise
    except _DAMAGE:
        raise InstanceError(file, "file", rule) from None


def _require_size(file: Path, size: int, largest: int | None) -> None:
    if largest is not None and size > largest:
        rule = f"must hold at most {largest} bytes"
        raise InstanceError(file, "file", rule, size)
