"""Pictures that verbs write: the suffix of the file chooses the kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ncc_route.options import figure_size

if TYPE_CHECKING:
    from pathlib import Path

    from ncc_routing.problems.clusters import Clustering
    from ncc_routing.problems.points import PointSet


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
