"""A clustering on the map: hulls, members and centers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.collections import PolyCollection

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.text import counted
from ncc_routing.plotting.aspect import aspect_of
from ncc_routing.plotting.colours import spread_colours
from ncc_routing.plotting.figures import (
    DEFAULT_SIZE,
    empty_figure,
    finish_map,
    mark_area,
)
from ncc_routing.problems.routes.route_shapes import convex_hull

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ncc_routing.problems.ccp.clusters import Clustering
    from ncc_routing.problems.ccp.points import PointSet


def plot_clusters(
    points: PointSet,
    clustering: Clustering,
    title: str | None = None,
    size: tuple[float, float] = DEFAULT_SIZE,
) -> Figure:
    """Draw clusters with their convex hulls and centers.

    The area of a point is proportional to its weight, as in the figures of
    the paper.

    Parameters
    ----------
    points
        Points in the plane.
    clustering
        Their clustering.
    title
        Text above the figure. By default the name, the cost and the number
        of clusters.
    size
        Width and height in inches. Default 7 x 7.

    Raises
    ------
    ParameterError
        If the points are not in the plane, or a side of ``size`` is not
        positive.
    """
    if points.coords.shape[1] != 2:
        raise ParameterError(f"{points.name}: a picture needs two dimensions.")
    figure = empty_figure(size)
    axes = figure.add_subplot()
    colours = spread_colours(clustering.num_clusters)
    groups = clustering.members()
    used = [k for k, group in enumerate(groups) if len(group) > 0]
    axes.add_collection(
        PolyCollection(
            [convex_hull(points.coords[groups[k]]) for k in used],
            facecolors=[(*colours[k][:3], 0.14) for k in used],
            edgecolors=[(*colours[k][:3], 0.5) for k in used],
            linewidths=1.0,
            zorder=1,
        )
    )
    mean = max(float(points.weights.mean()), 1e-12)
    area = mark_area(points.num_points, size)
    axes.scatter(
        points.coords[:, 0],
        points.coords[:, 1],
        s=area * np.maximum(points.weights / mean, 0.1),
        color=[colours[k] for k in clustering.labels],
        linewidths=0,
        zorder=2,
    )
    centers = points.to_plane(clustering.centers)
    axes.scatter(
        centers[used, 0],
        centers[used, 1],
        s=50,
        marker="X",
        color="black",
        edgecolors="white",
        linewidths=0.8,
        zorder=3,
        label="center",
    )
    finish_map(
        axes,
        title
        or f"{points.name}: {clustering.objective} {clustering.cost:,.6g}, "
        f"{counted(clustering.num_clusters, 'cluster')}",
        aspect_of(points),
    )
    return figure
