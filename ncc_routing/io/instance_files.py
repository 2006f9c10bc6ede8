"""Which files the arguments of a command stand for."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from ncc_routing.core.exceptions import InstanceError, ParameterError
from ncc_routing.core.text_files import (
    is_standard_input,
    read_text,
    require_path,
)
from ncc_routing.io.names import INSTANCE_SUFFIXES, find_instance
from ncc_routing.io.vrplib import is_benchmark

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable
    from pathlib import Path

_NOTHING: Final = "holds no .vrp file and no other instance"


def expand_instances(
    arguments: Iterable[str | os.PathLike[str]],
) -> list[Path]:
    """Return the given files and the instances below given folders.

    Those are .vrp and .tsp files, and .txt files in the benchmarks' forms. A
    known name stands for its file. Each stands there once, in the order of the
    arguments, then of the names.
    """
    files: list[Path] = []
    for argument in arguments:
        path = require_path(argument, "an instance")
        if not path.is_dir():
            files.append(_known(path))
            continue
        inside = [each for each in path.rglob("*") if _is_instance(each)]
        inside.sort()
        if not inside:
            raise InstanceError(path, "folder", _NOTHING)
        files += inside
    return list(dict.fromkeys(files))


def require_different_names(files: Iterable[Path]) -> None:
    """Refuse files whose results would have the same name."""
    known: dict[str, Path] = {}
    for file in files:
        other = known.setdefault(file.stem.lower(), file)
        if other is not file:
            raise ParameterError(
                f"{file} and {other} would have the same name."
            )


def _is_instance(path: Path) -> bool:
    """Whether a file of a folder is one; hidden ones are those of editors."""
    suffix = path.suffix.lower()
    if path.name[0] == "." or path.is_dir():
        return False
    if suffix == ".txt" and path.is_file():
        with suppress(InstanceError):
            return is_benchmark(read_text(path))
    return suffix in INSTANCE_SUFFIXES


def _known(path: Path) -> Path:
    """Return the file of a known name; others stay, to be refused later."""
    if is_standard_input(path):
        return path
    try:
        return find_instance(path)
    except InstanceError:
        return path
