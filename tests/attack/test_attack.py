"""A small version of each part of the attack, and the tool itself."""

from __future__ import annotations

import subprocess
import sys
import time
import warnings
from collections import Counter
from importlib import import_module
from typing import TYPE_CHECKING

import house
import numpy as np
import pytest

import ncc_routing as nr
from ncc_route import app
from tests.attack import costs, repeated
from tests.attack.clusters import partitions
from tests.attack.commands import LINES, Line, run_command, write_files
from tests.attack.doomed import ENDINGS
from tests.attack.independent import faults_of
from tests.attack.limits import used_seconds
from tests.attack.mutations import mutate_bytes, mutate_text
from tests.attack.outcomes import Found, require_line, seeded
from tests.attack.pages import format_row, write_page
from tests.attack.parts import PARTS
from tests.attack.runner import Part, Report, run_part
from tests.attack.samples import LOWER_ROW
from tests.attack.verbs import VERBS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.attack.outcomes import Case

NUM_SMALL = {
    "files": 120,
    "commands": 40,
    "degenerate": 4,
    "clusters": 4,
    "kills": 2,
    "writes": 2,
    "full disk": 2,
    "together": 1,
}
"""Cases of a part in this test; the others have tests of their own."""

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs signals")


@posix
@pytest.mark.parametrize("name", NUM_SMALL)
def test_small_attack_finds_nothing(name: str, tmp_path: Path) -> None:
    """Some cases of each part, in this process."""
    part = next(part for part in PARTS if part.name == name)
    module, _, function = part.function.partition(":")
    case: Case = getattr(import_module(module), function)
    counts: Counter[str] = Counter()
    for number in range(NUM_SMALL[name]):
        folder = tmp_path / str(number)
        folder.mkdir()
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            counts += case(number, seeded(1, name, number), folder)
    assert sum(counts.values()) >= NUM_SMALL[name]


@pytest.mark.parametrize("line", LINES)
def test_whole_command_lines_are_done(line: Line, tmp_path: Path) -> None:
    """Only the damage of the attack is refused."""
    write_files(tmp_path)
    code, errors = run_command([*line.words, *line.bounds], tmp_path)
    assert code == 0, errors


