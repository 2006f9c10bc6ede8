"""What verbs do with a reference: routes of another day, or districts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np

    from ncc_route.tables import Reader
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.params import SolveParams


def with_reference(
    params: SolveParams, of: Path | None, read: Reader
) -> SolveParams:
    """Read a reference that is a file, once for all runs."""
    if isinstance(params.reference, str):
        return replace(params, reference=_read(params.reference, of, read))
    if of is not None:
        raise typer.BadParameter("--reference-instance needs --reference.")
    return params


def labels_of(
    instance: Instance,
    reference: Path | None,
    of: Path | None,
    read: Reader,
) -> np.ndarray | None:
    """Return the zone of each node in a reference, where there is one."""
    from ncc_routing.problems.references import reference_labels

    if reference is None:
        return None
    return reference_labels(instance, _read(reference, of, read))


def _read(reference: str | Path, of: Path | None, read: Reader) -> object:
    """Return a reference, with the instance that it is of."""
    from ncc_routing.io.references import read_reference

    return read_reference(reference, None if of is None else read.past(of))
