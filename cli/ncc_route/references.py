"""What verbs do with a reference: routes of another day, or districts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np

    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.params import SolveParams


def with_reference(params: SolveParams, of: Path | None) -> SolveParams:
    """Read a reference that is a file, once for all runs."""
    from ncc_routing.io.references import read_reference

    if isinstance(params.reference, str):
        return replace(params, reference=read_reference(params.reference, of))
    if of is not None:
        raise typer.BadParameter("--reference-instance needs --reference.")
    return params


def labels_of(
    instance: Instance, reference: Path | None, of: Path | None
) -> np.ndarray | None:
    """Return the zone of each node in a reference, where there is one."""
    from ncc_routing.io.references import read_reference
    from ncc_routing.problems.references import reference_labels

    if reference is None:
        return None
    return reference_labels(instance, read_reference(reference, of))