@pytest.mark.parametrize("method", ["savings", "sweep", "cluster rnd-nn"])
def test_memory_stays_flat(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some solves of quick methods; the attack makes a thousand of all."""
    monkeypatch.setattr(repeated, "NUM_SOLVES", 60)
    monkeypatch.setattr(repeated, "NUM_FIRST", 20)
    names = [name for name, _ in repeated.works()]
    found = repeated.solve_often(names.index(method))
    assert found == {"solves": 60}


@pytest.mark.parametrize("method", ["savings", "sweep"])
def test_costs_are_those_of_vrplib_and_pyvrp(
    method: str, data_dir: Path
) -> None:
    """On instances of set X, one of each of four classes of size."""
    files = costs.sample(4, seed=1)
    if not files:
        pytest.skip("set X is not here")
    for file in files:
        costs.require_cost(file, method)


@posix
def test_bad_endings_are_found(tmp_path: Path) -> None:
    """An error, a hang, a crash, much memory and a warning, with inputs."""
    part = Part(
        "doomed",
        "ends badly",
        "tests.attack.doomed:end_badly",
        share=1.0,
        patience=2.0,
        most=len(ENDINGS),
    )
    report = run_part(part, 1, 60.0, tmp_path)
    assert report.counts == {"cases": 6, "inputs": 1, "refused": 1}
    wanted = ("KeyError", "no answer", "Segmentation", "MB", "RuntimeWarning")
    if sys.platform != "linux":
        wanted = tuple(word for word in wanted if word != "MB")
    assert len(report.findings) == len(wanted)
    for word, text in zip(wanted, report.findings, strict=True):
        assert word in text
    kept = tmp_path / "doomed-3"
    assert (kept / "input.txt").read_text() == "dies"
    assert "seed 1" in (kept / "finding.txt").read_text()


def test_wrong_answers_are_found(tmp_path: Path) -> None:
    """A missing and a doubled customer, an overload, and a wrong cost."""
    file, answer = tmp_path / "a.vrp", tmp_path / "a.sol"
    file.write_text(LOWER_ROW)

    def faults(routes: list[list[int]], cost: float) -> str:
        lines = [f"Route #{k}: {r}" for k, r in enumerate(routes, 1)]
        text = "\n".join(lines).translate(str.maketrans("[],", "   "))
        answer.write_text(f"{text}\nCost {cost}\n")
        return str(faults_of(file, answer, cost))

    # 0-1-2-0 costs 5 + 7 + 6, and 0-3-4-0 costs 8 + 4 + 3.
    assert faults([[1, 2], [3, 4]], 33) == "[]"
    assert "visited" in faults([[1, 2], [3]], 34)
    assert "visited" in faults([[1, 2], [2], [3, 4]], 45)
    assert "load 8" in faults([[1, 4], [2, 3]], 30)
    assert "cost 32" in faults([[1, 2], [3, 4]], 32)
    file.write_text(LOWER_ROW.replace("CAPACITY", "VEHICLES : 2\nCAPACITY"))
    assert faults([[1, 2], [3, 4]], 33) == "None"


def test_every_clustering_is_tried_once() -> None:
    """As many as the numbers of Stirling: 1 + 7 + 6 for four points."""
    ways = list(partitions(4, 3))
    assert len(ways) == len(set(ways)) == 14
    assert (0, 1, 0, 2) in ways
    assert len(list(partitions(6, 6))) == 203


def test_lengths_are_rounded_as_the_file_says(tmp_path: Path) -> None:
    """A square of side 1, there and back by the diagonal of 1.41."""
    file, answer = tmp_path / "a.vrp", tmp_path / "a.sol"
    instance = nr.Instance(
        "a",
        np.array([0, 1, 1]),
        2,
        np.array([[0, 0], [1, 1], [9, 9]]),
    )
    nr.write_instance(file, instance)
    text = file.read_text()
    # 1.414, 11.314 and 12.728, each rounded by itself.
    for kind, cost in (("EUC_2D", 25), ("CEIL_2D", 27), ("FLOOR_2D", 24)):
        file.write_text(text.replace("EUC_2D", kind))
        answer.write_text(f"Route #1: 1 2\nCost {cost}\n")
        assert faults_of(file, answer, cost) == []
        assert faults_of(file, answer, cost + 1) != []


def test_damage_depends_on_the_seed_alone() -> None:
    """The same case gives the same input on every machine."""
    texts = [mutate_text(LOWER_ROW, seeded(1, "x", k)) for k in range(20)]
    again = [mutate_text(LOWER_ROW, seeded(1, "x", k)) for k in range(20)]
    assert texts == again
    assert len(set(texts)) > 15
    content = LOWER_ROW.encode()
    rounds = [mutate_bytes(content, seeded(1, "x", k)) for k in range(20)]
    assert len(set(rounds)) > 15


@pytest.mark.parametrize("message", ["", "a\nb", "\x1b[31m", "x" * 3_000])
def test_only_one_clear_line_will_do(message: str) -> None:
    """Neither nothing, nor lines, nor control characters, nor a book."""
    with pytest.raises(Found):
        require_line(message)
    require_line("a.vrp: CAPACITY: is missing.", "a.vrp")


def test_every_verb_that_writes_is_killed() -> None:
    """All but those that only read, and the compiler's."""
    killed = {verb.words.split()[0] for verb in VERBS}
    verbs = {name.__name__.replace("_", "-") for name in app.VERBS}
    assert killed == verbs - {"check", "evaluate", "warmup"}


def test_page_tells_of_every_part() -> None:
    """The counts of the last attack stand in its page."""
    page = house.REPOSITORY / "docs" / "dev" / "reliability.md"
    text = page.read_text(encoding="utf-8")
    assert [p.name for p in PARTS if f"| {p.name} |" not in text] == []


def test_page_keeps_the_rows_of_other_parts(tmp_path: Path) -> None:
    """A run of some parts replaces their rows alone."""
    page = tmp_path / "page.md"
    page.write_text("# Page\n\n<!-- begin attack -->\n<!-- end attack -->\n")
    for name, number in (("files", 1), ("limits", 2), ("files", 1_200)):
        part = Part(name, "does it", "a:b", share=1.0)
        report = Report(part, Counter({"cases": number}), ["one", "two"])
        write_page([format_row(report, f"run {number}")], page)
    rows = [r for r in page.read_text().splitlines() if "does it" in r]
    assert rows == [
        "| files | does it | 1,200 cases | 2 | run 1200 |",
        "| limits | does it | 2 cases | 2 | run 2 |",
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_time_of_helpers_counts_while_they_work() -> None:
    """A process that works for this one, and after its end."""
    code = "while True: pass"
    before = used_seconds()
    with subprocess.Popen([sys.executable, "-c", code]) as child:
        own = time.process_time()
        while used_seconds() - before < 0.3:
            time.sleep(0.02)
        assert time.process_time() - own < 0.2
        child.kill()
    assert used_seconds() - before >= 0.25
