"""Say it when kernels have to be compiled: it takes a while, once."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from collections.abc import Iterator

MESSAGE = (
    "ncc-route: compiling kernels for this machine; "
    "the next run takes them from the cache."
)


@contextmanager
def compilation_notice() -> Iterator[None]:
    """Print one line on stderr at the first compilation inside the block.

    Numba itself tells when it compiles, so the line appears exactly when
    its cache has nothing that fits: on the first run, after an update, or
    where the cache cannot be written.

    References
    ----------
    ``numba.core.event``, the event "numba:compile".
    """
    from numba.core import event

    class Notice(event.Listener):
        """Prints at the first kernel of this package."""

        printed = False

        def on_start(self, event: event.Event) -> None:
            kernel = event.data["dispatcher"].py_func
            if not self.printed and kernel.__module__.startswith("ncc_"):
                self.printed = True
                typer.echo(MESSAGE, err=True)

        def on_end(self, event: event.Event) -> None:
            """Nothing to do: numba asks for this method."""

    with event.install_listener("numba:compile", Notice()):
        yield
