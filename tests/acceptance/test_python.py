"""What a new user writes in Python, and what has to come of it."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.acceptance.conftest import Type

HEAD = "import ncc_routing as nr\n"
SOLVED = f'{HEAD}r = nr.solve("NCC-n0101-s1", time_limit=1.0)\n'

EXAMPLES = {
    "a path, an Instance, ProblemData and Model": """
        import pyvrp
        from ncc_routing.io.names import find_instance
        file = find_instance("NCC-n0021-s1")
        data = pyvrp.read(file, round_func="round")
        model = pyvrp.Model.from_data(data)
        kinds = str(file), file, nr.read(file), data, model
        costs = [nr.solve(kind, time_limit=1.0).cost for kind in kinds]
        assert set(costs) == {6180}, costs
        """,
    "a warm start": """
        import pyvrp
        from ncc_routing.io.names import find_instance
        file = find_instance("NCC-n0101-s1")
        data = pyvrp.read(file, round_func="round")
        start = nr.warm_start(data, time_limit=1.0, seed=1)
        assert start.is_feasible() and start.is_complete()
        stop = pyvrp.stop.MaxIterations(10)
        found = pyvrp.solve(data, stop, display=False, initial_solution=start)
        assert found.cost() <= start.distance()
        """,
    "callbacks": """
        heard = []
        class Log(nr.Callbacks):
            def on_start(self, problem, params): heard.append("start")
            def on_best(self, progress): heard.append(progress.cost)
            def on_end(self, result): heard.append("end")
        nr.solve("NCC-n0101-s1", time_limit=1.0, callbacks=Log())
        costs = heard[1:-1]
        assert heard[0] == "start" and heard[-1] == "end"
        assert len(costs) > 1 and costs == sorted(costs, reverse=True)
        """,
    "stopping criteria": """
        for stop in (
            nr.stop.MaxIterations(1000),
            nr.stop.NoImprovement(1000),
            nr.stop.TargetCost(32000),
            nr.stop.FirstFeasible(),
            nr.stop.first_of(
                nr.stop.TargetCost(1), nr.stop.MaxIterations(1000)
            ),
        ):
            found = nr.solve("NCC-n0101-s1", time_limit=60.0, stop=stop)
            assert found.runtime < 50, stop
        """,
    "a DataFrame": """
        import pandas as pd
        table = pd.read_csv("named.csv")
        assert nr.solve(nr.read(table, capacity=7)).cost == 120
        """,
    "a map": """
        r = nr.solve(nr.read("world.csv", capacity=9))
        assert r.plot().axes[0].get_aspect() > 1.5
        """,
    "clusters": """
        found = nr.cluster("points.csv", capacity=12, time_limit=1.0)
        again = type(found).from_json(found.to_json())
        assert (again.labels == found.labels).all()
        assert len(found.to_dataframe()) == 60
        assert "<svg" in found._repr_html_()
        found.plot().savefig("c.png")
        assert found.summary() and repr(found)
        """,
    "an estimator in a grid": """
        import numpy as np
        from sklearn.model_selection import GridSearchCV
        X, w = np.random.default_rng(1).random((60, 2)), np.ones(60)
        model = nr.CapacitatedClustering(capacity=12, time_limit=0.5)
        search = GridSearchCV(model, {"n_clusters": [5, 7]}, cv=2)
        search.fit(X)
        model.set_params(n_clusters=6).set_output(transform="pandas")
        labels = model.fit_predict(X, sample_weight=w)
        assert np.bincount(labels).max() <= 12
        assert model.transform(X).shape == (60, 6)
        model.predict([[0.5, 0.5]], sample_weight=[1], within_capacity=True)
        """,
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(type_in: Type, name: str) -> None:
    """The assertions of an example hold in a new interpreter."""
    type_in(HEAD + dedent(EXAMPLES[name]), language="python")


def test_a_result(type_in: Type) -> None:
    """A result has a summary, a trace, figures, and forms to be kept in."""
    code = """
        assert len(r.trace) > 1 and r.trace[-1].cost == r.cost
        assert str(int(r.cost)) in r.summary().replace(",", "")
        assert len(repr(r)) < 200 and "\\n" not in repr(r)
        assert "<svg" in r._repr_html_()
        again = nr.Result.from_json(r.to_json())
        assert again.routes == r.routes and again.cost == r.cost
        assert len(r.to_dataframe()) == 100 + 2 * r.num_routes
        for name, figure in (("r", r.plot()), ("t", r.plot_trace())):
            figure.savefig(f"{name}.png")
        """
    type_in(SOLVED + dedent(code), language="python")


def test_all_names_without_an_extra(type_in: Type) -> None:
    """Without scikit-learn, ``import *`` brings every other name."""
    code = """
        import sys
        sys.modules["sklearn"] = None
        from ncc_routing import *
        assert ParameterError and write_instance and solve
        """
    type_in(dedent(code), language="python")


def test_display(type_in: Type) -> None:
    """Progress in Python is shown on request."""
    code = f'{HEAD}nr.solve("NCC-n0101-s1", time_limit=2.0, display=True)'
    seen = type_in(code, language="python")
    assert "best" in seen.out + seen.err
