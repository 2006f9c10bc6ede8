"""Calls in processes of their own, which end with this one."""

from __future__ import annotations

import ctypes
import gc
import logging
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache, partial
from itertools import islice
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from ncc_routing.core.exceptions import DeadProcessError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import IO, Self

    from ncc_routing.core.stopping import TimeLimit

    Task = TypeVar("Task")
    Answer = TypeVar("Answer")

logger = logging.getLogger(__name__)

_CODE: Final = "from ncc_routing.core.processes import serve; serve()"
"""What the interpreter of the child runs."""

_SAID: Final = "said"
_RETURNED: Final = "returned"
_RAISED: Final = "raised"
"""Kinds of what a child sends: a message, the answer, or an error."""

_TRIES: Final = 3
"""Processes that work on a call where they die."""

_AHEAD: Final = 8
"""Tasks for each job that go to a backend that answers all at once."""


def num_workers() -> int:
    """Return how many jobs can run at a time.

    By cores, or by workers of the backend of ``joblib.parallel_config``.
    """
    from joblib import effective_n_jobs

    return int(effective_n_jobs(-1))


class Child:
    """A process that answers calls, one at a time.

    Starting it takes about 0.3 s. It ends with this process, whose pipe is
    closed then. Ctrl-C does not reach it. Modules are imported from where this
    process imports them, never from the working folder alone.
    """

    def __init__(self) -> None:
        paths = os.pathsep.join(path for path in sys.path if path)
        self._process = subprocess.Popen(
            # -P: the working folder is not put in front of the paths.
            [sys.executable, "-P", "-c", _CODE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # One thread: several of them share the cores.
            env={
                "OPENBLAS_NUM_THREADS": "1",
                **os.environ,
                "PYTHONPATH": paths,
            },
            start_new_session=True,
        )

    def call(
        self,
        function: Callable[..., Any],
        *arguments: object,
        hear: Callable[[Any], object] | None = None,
    ) -> Any:
        """Return ``function(*arguments)``, called in the process.

        All is picklable. ``hear`` is called with each message; the function
        sends them by one more argument. Its exception is raised, or
        ``DeadProcessError`` if the process dies; the process has ended in both
        cases.
        """
        answer, error = self.ask(function, *arguments, hear=hear)
        if error is not None:
            raise error
        return answer

    def ask(
        self,
        function: Callable[..., Any],
        *arguments: object,
        hear: Callable[[Any], object] | None = None,
    ) -> tuple[Any, Exception | None]:
        """Return the answer of a call, and in place of it what is raised."""
        # Packed twice: what cannot be unpacked is an error of this call.
        request = pickle.dumps((function, arguments, hear is not None))
        questions = cast("IO[bytes]", self._process.stdin)
        answers = cast("IO[bytes]", self._process.stdout)
        try:
            pickle.dump(request, questions)
            questions.flush()
            kind, content = pickle.load(answers)
            while kind == _SAID:
                if hear is not None:
                    hear(content)
                kind, content = pickle.load(answers)
        # ValueError: another thread has closed the pipe.
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            self.end()
            return None, DeadProcessError(self._process.wait())
        if kind == _RAISED:
            self.end()
            return None, content
        return content, None

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    def end(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.wait()


class Workers:
    """Processes for calls from several threads, kept from call to call.

    The context ends them. Pickled copies are those of the process that they
    come to, which end with it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_open = True
        self._idle: list[Child] = []
        self._all: set[Child] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._is_open = False
            children = list(self._all)
        for child in children:
            child.end()

    def __reduce__(self) -> tuple[Callable[[], Workers], tuple[()]]:
        return _workers_here, ()

    def call(self, function: Callable[..., Any], *arguments: object) -> Any:
        """Call ``function(*arguments)``, again if the process dies."""
        answer, error = self.ask(function, *arguments)
        if error is not None:
            raise error
        return answer

    def ask(
        self, function: Callable[..., Any], *arguments: object
    ) -> tuple[Any, Exception | None]:
        """Return the answer of a call, and in place of it what is raised.

        A process that dies is replaced, twice at most.
        """
        answer, error = self._try(function, *arguments)
        for _ in range(_TRIES - 1):
            if not (isinstance(error, DeadProcessError) and self._is_open):
                break
            logger.warning("%s Its work is repeated.", error)
            answer, error = self._try(function, *arguments)
        return answer, error

    def _try(
        self, function: Callable[..., Any], *arguments: object
    ) -> tuple[Any, Exception | None]:
        """Make a call once, in an idle process or a new one."""
        with self._lock:
            if not self._is_open:
                return None, DeadProcessError(None)
            child = self._idle.pop() if self._idle else Child()
            self._all.add(child)
        try:
            answer, error = child.ask(function, *arguments)
        except BaseException:
            self._all.discard(child)
            child.end()
            raise
        if error is None:
            self._idle.append(child)
        else:
            self._all.discard(child)
        return answer, error


@cache
def _workers_here() -> Workers:
    """Return the workers of copies, which no context ends."""
    return Workers()


def distribute(
    work: Callable[[Task], Answer],
    tasks: Iterable[Task],
    when_failed: Callable[[Task, Exception], Answer],
    jobs: int,
    *,
    is_apart: bool = False,
) -> Iterator[Answer]:
    """Call a function for each task, and yield the answers as they come.

    One job works in this process unless ``is_apart``, others in processes.
    There ``when_failed`` answers a task whose call raises an exception, or
    whose process dies three times. joblib does it, so that
    ``joblib.parallel_config`` can choose another backend; it takes tasks when
    it has room for them.
    """
    if jobs == 1 and not is_apart:
        yield from map(work, tasks)
        return
    from joblib import Parallel, delayed, effective_n_jobs

    with Workers() as workers:
        call = delayed(call_apart)
        calls = (call(workers, work, task, when_failed) for task in tasks)
        # Threads, each of which waits for a process.
        options: dict[str, Any] = {"n_jobs": jobs, "prefer": "threads"}
        try:
            run = Parallel(**options, return_as="generator_unordered")
        except ValueError:  # from Ray and Spark, which return only lists
            size = _AHEAD * effective_n_jobs(jobs)
            with Parallel(**options) as run:
                while some := list(islice(calls, size)):
                    yield from run(some)
        else:
            answers = run(calls)
            try:
                for answer in answers:  # noqa: UP028 (closed below)
                    yield answer
            finally:
                # Who wants no more answers need not be told what is lost.
                with warnings.catch_warnings(action="ignore"):
                    answers.close()


def call_apart(
    workers: Workers,
    work: Callable[[Task], Answer],
    task: Task,
    when_failed: Callable[[Task, Exception], Answer],
) -> Answer:
    """Call a function in another process."""
    from joblib import wrap_non_picklable_objects

    try:
        # What a script defines has no module that a worker could import.
        packed = wrap_non_picklable_objects(
            partial(work, task), keep_wrapper=False
        )
        answer, error = workers.ask(packed)
    except (pickle.PicklingError, AttributeError, TypeError) as unpicklable:
        error = unpicklable
    return answer if error is None else when_failed(task, error)


def call_in_child(
    function: Callable[[Any, float, Callable[[object], None]], None],
    request: object,
    deadline: TimeLimit,
) -> list[Any]:
    """Return what ``function(request, seconds, send)`` sends in a process.

    The process is ended at the deadline, which needs a limit; earlier messages
    are kept. ``seconds`` are those that are left.
    """
    child = Child()
    # The clock of the wall, the one that both processes share.
    end = time.time() + deadline.remaining()
    messages: list[Any] = []
    with ThreadPoolExecutor(1) as threads:
        talk = threads.submit(
            child.call, _run, function, request, end, hear=messages.append
        )
        try:
            while not talk.done() and not deadline.passed():
                wait([talk], min(0.05, deadline.remaining() + 0.001))
            failure = talk.exception() if talk.done() else None
        finally:
            child.end()
    if failure is not None:
        kind = type(failure).__name__
        logger.warning("a helper process failed: %s: %s", kind, failure)
    return messages


def _run(
    function: Callable[[Any, float, Callable[[object], None]], None],
    request: object,
    end: float,
    send: Callable[[object], None],
) -> None:
    """Call a function with the seconds left: in the child."""
    function(request, max(0.0, end - time.time()), send)


def serve() -> None:
    """Answer calls until the pipe is closed: the side of the child."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    questions = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    # Whatever a library prints must not get between the messages.
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    requests: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(
        target=_listen, args=(questions, requests), daemon=True
    ).start()

    def send(kind: str, content: object) -> None:
        answers.write(pickle.dumps((kind, content)))
        answers.flush()

    def answer(request: bytes) -> None:
        try:
            function, arguments, is_heard = pickle.loads(request)
            if is_heard:
                arguments = (*arguments, lambda said: send(_SAID, said))
            send(_RETURNED, function(*arguments))
        except Exception as error:
            send(_RAISED, _portable(error))
            raise

    # What is raised is told above, and not on stderr.
    sys.excepthook = lambda *_: None
    answer(requests.get())
    gc.collect()
    gc.freeze()  # modules, which no later collection has to look at
    while True:
        answer(requests.get())
        gc.collect()
        _trim()


def _trim() -> None:
    """Give free memory back to the system, where its C library can."""
    trim = getattr(ctypes.pythonapi, "malloc_trim", None)
    if trim is not None:
        trim(0)


def _portable(error: Exception) -> Exception:
    """Return an error that can travel: itself, or its text."""
    try:
        pickle.loads(pickle.dumps(error))
    # A class within a function, or one that is made of other arguments.
    except (pickle.PicklingError, AttributeError, TypeError):
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _listen(questions: IO[bytes], requests: SimpleQueue[bytes]) -> None:
    """Take requests from the pipe, and end the process with it."""
    try:
        while True:
            requests.put(pickle.load(questions))
    finally:
        os._exit(0)
