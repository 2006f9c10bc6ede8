"""Runs ``ncc-route`` with a trap, as a child of the tests of endings.

``python -m tests.robustness.driver FD TRAP VALUE WORDS...`` writes a byte to
the file descriptor FD when the command begins. TRAP is one of

- ``none``: nothing happens;
- ``at``: SIGKILL before the VALUE-th opening for writing, renaming or
  removing of a file below the working folder;
- ``middle``: the process ends in the middle of the write that makes a file
  longer than VALUE bytes;
- ``full``: that write fails, as on a full disk.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Final

CHANGES: Final = ("os.rename", "os.remove", "os.mkdir", "os.rmdir")
"""Events of the interpreter that change a folder."""

WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND


def kill_at(count: int) -> None:
    """Let the process be killed before its ``count``-th change of a file."""
    folder = os.path.join(os.getcwd(), "")
    left = count

    def hear(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal left
        is_open = event == "open" and int(str(arguments[2])) & WRITING
        if not is_open and event not in CHANGES:
            return
        path = arguments[0]
        if not isinstance(path, str | bytes | os.PathLike):
            return
        if not os.path.abspath(os.fsdecode(path)).startswith(folder):
            return
        left -= 1
        if left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hear)


def main() -> None:
    """Set the trap, and run the command."""
    ready, trap, value, *words = sys.argv[1:]
    # An editable installation builds here what has changed, not in the trap.
    import ncc_routing._core  # noqa: F401

    if trap == "at":
        kill_at(int(value))
    if trap == "middle":
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    if trap in ("middle", "full"):
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (int(value), int(value)))
    sys.argv = ["ncc-route", *words]
    # The way in of the command itself, which is ready for signals at once.
    from ncc_route.__main__ import main as run

    os.write(int(ready), b"r")
    os.close(int(ready))
    run()


if __name__ == "__main__":
    main()
