"""JSON schemas of VROOM's problems and of results, against what is there."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest

import ncc_routing as nr
from tests.cli.test_cli_vroom import EXAMPLE, LINE
from tests.oracles.vroom import random_vroom

if TYPE_CHECKING:
    from tests.cli.conftest import Run

TYPES: dict[str, tuple[type[Any], ...]] = {
    **{"object": (dict,), "array": (list, tuple), "string": (str,)},
    **{"integer": (int,), "number": (int, float), "boolean": (bool,)},
    "null": (type(None),),
}


def faults(schema: Any, value: Any, top: Any, at: str = "") -> list[str]:
    """Return where a value is not as a schema says; keywords that we write."""
    if "$ref" in schema:
        schema = top["$defs"][schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        each = [faults(one, value, top, at) for one in schema["anyOf"]]
        return min(each, key=len)
    kind = schema.get("type")
    is_bool = isinstance(value, bool) and kind in ("integer", "number")
    if kind and (is_bool or not isinstance(value, TYPES[kind])):
        return [f"{at}: {kind}"]
    wrong = []
    if kind in ("integer", "number") and not (
        schema.get("minimum", value) <= value <= schema.get("maximum", value)
    ):
        wrong.append(f"{at}: bounds")
    if kind == "array":
        firsts = schema.get("prefixItems", [])
        if firsts and len(value) != schema["minItems"]:
            wrong.append(f"{at}: size")
        for idx, one in enumerate(value):
            item = schema.get("items", {})
            item = firsts[idx] if idx < len(firsts) else item
            wrong += faults(item, one, top, f"{at}[{idx}]")
    if kind == "object":
        known = schema.get("properties", {})
        others = schema["additionalProperties"]
        needed = schema.get("required", [])
        wrong += [f"{at}.{key}" for key in needed if key not in value]
        for key, one in value.items():
            if key not in known and others is False:
                wrong.append(f"{at}.{key}: not known")
            elif (item := known.get(key, others)) is not True:
                wrong += faults(item, one, top, f"{at}.{key}")
    return wrong


@pytest.fixture
def schema(run: Run, request: pytest.FixtureRequest) -> Any:
    """Return the schema that the command prints."""
    out = run.succeeds("columns --schema", request.param).out
    return json.loads(out)


@pytest.mark.parametrize("schema", ["vroom"], indirect=True)
def test_problems_of_vroom_follow_their_schema(schema: Any) -> None:
    """Those that are read; a wrong entry is one in both."""
    assert schema["$schema"].endswith("2020-12/schema")
    for problem in (EXAMPLE, LINE, *(random_vroom(k, 6) for k in range(20))):
        assert faults(schema, problem, schema) == []
    wrong = deepcopy(LINE)
    wrong["jobs"][0] |= {"colour": 1, "priority": 101, "service": "x"}
    del wrong["vehicles"][1]["id"]
    assert sorted(faults(schema, wrong, schema)) == [
        ".jobs[0].colour: not known",
        ".jobs[0].priority: bounds",
        ".jobs[0].service: integer",
        ".vehicles[1].id",
    ]


@pytest.mark.parametrize("schema", ["result"], indirect=True)
def test_results_follow_their_schema(schema: Any) -> None:
    """Of VROOM's problems, of tables and of a plain CVRP."""
    rows = [
        {"id": "yard", "lon": 8, "lat": 50},
        {"id": "ann", "lon": 8, "lat": 51},
    ]
    vans = [{"vehicle": "van", "capacity": 2, "break": "30 min 8-12"}]
    problems = [nr.read(random_vroom(k, 6)) for k in range(6)]
    problems += [nr.read(rows, vans, speed="40km/h"), nr.read("NCC-n0021-s1")]
    for problem in problems:
        result = nr.solve(
            problem, nr.stop.MaxIterations(10), allow_unserved=True, seed=1
        )
        content = json.loads(result.to_json())
        assert faults(schema, content, schema) == []
    del content["cost"]
    assert faults(schema, content, schema) == [".cost"]
