"""Calls in a process that is ended at the deadline."""

import logging
import math
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import joblib
import pytest
from joblib.parallel import ThreadingBackend

import ncc_routing as nr
from ncc_routing.core.exceptions import DeadProcessError, message_of
from ncc_routing.core.processes import Workers, call_in_child, distribute


def double_twice(
    request: int, seconds: float, send: Callable[[object], None]
) -> None:
    """Send the doubled request, print, and send the remaining time."""
    send(2 * request)
    print("not a message")
    send(seconds)


def send_and_sleep(
    request: str, seconds: float, send: Callable[[object], None]
) -> None:
    """Send the request and outstay the deadline."""
    send(request)
    time.sleep(60 + seconds)


@pytest.fixture(autouse=True)
def _importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the child import this file."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent))


def test_messages_arrive_in_order() -> None:
    """Prints of the child do not get between its messages."""
    messages = call_in_child(double_twice, 21, nr.stop.TimeLimit(30))
    assert messages[0] == 42
    assert 0 < messages[1] < 30


def test_a_sleeper_is_ended_and_its_messages_kept() -> None:
    """What was sent before the deadline is returned."""
    deadline = nr.stop.TimeLimit(3)
    assert call_in_child(send_and_sleep, "early", deadline) == ["early"]
    assert deadline.passed()


def test_a_failing_child_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """A function that fails gives no messages, and a warning."""
    with caplog.at_level(logging.WARNING, logger="ncc_routing"):
        assert call_in_child(math.sqrt, 2, nr.stop.TimeLimit(30)) == []  # type: ignore[arg-type]
    assert "failed: TypeError: " in caplog.text


def test_the_working_folder_is_not_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What lies there under the name of a library is not run."""
    for name in ("pickle", "numpy", "logging"):
        (tmp_path / f"{name}.py").write_text("open('was_run', 'w')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    assert call_in_child(double_twice, 21, nr.stop.TimeLimit(30))[0] == 42
    assert not (tmp_path / "was_run").exists()


def die(folder: str) -> str:
    """Die by a signal when called for the first time."""
    place = Path(folder, "died")
    if not place.exists():
        place.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "alive"


def die_always() -> None:
    """Die by a signal."""
    os.kill(os.getpid(), signal.SIGKILL)


def fail(text: str) -> None:
    """Raise an error."""
    raise nr.InstanceError("file", "field", text)


def test_a_dead_worker_is_replaced(tmp_path: Path) -> None:
    """The third death, or what it raises, is an error; then a new one."""
    with Workers() as workers:
        assert workers.call(die, str(tmp_path)) == "alive"
        with pytest.raises(DeadProcessError, match="killed by signal 9"):
            workers.call(die_always)
        first = workers.call(os.getpid)
        assert first != os.getpid()
        assert workers.call(os.getpid) == first
        with pytest.raises(nr.InstanceError, match="file: field: rule"):
            workers.call(fail, "rule")
        assert workers.call(len, "abc") == 3


def test_failures_are_answered_and_the_others_go_on(tmp_path: Path) -> None:
    """A process may die twice; errors and what cannot travel fail at once."""

    def work(task: object) -> object:
        """Raise an error, or die until there are as many files."""
        if task == "raises":
            raise KeyError(task)
        deaths = {"twice": 2, "dies": 9}.get(str(task), 0)
        count = len(list(tmp_path.glob(f"{task}*")))
        if count < deaths:
            (tmp_path / f"{task}{count}").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return os.getpid()

    def note(task: object, error: Exception) -> str:
        return f"{task}: {message_of(error)}"

    lock = threading.Lock()
    for jobs, apart in ((1, True), (2, False)):
        for file in tmp_path.iterdir():
            file.unlink()
        tasks = ["raises", "twice", lock, "dies", "fine"]
        found = list(distribute(work, tasks, note, jobs, is_apart=apart))
        texts = sorted(each for each in found if isinstance(each, str))
        assert texts == [
            f"{lock}: TypeError: cannot pickle '_thread.lock' object",
            "dies: a worker process was killed by signal 9.",
            "raises: KeyError: 'raises'",
        ]
        assert len(found) == 5
        assert os.getpid() not in found
        assert len(list(tmp_path.iterdir())) == 5


class Lists(ThreadingBackend):  # type: ignore[misc]
    """A backend such as those of Ray and Spark: all answers at once."""

    supports_return_generator = False


def test_backends_that_return_lists_are_given_slices() -> None:
    """Tasks are taken when there is room for them."""
    taken = []

    def tasks() -> Iterator[int]:
        for number in range(40):
            taken.append(number)
            yield number

    with joblib.parallel_config(backend=Lists()):
        found = distribute(abs, tasks(), fail_for, 2)
        assert next(found) == 0
        assert len(taken) < 40
        assert [0, *found] == list(range(40))


def fail_for(task: object, error: Exception) -> NoReturn:
    """Raise what a task has raised."""
    raise error


def test_children_end_with_a_killed_parent(tmp_path: Path) -> None:
    """The busy one and the idle one, of a process that cannot say so."""
    place = tmp_path / "pid"
    code = (
        "import sys\n"
        "from tests_of_processes import write_and_sleep\n"
        "from ncc_routing.core.stopping import TimeLimit\n"
        "from ncc_routing.core.processes import call_in_child\n"
        f"call_in_child(write_and_sleep, {str(place)!r}, TimeLimit(60))\n"
    )
    (tmp_path / "tests_of_processes.py").write_text(
        "import os, pathlib, time\n"
        "def write_and_sleep(place, seconds, send):\n"
        "    pathlib.Path(place + '.new').write_text(str(os.getpid()))\n"
        "    os.rename(place + '.new', place)\n"
        "    end = time.time() + 60\n"
        "    while time.time() < end: pass\n"
    )
    paths = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    parent = subprocess.Popen(
        [sys.executable, "-P", "-c", code],
        env={**os.environ, "PYTHONPATH": paths},
    )
    wait_until(place.exists)
    child = int(place.read_text())
    parent.kill()
    parent.wait()
    wait_until(lambda: has_ended(child))


def wait_until(reached: Callable[[], bool]) -> None:
    """Wait for something, for half a minute at most."""
    end = time.monotonic() + 30
    while not reached():
        assert time.monotonic() < end
        time.sleep(0.02)


def has_ended(pid: int) -> bool:
    """Whether a process is gone, or waits for nothing but its parent."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and ") Z " in status.read_text()
