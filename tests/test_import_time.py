"""What a light import must not load, seen in a fresh interpreter."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = (
    *("torch", "torch_geometric", "networkx", "sklearn"),
    *("pyvrp", "matplotlib", "scipy", "pydantic", "ncc_routing.paper"),
    "ncc_routing.desk.tables",
)


def loaded_after(code: str) -> set[str]:
    """Run code in a fresh interpreter; return the heavy modules loaded."""
    names = HEAVY
    report = (
        f"\nimport sys\n"
        f"print('loaded', *[m for m in {names!r} if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code + report],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.splitlines()[-1].split()[1:])


def test_import_of_the_package_is_light() -> None:
    """``import ncc_routing`` loads no solver and no numerical library."""
    assert loaded_after("import ncc_routing") == set()


def test_help_is_light() -> None:
    """``ncc-route --help`` and the help of a verb load nothing heavy.

    Of the paper they need names.
    """
    verbs = [
        "",
        *["solve", "bench", "generate", "prepare", "plot", "label", "train"],
    ]
    code = (
        "import sys\n"
        "from ncc_route.app import main\n"
        f"for verb in {verbs!r}:\n"
        "    sys.argv = ['ncc-route', *verb.split(), '--help']\n"
        "    try:\n"
        "        main()\n"
        "    except SystemExit as stop:\n"
        "        assert not stop.code, verb\n"
    )
    assert loaded_after(code) <= {"ncc_routing.paper"}


def test_reading_an_instance_is_light() -> None:
    """Exceptions, data and files need neither torch nor pyvrp."""
    code = "import ncc_routing as nr\nnr.Instance, nr.read, nr.Result"
    assert loaded_after(code) & {"torch", "pyvrp", "matplotlib"} == set()


def test_solving_by_default_is_light() -> None:
    """Nothing of the paper is loaded but by its methods, and no tables."""
    code = (
        "import ncc_routing as nr\n"
        "from ncc_routing.generators import generate_uchoa\n"
        "instance = generate_uchoa(10, 1)\n"
        "result = nr.solve(instance, stop=nr.stop.MaxIterations(9){})\n"
        "assert nr.check_solution(instance, result.best) == []\n"
    )
    assert loaded_after(code.format("")) == set()
    named = loaded_after(code.format(", method='ncc'"))
    assert "ncc_routing.paper" in named


def test_public_names_load_at_first_use() -> None:
    """A public name comes from its module; an unknown one is an error."""
    import ncc_routing

    assert ncc_routing.Instance.__module__ == "ncc_routing.problems.instance"
    assert set(ncc_routing.__all__) <= set(dir(ncc_routing))
    assert ncc_routing.__version__[0].isdigit()
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        ncc_routing.nothing  # noqa: B018


def test_every_public_name_exists() -> None:
    """No entry of ``__all__`` is a promise without a function."""
    import ncc_routing

    missing = [n for n in ncc_routing.__all__ if not hasattr(ncc_routing, n)]
    assert missing == []
