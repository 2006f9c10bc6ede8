"""The lower bounds of pyproject.toml, as constraints for pip."""

from __future__ import annotations

import tomllib

import pytest
from lowest_versions import lowest_versions

import layers


def test_every_dependency_has_one_lower_bound() -> None:
    """Those of all extras too; the package itself is none of them."""
    text = (layers.REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)["project"]
    found = [line.partition("==")[0] for line in lowest_versions(project)]
    assert {"numpy", "pyvrp", "torch", "scipy", "pytest"} <= set(found)
    assert found == sorted(set(found))
    assert "ncc_routing" not in found
    assert "torch" not in str(lowest_versions(project, ["torch"])).split("'")


def test_bounds_of_every_form_are_read() -> None:
    """With extras, upper bounds and markers; none, or two, are refused."""
    extras = {"all": ["own[m]"], "m": ["c>=0.1; python_version < '4'"]}
    project = {
        "name": "own",
        "dependencies": ["b>=1.2,<2", "a[x] >= 3"],
        "optional-dependencies": extras,
    }
    assert lowest_versions(project) == ["a==3", "b==1.2", "c==0.1"]
    extras["m"] = ["b>=1.3"]
    with pytest.raises(ValueError, match="two"):
        lowest_versions(project)
    extras["m"] = ["d"]
    with pytest.raises(ValueError, match="no lower bound"):
        lowest_versions(project)
