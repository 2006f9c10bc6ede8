"""Who wants to know hears when kernels are compiled: it takes a while."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def on_compilation(notify: Callable[[], object]) -> Iterator[None]:
    """Call ``notify`` at the first compilation inside the block.

    Numba itself tells when it compiles, so the call comes exactly when its
    cache has nothing that fits: on the first run, after an update, or where
    the cache cannot be written. Kernels of other packages do not count.

    Parameters
    ----------
    notify
        Called at most once, before the compilation.

    References
    ----------
    ``numba.core.event``, the event "numba:compile".
    """
    from numba.core import event

    class Listener(event.Listener):
        """Waits for the first kernel of this package."""

        heard = False

        def on_start(self, event: event.Event) -> None:
            kernel = event.data["dispatcher"].py_func
            if not self.heard and kernel.__module__.startswith("ncc_"):
                self.heard = True
                notify()

        def on_end(self, event: event.Event) -> None:
            """Nothing to do: numba asks for this method."""

    with event.install_listener("numba:compile", Listener()):
        yield
