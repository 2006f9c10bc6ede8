"""Pictures that verbs write: the suffix of the file chooses the kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ncc_route.options import figure_size

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np

    from ncc_routing.problems.clusters import Clustering
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.points import PointSet
    from ncc_routing.problems.solution import Solution


def draw_routes(
    path: Path,
    instance: Instance,
    solution: Solution,
    *,
    hulls: bool = False,
    labels: Sequence[int] | np.ndarray | None = None,
    size: str,
    dpi: int,
) -> None:
    """Write routes as a figure, a page or map data, by the suffix."""
    if path.suffix.lower() == ".geojson":
        from ncc_routing.io.geojson import write_geojson

        write_geojson(path, instance, solution)
    elif path.suffix.lower() == ".html":
        from ncc_routing.core.text_files import write_text
        from ncc_routing.plotting import routes_html

        write_text(path, routes_html(instance, solution, hulls=hulls))
    else:
        from ncc_routing.plotting import plot_solution, save_figure

        figure = plot_solution(
            instance,
            solution,
            hulls=hulls,
            labels=labels,
            size=figure_size(size),
        )
        save_figure(figure, path, dpi)


def draw_clusters(
    path: Path,
    points: PointSet,
    clustering: Clustering,
    *,
    size: str,
    dpi: int,
) -> None:
    """Write clusters as a figure or a page, by the suffix."""
    if path.suffix.lower() == ".html":
        from ncc_routing.core.text_files import write_text
        from ncc_routing.plotting import clusters_html

        write_text(path, clusters_html(points, clustering))
    else:
        from ncc_routing.plotting import plot_clusters, save_figure

        figure = plot_clusters(points, clustering, size=figure_size(size))
        save_figure(figure, path, dpi)
