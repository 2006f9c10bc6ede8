"""The curve of plans over a weight, its table and its figure."""

from __future__ import annotations

import csv
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

import ncc_routing as nr
from ncc_routing import TimeLimit
from ncc_routing.generators.days import generate_days
from ncc_routing.paper.scoring.weights_file import WEIGHTS
from ncc_routing.plotting import save_figure
from ncc_routing.plotting.trade_offs import PANELS

if TYPE_CHECKING:
    from pathlib import Path

    from ncc_routing.vrp.trade_off import TradeOff

PAST, TODAY = generate_days(60, 5, route_length=10.0)


@pytest.fixture(scope="module")
def curve() -> TradeOff:
    """Return plans between the shortest one and that of the day before."""
    before = nr.solve(PAST, polish="none")
    return nr.trade_off(
        *(TODAY, "consistency", (4, 1.0, 4)), reference=before, time_limit=0.4
    )


def test_the_table_compares_with_the_shortest(curve: TradeOff) -> None:
    """Weights once and 0 in any case, costs in percent, every measure."""
    assert curve.weights == (0.0, 1.0, 4.0)
    weights = [result.params["consistency"] for result in curve.results]
    assert weights == [0.0, 1.0, 4.0]
    rows = curve.table()
    columns = ["consistency", "cost", "more_percent", "num_routes", *PANELS]
    assert list(rows[0]) == columns
    for row, result in zip(rows, curve.results, strict=True):
        base = curve.results[0].cost
        assert row["more_percent"] == 100.0 * (result.cost - base) / base
        assert result.consistency is not None
        assert row["kept_pairs"] == result.consistency.kept_pairs
        assert row["overlap"] == result.shapes.overlap
    assert rows[0]["more_percent"] == 0.0
    assert rows[2]["kept_pairs"] > rows[0]["kept_pairs"]


def test_percent_of_a_negative_cost(curve: TradeOff) -> None:
    """More is more, as with vehicles that earn their fixed cost."""
    first = curve.results[0]
    plans = tuple(
        replace(first, best=replace(first.best, cost=cost))
        for cost in (-200.0, -190.0)
    )
    rows = replace(curve, weights=(0.0, 1.0), results=plans).table()
    assert rows[1]["more_percent"] == 5.0


def test_table_and_figure_on_disk(curve: TradeOff, tmp_path: Path) -> None:
    """What is written can be read, and the panels have titles."""
    curve.write(tmp_path / "curve.csv")
    with (tmp_path / "curve.csv").open(newline="") as file:
        read = list(csv.DictReader(file))
    assert [float(row["consistency"]) for row in read] == [0.0, 1.0, 4.0]
    assert float(read[1]["cost"]) == curve.results[1].cost
    figure = curve.plot()
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles == list(PANELS.values())
    save_figure(figure, tmp_path / "curve.svg")
    assert "kept" in (tmp_path / "curve.svg").read_text()
    lines = curve.summary().splitlines()
    assert len(lines) == 4
    assert len({len(line) for line in lines}) == 1
    assert "consistency up to 4" in repr(curve)


def test_a_clock_of_the_caller_ends_the_curve() -> None:
    """The plan that is being made is the last one."""
    curve = nr.trade_off(TODAY, stop=TimeLimit(0.2))
    assert curve.weights == (0.0,)
    assert "kept_pairs" not in curve.table()[0]


def test_a_curve_over_affinity() -> None:
    """Only a construction that reads the scorer has it at weight 0."""
    scorer = WEIGHTS / "ncc-cvrp.safetensors"
    asked = nr.SolveParams(scorer=str(scorer), affinity=1.0)
    curve = nr.trade_off(
        *(TODAY, "affinity", (1.0,)), time_limit=0.3, params=asked
    )
    assert curve.weights == (0.0, 1.0)
    plain, learned = (result.params for result in curve.results)
    assert "scorer" not in plain
    assert (learned["affinity"], learned["scorer"]) == (1.0, str(scorer))
    read = nr.SolveParams(method="ncc", scorer=scorer, time_limit=0.3)
    curve = nr.trade_off(TODAY, "affinity", (1.0,), params=read)
    assert curve.results[0].params["scorer"] == str(scorer)


@pytest.mark.parametrize(
    ("arguments", "changes", "message"),
    [
        (("magic",), {}, "name must be one of compactness, consistency"),
        (("consistency",), {}, "consistency 2.0 needs a reference"),
        (("affinity",), {}, "affinity 2.0 needs a scorer"),
        (("compactness", (1.0, -1.0)), {}, "compactness must lie in"),
        (("compactness",), {"compactness": 1.0}, "weights sets it"),
        (("compactness",), {"polish": "none"}, "needs an improvement"),
    ],
)
def test_wrong_parameters_are_said_at_once(
    arguments: tuple[object, ...], changes: dict[str, object], message: str
) -> None:
    """Before the first run."""
    with pytest.raises(nr.ParameterError, match=message):
        nr.trade_off(TODAY, *arguments, **changes)  # type: ignore[arg-type]


def test_the_weight_is_said_once() -> None:
    """Neither by name nor among the parameters."""
    params = nr.SolveParams(compactness=3.0)
    with pytest.raises(nr.ParameterError, match="not one of the weights"):
        nr.trade_off(TODAY, "compactness", [1], params=params)
    given: Any = 1
    with pytest.raises(nr.ParameterError, match="must be several numbers"):
        nr.trade_off(TODAY, "compactness", given)
