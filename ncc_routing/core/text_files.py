"""Text files: read whole, and written so that no half of one is left."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ncc_routing.core.exceptions import InstanceError, NccRoutingError

if TYPE_CHECKING:
    from collections.abc import Iterator


def read_text(file: Path) -> str:
    """Return the content of a text file, in UTF-8 or else Latin-1.

    Raises
    ------
    InstanceError
        If the file is missing, a folder, unreadable, empty or binary.
    """
    if file.is_dir():
        raise InstanceError(file, "file", "is a folder")
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        raise InstanceError(file, "file", "does not exist") from None
    except OSError as error:
        rule = f"cannot be read ({error.strerror})"
        raise InstanceError(file, "file", rule) from None
    if not content.strip():
        raise InstanceError(file, "file", "is empty")
    if b"\0" in content:
        raise InstanceError(file, "file", "is not a text file")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a file to write, and put it under its name when it is whole.

    Parameters
    ----------
    path
        The file to write; an existing one is replaced at the end. A device
        or a pipe is written directly.

    Yields
    ------
    pathlib.Path
        Where to write.

    Raises
    ------
    NccRoutingError
        If the file cannot be written.
    """
    target = Path(path).resolve()
    is_special = target.exists() and not target.is_file()
    name = f".{target.name}.{os.getpid()}.part"
    written = target if is_special else target.parent / name
    try:
        yield written  # a folder fails when it is opened
        if not is_special:
            written.replace(target)
    except OSError as error:
        reason = error.strerror or "input/output error"
        message = f"{path}: the file cannot be written: {reason}."
        raise NccRoutingError(message) from None
    finally:
        if not is_special:
            with suppress(OSError):
                written.unlink(missing_ok=True)
