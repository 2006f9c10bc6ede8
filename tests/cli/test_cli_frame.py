"""What all verbs that run something have in common."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

import pytest

import ncc_routing as nr
from ncc_routing.generators import generate_uchoa

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run


class Verb(NamedTuple):
    """Words that run, what is written and drawn, and a parameter."""

    words: str
    output: str
    plot: str | None
    params: str
    stage: str


SEARCH = "[ruin_recreate]\nmean_removed = 12\n"
VERBS = {
    "solve": Verb("solve a.vrp", "a.sol", "a.html", SEARCH, "savings"),
    "reshape": Verb(
        "solve a.vrp --start past.sol --compactness 1 --max-extra-cost 0.01",
        *("a.csv", "a.svg", SEARCH, "start"),
    ),
    "replan": Verb(
        "replan past.json --now 5", *("a.csv", "a.svg", SEARCH, "start")
    ),
    "what-if": Verb("what-if past.json", "a.json", None, SEARCH, "start"),
    "solve-days": Verb("solve-days a.vrp b.vrp", "out", None, SEARCH, "best"),
    "cluster": Verb(
        "cluster points.csv --capacity 3",
        *("a.csv", "a.html", "[search]\nnum_kicks = 3\n", "cluster"),
    ),
}
for_each_verb = pytest.mark.parametrize("name", VERBS)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write two days, a plan of the first, points and parameters."""
    monkeypatch.chdir(tmp_path)
    for name, seed in (("a", 1), ("b", 2)):
        nr.write_instance(f"{name}.vrp", generate_uchoa(25, seed))
    plan = nr.solve("a.vrp", method="savings", polish="none")
    plan.write("past.sol")
    plan.write("past.json")
    points = "x,y\n0,0\n0,1\n1,0\n9,9\n9,8\n8,9\n"
    (tmp_path / "points.csv").write_text(points)
    return tmp_path


@for_each_verb
def test_the_answer_is_one_object(run: Run, folder: Path, name: str) -> None:
    """Options count more than a file of parameters, and both are told."""
    verb = VERBS[name]
    text = f"seed = 7\ntime_limit = 0.3\n{verb.params}"
    (folder / "run.toml").write_text(text)
    words = f"{verb.words} --params run.toml --seed 3 --json"
    done = run.succeeds(words)
    assert done.out.count("\n") == 1
    answer = json.loads(done.out)
    params = answer.get("params", answer)
    if "params" in answer:
        assert params["time_limit"] == 0.3
        [group] = params.keys() & {"ruin_recreate", "search"}
        changed = params[group].get("mean_removed", 12)
        assert changed == 12
        assert params[group].get("num_kicks", 3) == 3
    assert params["seed"] == 3
    if name != "cluster":
        assert answer["version"] == nr.__version__


@for_each_verb
def test_files_are_written_and_named(
    run: Run, folder: Path, name: str
) -> None:
    """Beside lines for a person, and progress on stderr where wanted."""
    verb = VERBS[name]
    more = f"-o {verb.output} --time-limit 0.3 --progress"
    if verb.plot:
        more += f" --plot {verb.plot}"
    done = run.succeeds(verb.words, more)
    for file in filter(None, (verb.output, verb.plot)):
        assert (folder / file).exists()
        assert file in done.out
    assert verb.stage in done.err
    assert verb.stage not in run.succeeds(verb.words, "--time-limit 0.3").err
