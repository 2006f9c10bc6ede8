"""What happens when numba compiles a kernel of this package."""

from __future__ import annotations

import logging
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final

import numba
from numba.core import event
from numba.core.caching import FunctionCache

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_logger = logging.getLogger(__name__)

COMPILE: Final = "numba:compile"
"""Numba's event. It comes exactly when the cache has nothing that fits: on
the first run, after an update, or where the cache cannot be written."""

_PACKAGE: Final = Path(__file__).parents[1]
_STAMP: Final = "installation.stamp"
"""File beside the kept kernels that tells which installation they are of."""


class _Listener(event.Listener):
    """Calls a function once, before the first kernel of this package."""

    def __init__(self, notify: Callable[[], object]) -> None:
        self._notify: Callable[[], object] | None = notify

    def on_start(self, event: event.Event) -> None:
        kernel = event.data["dispatcher"].py_func
        notify = self._notify
        if notify is not None and kernel.__module__.startswith("ncc_"):
            self._notify = None
            notify()

    def on_end(self, event: event.Event) -> None:
        """Nothing to do: numba asks for this method."""


@contextmanager
def on_compilation(notify: Callable[[], object]) -> Iterator[None]:
    """Call ``notify`` at the first compilation of our kernels in the block."""
    with event.install_listener(COMPILE, _Listener(notify)):
        yield


def announce_compilation() -> None:
    """Log one line at the first compilation, which else looks like a hang."""
    register: Any = event.register
    register(
        COMPILE,
        _Listener(
            lambda: _logger.warning(
                "compiling kernels for this machine; the next run takes "
                "them from the cache."
            )
        ),
    )


def finds_cache() -> bool:
    """Whether numba finds a folder to keep kernels in; one line if not.

    Where it finds none it refuses to define a kernel with a cache at all.
    """
    find: Any = FunctionCache
    try:
        find(finds_cache)
    except RuntimeError:
        _logger.warning(
            "no folder can be written to keep compiled kernels: every run "
            "compiles them anew. NUMBA_CACHE_DIR names a folder for them."
        )
        return False
    return True


def discard_foreign_kernels(package: Path = _PACKAGE) -> None:
    """Delete the kernels that an earlier installation has kept.

    Numba unpickles their argument classes before it compares the age of the
    source: a class that has moved would be an error. Installers leave these
    files.
    """
    with suppress(OSError):  # a frozen program has no files of source
        state = Path(__file__).stat()
        now = f"{state.st_mtime_ns} {state.st_size}"
        stamp = _folder_of_kernels(package) / _STAMP
        if stamp.is_file() and stamp.read_text() == now:
            return
        for source in {file.parent for file in package.rglob("*.py")}:
            for kept in _folder_of_kernels(source).glob("*.nb[ic]"):
                kept.unlink(missing_ok=True)
        stamp.write_text(now)


def _folder_of_kernels(source: Path) -> Path:
    """Return where numba keeps the kernels of the files of a folder."""
    file = str(next(source.glob("*.py")))
    code = finds_cache.__code__.replace(co_filename=file)
    find: Any = FunctionCache
    return Path(find(FunctionType(code, {})).cache_path)


def compile_for(kernel: Any, *examples: object) -> None:
    """Compile a kernel that Python cannot call, as for these arguments."""
    typeof: Any = numba.typeof
    kernel.compile(tuple(typeof(example) for example in examples))
