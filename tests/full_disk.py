"""A disk that is full after some bytes of a file."""

from __future__ import annotations

import resource
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def small_files(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond a size in bytes.

    Writing further fails in the midst, as on a full disk.
    """
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
