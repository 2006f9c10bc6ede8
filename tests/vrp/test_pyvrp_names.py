"""Names of PyVRP's clients and locations."""

from __future__ import annotations

import pytest
import pyvrp

from ncc_routing.vrp.pyvrp_adapter import from_problem_data
from ncc_routing.vrp.solve import solve


def named_model(*clients: str, home: str = "", place: str = "") -> pyvrp.Model:
    """Return a model whose clients have some names."""
    model = pyvrp.Model()
    locations = [
        model.add_location(9 * i, i, name=place and f"{place} {i}")
        for i in range(len(clients) + 1)
    ]
    model.add_depot(locations[0], name=home)
    for name, location in zip(clients, locations[1:], strict=True):
        model.add_client(location, delivery=1, name=name)
    model.add_vehicle_type(capacity=9)
    for one in locations:
        for other in locations:
            model.add_edge(one, other, int(one is not other))
    return model


@pytest.mark.parametrize(
    ("model", "ids"),
    [
        (named_model("ann", "bob", home="shop"), ("shop", "ann", "bob")),
        (named_model("ann", "depot"), ("depot_", "ann", "depot")),
        (named_model("", "", place="at"), ("at 0", "at 1", "at 2")),
        (named_model("ann", "", place="at"), ("at 0", "ann", "at 2")),
        (named_model("ann", ""), None),
        (named_model("ann", "ann"), None),
        (named_model("ann", "b\x1b"), None),
    ],
)
def test_names_of_clients_become_ids(
    model: pyvrp.Model, ids: tuple[str, ...] | None
) -> None:
    """Where each has one of its own, or its location has."""
    assert from_problem_data(model).ids == ids
    assert solve(model, polish="none").instance.ids == ids
