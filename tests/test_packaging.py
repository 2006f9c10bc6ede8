"""What a package index and an installed wheel get to see."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from typing import Any

import pytest
from lowest_versions import lowest_versions

import layers

PROJECT: dict[str, Any] = tomllib.loads(
    (layers.REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
)
HATCH = PROJECT["tool"]["hatch"]
BUILD = PROJECT["tool"]["scikit-build"]


def shown(text: str) -> str:
    """Return a text as the page of a package index shows it."""
    hook = HATCH["metadata"]["hooks"]["fancy-pypi-readme"]
    for rule in hook["substitutions"]:
        text = re.sub(rule["pattern"], rule["replacement"], text)
    return text


def test_readme_of_an_index_has_absolute_links_only() -> None:
    """Files of the repository are not there; their texts stay."""
    text = shown((layers.REPOSITORY / "README.md").read_text(encoding="utf-8"))
    targets = re.findall(r"\]\(([^)]*)\)", text)
    assert "https://pyvrp.org" in targets
    assert [t for t in targets if not t.startswith("https://")] == []
    assert shown("a\n![picture](docs/a.png)\n\nb") == "a\nb"
    assert shown("[0.9 %](a.md) of [x](https://x.y)") == (
        "0.9 % of [x](https://x.y)"
    )


def test_wheel_puts_the_instances_into_the_package() -> None:
    """Where data_folders() looks for them; no source of C++ goes along."""
    wheel = BUILD["wheel"]
    assert wheel["force-include"] == {"instances": "ncc_routing/instances"}
    assert "ncc_routing/cpp/**" in wheel["exclude"]
    for source in (*wheel["packages"].values(), "instances"):
        assert (layers.REPOSITORY / source).is_dir()


def test_every_dependency_has_one_lower_bound() -> None:
    """Those of all extras too; the package itself is none of them."""
    found = dict(
        line.split("==") for line in lowest_versions(PROJECT["project"])
    )
    assert {"numpy", "pyvrp", "torch", "scipy", "pytest"} <= found.keys()
    assert list(found) == sorted(found)
    assert "ncc_routing" not in found
    left = lowest_versions(PROJECT["project"], ["torch"])
    assert not any(line.startswith("torch==") for line in left)


@pytest.mark.parametrize(
    ("bound", "message"), [("b>=1.3", "two"), ("d", "no lower bound")]
)
def test_lower_bounds_of_every_form(bound: str, message: str) -> None:
    """With extras, upper bounds and markers; none, or two, are refused."""
    extras = {"all": ["own[m]"], "m": ["c>=0.1; python_version < '4'"]}
    project = {
        "name": "own",
        "dependencies": ["b>=1.2,<2", "a[x] >= 3"],
        "optional-dependencies": extras,
    }
    assert lowest_versions(project) == ["a==3", "b==1.2", "c==0.1"]
    extras["m"] = [bound]
    with pytest.raises(ValueError, match=message):
        lowest_versions(project)


def test_sources_alone_say_so() -> None:
    """Python looks in its folder first, before what is installed."""
    root = layers.REPOSITORY
    if list((root / "ncc_routing").glob("_core*.so")):
        pytest.skip("the compiled module lies beside the sources")
    code = f"import sys; sys.path.insert(0, {str(root)!r}); import ncc_routing"
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code],
        capture_output=True,
        check=False,
        text=True,
    )
    assert "nothing is built in them" in run.stderr


def test_licences_of_compiled_parts_go_along() -> None:
    """Nanobind is linked into the core, and its licence asks for this."""
    files = PROJECT["project"]["license-files"]
    texts = [
        (layers.REPOSITORY / name).read_text(encoding="utf-8")
        for name in files
    ]
    assert "Wenzel Jakob" in "".join(texts)
    assert "MIT License" in texts[0]
