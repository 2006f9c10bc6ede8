"""Every command and every piece of Python in README and pages runs."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import layers
import snippets
from ncc_route.app import main
from tests.oracles.system import keeping_handlers

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCS = layers.REPOSITORY / "docs"
PAGES = {
    path.relative_to(layers.REPOSITORY).as_posix(): path
    for path in (
        layers.REPOSITORY / "README.md",
        layers.REPOSITORY / "instances" / "README.md",
        *sorted(DOCS.rglob("*.md")),
    )
    if "_build" not in path.parts
    and any(
        snippet.language == "python" or snippets.find_commands(snippet.text)
        for snippet in snippets.find_snippets(path.read_text("utf-8"))
    )
}
SHELL_SIGNS = frozenset("|<>&;$`=")
"""Where one of these stands in a command, a shell runs it."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Work in an empty folder, the command on the path."""
    command = tmp_path / "bin" / "ncc-route"
    command.parent.mkdir()
    command.write_text(
        f'#!/bin/sh\nexec {sys.executable} -m ncc_route.app "$@"\n'
    )
    command.chmod(0o755)
    paths = (str(source) for source in layers.SOURCES.values())
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    monkeypatch.setenv("PATH", f"{command.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.chdir(tmp_path)
    with keeping_handlers():
        yield tmp_path


def run_page(text: str, name: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Run each example of a page by itself; return how many ran.

    Each has a session of its own, in a new folder with what a reader has.
    """
    folder, ran = Path.cwd(), 0
    for snippet in snippets.find_snippets(text):
        place = f"{name}:{snippet.line}"
        monkeypatch.chdir(tempfile.mkdtemp(dir=folder))
        if "instances" in snippet.text:
            shutil.copytree(layers.REPOSITORY / "instances", "instances")
        for file, table in snippets.FILES.items():
            Path(file).write_text(table, encoding="utf-8")
        if snippet.language == "python":
            lines = "\n" * (snippet.line - 1) + snippet.text
            exec(compile(lines, name, "exec"), {"__name__": name})
            ran += 1
            continue
        for command in snippets.find_commands(snippet.text):
            run_command(command, place, monkeypatch)
            ran += 1
    return ran


def run_command(
    command: str, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run a command of ours, in this process where no shell is needed."""
    assert "ncc-route" in command, f"{place}: {command!r} is not ours"
    if SHELL_SIGNS & set(command):
        code = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command], check=False
        ).returncode
    else:
        words = shlex.split(command, comments=True)
        monkeypatch.setattr("sys.argv", words)
        assert words[0] == "ncc-route", f"{place}: {command}"
        with pytest.raises(SystemExit) as stop:
            main()
        code = int(stop.value.code or 0)
    assert code == 0, f"{place}: {command}"


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.usefixtures("folder", "published_by_name")
def test_examples_of_a_page_run(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a page tells its reader to type works, whatever came before."""
    run_page(PAGES[name].read_text("utf-8"), name, monkeypatch)


PAGE = """\
```sh
make demo
ncc-route check NCC-n0021-s1 \\
    instances/NCC-n0021-s1.sol  # the best known
```
<!-- not run: takes an hour -->
```python
raise ValueError
```
```python
seconds = dict(time_limit=60.0)
```
```python
assert dict(time_limit=60.0) == {"time_limit": 0.2}
assert "seconds" not in globals()
```
```sh
ncc-route check NCC-n0021-s1 instances/NCC-n0021-s1.sol > checked.txt
```
"""


@pytest.mark.usefixtures("folder")
def test_examples_run_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two commands, two blocks that share no name; the marked one is left."""
    assert run_page(PAGE, "page", monkeypatch) == 4
    assert "feasible" in Path("checked.txt").read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("```sh\nncc-route check NCC-n0021-s1 no.sol\n```\n", AssertionError),
        ("```sh\nncc-route instances --wrong > a.txt\n```\n", AssertionError),
        ("```sh\nwget example.org\n```\n", AssertionError),
        ("```python\nimport no_such\n```\n", ImportError),
        ("```python\na = 1\n```\n```python\na\n```\n", NameError),
        (
            "```sh\nncc-route check NCC-n0021-s1 "
            "instances/NCC-n0021-s1.sol > a.txt\n```\n"
            "```sh\nncc-route check NCC-n0021-s1 a.txt\n```\n",
            AssertionError,
        ),
    ],
)
@pytest.mark.usefixtures("folder")
def test_broken_examples_are_found(
    text: str, error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command that fails or is not ours, and an error of Python."""
    with pytest.raises(error):
        run_page(text, "page", monkeypatch)


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("README.md", "orders.csv vehicles.csv"),
        (
            "docs/start/quick_start.md",
            "customers.csv orders.csv vehicles.csv places.csv fleet.csv",
        ),
        ("docs/dev/contributing.md", "nearest.py"),
    ],
)
def test_files_in_pages_are_those_that_run(name: str, files: str) -> None:
    """A reader may copy them."""
    text = PAGES[name].read_text("utf-8")
    for file in files.split():
        assert snippets.FILES[file] in text


def test_find_commands() -> None:
    """Continued lines are one; comments and others are left out."""
    text = (
        "# first\nmake demo\nNCC_ROUTING_DATA=d python -m x\n"
        "ncc-route solve a \\\n    --json\nA=b ncc-route plot\n"
    )
    assert snippets.find_commands(text) == [
        "ncc-route solve a      --json",
        "A=b ncc-route plot",
    ]


def test_shorten() -> None:
    """Times are cut, other numbers stay."""
    assert snippets.shorten("--time-limit 60 --seed 3") == (
        "--time-limit 0.2 --seed 3"
    )
    assert snippets.shorten("f(time_limit=60, seed=60, budget = 20.0)") == (
        "f(time_limit=0.2, seed=60, budget = 0.2)"
    )
    share = "f(time_limit=0.8 * budget)"
    assert snippets.shorten(share) == share
