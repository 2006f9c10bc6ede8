"""Optional packages: which extra of the package brings each of them."""

from __future__ import annotations

import re
from contextlib import contextmanager
from importlib.util import find_spec
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeGuard

from ncc_routing.core.exceptions import MissingDependencyError

if TYPE_CHECKING:
    from collections.abc import Iterator

EXTRA_OF: Final = MappingProxyType(
    {
        "elkai": "lkh",
        "fastapi": "serve",
        "matplotlib": "plot",
        "mcp": "mcp",
        "openpyxl": "excel",
        "pandas": "pandas",
        "pooch": "names",
        "pyarrow": "arrow",
        "pyvrp": "pyvrp",
        "scipy": "large",
        "sklearn": "sklearn",
        "torch": "learning",
        "torch_geometric": "learning",
        "uvicorn": "serve",
        "xlsxwriter": "excel",
    }
)
"""Import name of an optional package -> the extra that installs it."""


def is_installed(package: str) -> bool:
    """Say whether a package can be imported, without importing it."""
    try:
        spec = find_spec(package)
    except ValueError:  # a module without a spec, or None, in sys.modules
        return False
    # A folder of that name alone is no package.
    return spec is not None and spec.origin is not None


def is_pyvrp(value: object) -> TypeGuard[Any]:
    """Whether something is of a class of PyVRP, which is not imported here."""
    homes = (kind.__module__.partition(".")[0] for kind in type(value).__mro__)
    return "pyvrp" in homes


def missing_extra(package: str) -> MissingDependencyError:
    """Return the error that names the extra of a missing package."""
    extra = EXTRA_OF[package]
    return MissingDependencyError(
        f"{package} is not installed: "
        f'pip install "ncc_routing[{extra}]" installs it.',
        name=package,
    )


def require_extra(package: str) -> None:
    """Refuse to go on without an optional package."""
    if not is_installed(package):
        raise missing_extra(package)


def require_version(
    package: str, least: tuple[int, int], below: tuple[int, int]
) -> None:
    """Refuse an optional package of another version than those in between."""
    # Imported here: the package itself asks what is installed.
    from importlib.metadata import version

    installed = version(package)
    numbers = tuple(map(int, re.findall(r"\d+", installed)[:2]))
    if not least <= numbers < below:
        first, last = (".".join(map(str, each)) for each in (least, below))
        raise MissingDependencyError(
            f"{package} {installed} is installed, but it must be at least "
            f'{first} and below {last}: pip install "ncc_routing'
            f'[{EXTRA_OF[package]}]" installs such a version.',
            name=package,
        )


@contextmanager
def naming_the_extra() -> Iterator[None]:
    """Say in one line which extra a failed import needs.

    Other errors than a missing package of ``EXTRA_OF`` pass.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRA_OF:
            raise
        raise missing_extra(package) from None
