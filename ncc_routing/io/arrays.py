"""Files of NumPy, read without running code and without trust."""

from __future__ import annotations

import os
import struct
import tokenize
import zipfile
import zlib
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError

if TYPE_CHECKING:
    from pathlib import Path

_DAMAGE: Final = (
    *(OSError, EOFError, ValueError, TypeError, KeyError, IndexError),
    *(AttributeError, OverflowError, RecursionError, MemoryError),
    *(SyntaxError, NotImplementedError, RuntimeError),
    *(zipfile.BadZipFile, zlib.error, struct.error, tokenize.TokenError),
)
"""What numpy and zipfile raise where a byte of a file is wrong: a header is
a text of Python, and says how much memory to take."""


def read_arrays(
    file: Path, largest: int | None = None
) -> dict[str, np.ndarray]:
    """Return the arrays of a .npz file by name, or that of a .npy file.

    Parameters
    ----------
    file
        The file. Objects are refused: they would be pickled code.
    largest
        Bytes that all arrays together may take. Default: no bound.

    Returns
    -------
    dict[str, numpy.ndarray]
        The array of a .npy file has the name "".

    Raises
    ------
    InstanceError
        If the file is missing, damaged, or larger.
    """
    if not os.path.lexists(file):
        raise InstanceError(file, "file", "does not exist")
    try:
        if not zipfile.is_zipfile(file):
            # Mapped, so that no memory is taken for what a header states.
            mapped = np.load(file, mmap_mode="r", allow_pickle=False)
            _require_size(file, mapped.nbytes, largest)
            return {"": np.array(mapped)}
        with zipfile.ZipFile(file) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
        _require_size(file, size, largest)
        with np.load(file, allow_pickle=False) as content:
            return {name: np.array(content[name]) for name in content.files}
    except InstanceError:
        raise
    except _DAMAGE:
        rule = "is no array of NumPy that can be read without running code"
        raise InstanceError(file, "file", rule) from None


def _require_size(file: Path, size: int, largest: int | None) -> None:
    """Refuse more bytes than may be taken."""
    if largest is not None and size > largest:
        rule = f"must hold at most {largest} bytes"
        raise InstanceError(file, "file", rule, size)
