"""What verbs that are given a reference do with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np

    from ncc_routing.problems.instance import Instance


def labels_of(
    instance: Instance, reference: Path | None, of: Path | None
) -> np.ndarray | None:
    """Return the zone of each node in a reference, where there is one.

    Parameters
    ----------
    instance
        The instance of today.
    reference, of
        The file, and the instance that it is of, if any.
    """
    from ncc_routing.io.references import read_reference
    from ncc_routing.problems.references import reference_labels

    if reference is None:
        return None
    return reference_labels(instance, read_reference(reference, of))


def place_reference(
    context: typer.Context, reference: Path | None, instance: Path | None
) -> None:
    """Read a reference together with the instance that it is of, if any."""
    from ncc_routing.io.references import read_reference

    if instance is None:
        return
    if reference is None:
        raise typer.BadParameter("--reference-instance needs --reference.")
    context.params["reference"] = read_reference(reference, instance)
