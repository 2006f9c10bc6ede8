"""A call in a process of its own, ended at a deadline."""

from __future__ import annotations

import logging
import os
import pickle
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO

    from ncc_routing.core.deadline import Deadline

logger = logging.getLogger(__name__)

_CODE: Final = (
    "from ncc_routing.core.processes import serve; "
    "from {module} import {name}; serve({name})"
)
"""What the interpreter of the child runs."""


def call_in_child(
    function: Callable[[Any, float, Callable[[object], None]], None],
    request: object,
    deadline: Deadline,
) -> list[Any]:
    """Run ``function(request, seconds, send)`` in a process of its own.

    Starting it takes about 0.3 s. The process is ended at the deadline,
    whatever it does; what it has sent until then is kept. An interrupt from
    the keyboard does not reach it, and ends it.

    Parameters
    ----------
    function
        A function of a module; it is told how many seconds are left, and
        sends messages.
    request
        Its argument. It and the messages must be picklable.
    deadline
        When to end the process. It needs a limit.

    Returns
    -------
    list[Any]
        The messages, in the order in which they were sent.
    """
    code = _CODE.format(module=function.__module__, name=function.__name__)
    paths = os.pathsep.join(path for path in sys.path if path)
    child = subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": paths},
        start_new_session=True,
    )
    # The clock of the wall, the one that both processes share.
    end = time.time() + deadline.remaining()
    messages: list[Any] = []
    talk = threading.Thread(
        target=_converse, args=(child, (request, end), messages), daemon=True
    )
    try:
        talk.start()
        while talk.is_alive() and not deadline.passed():
            talk.join(min(0.05, deadline.remaining() + 0.001))
        failed = not talk.is_alive() and child.wait() != 0
    finally:
        child.kill()
        child.wait()
        talk.join(1.0)
    if failed:
        logger.warning("a helper process failed with code %d", child.wait())
    return messages


def _converse(
    child: subprocess.Popen[bytes],
    request: tuple[object, float],
    messages: list[Any],
) -> None:
    """Send the request and collect the messages until the child ends."""
    questions = cast("IO[bytes]", child.stdin)
    answers = cast("IO[bytes]", child.stdout)
    try:
        with answers, questions:
            pickle.dump(request, questions)
            questions.flush()
            while True:
                messages.append(pickle.load(answers))
    except (EOFError, OSError, pickle.UnpicklingError):
        # The process has ended, by itself or at the deadline.
        return


def serve(
    function: Callable[[Any, float, Callable[[object], None]], None],
) -> None:
    """Answer the request on stdin: the side of the child."""
    # Whatever a library prints must not get between the messages.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def send(message: object) -> None:
        pickle.dump(message, out)
        out.flush()

    request, end = pickle.load(sys.stdin.buffer)
    function(request, max(0.0, end - time.time()), send)
    out.close()
