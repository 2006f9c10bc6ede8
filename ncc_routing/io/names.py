"""Instances by their names: where they lie, and how public ones arrive."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ncc_routing.core.exceptions import InstanceError, NccRoutingError
from ncc_routing.core.extras import naming_the_extra

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

DATA_VARIABLE: Final = "NCC_ROUTING_DATA"
"""Environment variable: a folder with instances to find by their name."""

PUBLIC_COMMIT: Final = "1445e12e99fc8c252994e45c902ed61db645fa58"
"""Commit of the public repository that the hashes belong to."""

PUBLIC_ADDRESS: Final = "https://raw.githubusercontent.com/PyVRP/Instances/"
"""Where the files of that repository are served, by commit and path."""

_REGISTRY: Final = Path(__file__).with_name("public_instances.txt")
_CACHE: Final = "ncc_routing"


INSTANCE_SUFFIXES: Final = (".vrp", ".tsp")
"""Files of these kinds are instances, whatever they hold."""


def find_instance(path: str | os.PathLike[str]) -> Path:
    """Return the file of an instance given by its path or by its name.

    Parameters
    ----------
    path
        A file, or the name of an instance in one of :func:`data_folders`,
        in capitals or not, with or without ``.vrp``.

    Returns
    -------
    pathlib.Path
        The file; the first one, where several folders have the name.

    Raises
    ------
    InstanceError
        If there is neither such a file nor an instance of that name on this
        machine. It says how a public one is fetched, or names near misses.
    """
    file = Path(path)
    if os.path.lexists(file):
        return file
    if file.name != os.fspath(path):
        raise InstanceError(file, "file", "does not exist")
    name = _plain_name(file.name)
    files = list(_files_of(name))
    if files:
        return files[0]
    public = {public.lower(): public for public in public_names()}
    if name.lower() in public:
        rule = (
            "is a public instance that is not on this machine yet: "
            f"ncc-route instances get {public[name.lower()]} fetches it"
        )
    elif file.suffix.lower() == ".vrp":
        rule = "does not exist"
    else:
        rule = (
            "is neither a file nor the name of an instance below "
            f"{DATA_VARIABLE} or in instances/{_near_misses(name)}"
        )
    raise InstanceError(file, "file", rule)


def data_folders() -> list[Path]:
    """Return the folders in which instances are found by their name.

    Returns
    -------
    list[pathlib.Path]
        The folder that ``NCC_ROUTING_DATA`` names; the instances that came
        with the package (``instances/`` of a checkout); the user's cache,
        which holds fetched ones. Those that do not exist are left out.
    """
    named = os.environ.get(DATA_VARIABLE)
    package = Path(__file__).resolve().parents[1]
    shipped = package / "instances"
    if not shipped.is_dir():  # a checkout has them beside the package
        shipped = package.parent / "instances"
    folders = [Path(named), shipped] if named else [shipped]
    # It comes with pooch: without it nothing was fetched here.
    with suppress(ImportError, RuntimeError):  # nor is there always a home
        from platformdirs import user_cache_path  # light to import

        folders.append(user_cache_path(_CACHE))
    return [folder for folder in folders if folder.is_dir()]


def known_names() -> list[str]:
    """Return the names of all instances on this machine, sorted."""
    return sorted(
        {
            file.stem
            for folder in data_folders()
            for file in folder.rglob("*.vrp")
        }
    )


def public_names() -> list[str]:
    """Return the names of the public instances, sorted.

    The CVRP sets X and XXL of ``PyVRP/Instances`` at ``PUBLIC_COMMIT``.
    """
    return sorted({Path(path).stem for path in _hashes()})


def fetch_instance(name: str) -> Path:
    """Fetch a public instance and its best-known solution, unless present.

    The files are compared with their sha256 hashes. They are kept in the
    user's cache folder (``pooch.os_cache("ncc_routing")``), or in the folder
    that ``NCC_ROUTING_DATA`` names.

    Parameters
    ----------
    name
        One of :func:`public_names`, in capitals or not.

    Returns
    -------
    pathlib.Path
        The ``.vrp`` file; the ``.sol`` file lies beside it.

    Raises
    ------
    InstanceError
        If no public instance has that name; it names near misses.
    NccRoutingError
        If a file cannot be fetched, is not the expected one, or cannot be
        written.
    MissingDependencyError
        If pooch is not installed.
    """
    with naming_the_extra():
        import pooch
    import requests  # pooch needs it

    wanted = _plain_name(name).lower()
    paths = [p for p in _hashes() if Path(p).stem.lower() == wanted]
    if not paths:
        rule = f"is not the name of a public instance{_near_misses(name)}"
        raise InstanceError(name, "name", rule)
    pooch.get_logger().setLevel("WARNING")  # the caller tells the user
    try:
        folder = os.environ.get(DATA_VARIABLE) or pooch.os_cache(_CACHE)
    except RuntimeError:
        raise NccRoutingError(
            f"{name}: there is no home folder to keep it in: set HOME or "
            f"{DATA_VARIABLE}."
        ) from None
    keeper = pooch.create(
        path=folder,
        base_url=f"{PUBLIC_ADDRESS}{PUBLIC_COMMIT}/",
        registry=dict(_hashes()),
        env=DATA_VARIABLE,
    )
    try:
        files = [Path(keeper.fetch(path)) for path in paths]
    except (OSError, ValueError) as error:  # what requests and pooch raise
        reason = " ".join(str(error).split())
        if isinstance(error, (requests.ConnectionError, requests.Timeout)):
            reason = "there is no connection."
        raise NccRoutingError(
            f"{name}: cannot be fetched from {keeper.base_url}: {reason}"
        ) from None
    return next(file for file in files if file.suffix == ".vrp")


@cache
def _hashes() -> Mapping[str, str]:
    lines = _REGISTRY.read_text(encoding="ascii").splitlines()
    rows = [line.split() for line in lines if not line.startswith("#")]
    return {path: digest for path, digest in rows}


def _files_of(name: str) -> Iterator[Path]:
    """Yield the files of a name; the same letters, then others' case."""
    for folder in data_folders():
        files = sorted(
            file
            for file in folder.rglob("*.vrp")
            if file.stem.lower() == name.lower()
        )
        yield from (file for file in files if file.stem == name)
        yield from (file for file in files if file.stem != name)


def _near_misses(name: str) -> str:
    known = {word.lower(): word for word in (*public_names(), *known_names())}
    near = get_close_matches(_plain_name(name).lower(), known, 3, 0.7)
    if not near:
        return ""
    return f"; similar: {', '.join(known[word] for word in near)}"


def _plain_name(name: str) -> str:
    return re.sub(r"\.vrp$", "", name, flags=re.IGNORECASE)
