"""What ``cluster`` returns: the clustering and how it came about."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from ncc_routing.core.events import TracePoint
from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.extras import require_extra
from ncc_routing.core.text import counted
from ncc_routing.core.text_files import write_text
from ncc_routing.desk.points import write_labels
from ncc_routing.io.cluster_areas import write_areas
from ncc_routing.problems.ccp.clusters import Clustering
from ncc_routing.problems.ccp.points import PointSet
from ncc_routing.problems.plain import (
    from_plain,
    parse_object,
    phases_of,
    reading_result,
    to_plain,
)
from ncc_routing.problems.routes.checking import check_clustering

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False, repr=False)
class ClusterResult(Clustering):
    """The outcome of :func:`ncc_routing.cluster`: a clustering, and more.

    Parameters
    ----------
    points
        The points that were clustered.
    seed
        Seed of the run.
    runtime
        Wall-clock seconds from the call of ``cluster`` to its return.
    params
        All parameters that the run was given, as a plain mapping.
    trace
        The best cost over time; methods without a search have only the last
        one.
    interrupted
        Whether Ctrl-C ended the run. Default no.
    phases
        The method, and the phases of its search: how often each is made, or
        the share of the time at which it ends. Default: unknown.
    """

    points: PointSet = field(kw_only=True)
    seed: int = 1
    runtime: float = 0.0
    params: Mapping[str, object] = field(default_factory=dict)
    trace: tuple[TracePoint, ...] = ()
    interrupted: bool = False
    phases: tuple[str, ...] = ()

    @classmethod
    def of(cls, clustering: Clustering, **more: Any) -> ClusterResult:
        """Return a clustering together with data of its run."""
        values = {
            f.name: getattr(clustering, f.name) for f in fields(Clustering)
        }
        return cls(**values, **more)

    @property
    def sizes(self) -> np.ndarray:
        """Number of points of each cluster, shape (num_clusters,)."""
        return np.bincount(self.labels, minlength=self.num_clusters)

    @property
    def loads_by_weight(self) -> np.ndarray:
        """Total of each weight of each cluster, shape (num_clusters, W).

        The first column is ``loads``; ``other_weights`` have the others.
        """
        totals = self.points.other_loads(self.labels, self.num_clusters)
        return np.column_stack([self.loads, *totals.T])

    def __repr__(self) -> str:
        """Return one line; ``summary`` says more."""
        return (
            f"ClusterResult({self.points.name}: {self.objective} "
            f"{self.cost:,.10g}, {counted(self.num_clusters, 'cluster')}, "
            f"{self.method}, {self.runtime:.2f} s)"
        )

    def summary(self) -> str:
        """Return some lines of text: problem, cost, loads, time."""
        points = self.points
        sizes = self.sizes
        loads = self.loads_by_weight
        spans = zip(loads.min(axis=0), loads.max(axis=0), strict=True)
        stopped = ", interrupted" if self.interrupted else ""
        lines = (
            (
                "points",
                f"{points.name}, {counted(points.num_points, 'point')}, "
                f"capacity {points.capacity:,.10g}",
            ),
            ("method", f"{self.method}, seed {self.seed}"),
            *([("phases", ", ".join(self.phases))] if self.phases else ()),
            ("cost", f"{self.cost:,.10g} ({self.objective})"),
            (
                "clusters",
                f"{self.num_clusters} of {sizes.min()} to {sizes.max()} "
                "points",
            ),
            ("loads", "; ".join(f"{a:,.10g} to {b:,.10g}" for a, b in spans)),
            ("time", f"{self.runtime:.2f} s{stopped}"),
        )
        return "\n".join(f"{name:<10}{text}" for name, text in lines)

    def to_json(self) -> str:
        """Return everything as JSON text, the points included."""
        content = to_plain(self)
        content["points"] = to_plain(self.points)
        content["trace"] = [asdict(point) for point in self.trace]
        return json.dumps(content)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the clustering.

        Parameters
        ----------
        path
            The file; an existing one is replaced. .json: everything
            (``to_json``). .geojson: areas and points
            (:func:`ncc_routing.io.cluster_areas.write_areas`). .html, .png,
            .svg: a map. Any other suffix, or "-", standard output: the points
            with their clusters as CSV
            (:func:`ncc_routing.desk.points.write_labels`).

        Raises
        ------
        ParameterError
            If the points are not in the plane, for a map.
        NccRoutingError
            If the file cannot be written.
        """
        suffix = os.path.splitext(os.fspath(path))[1].lower()
        if suffix == ".json":
            write_text(path, self.to_json() + "\n")
        elif suffix == ".geojson":
            write_areas(path, self.points, self)
        elif suffix == ".html":
            from ncc_routing.plotting import clusters_html

            write_text(path, clusters_html(self.points, self))
        elif suffix in (".png", ".svg"):
            from ncc_routing.plotting import save_figure

            save_figure(self.plot(), path)
        else:
            write_labels(path, self.points, self)

    @classmethod
    def from_json(cls, text: str) -> ClusterResult:
        """Return the result that ``to_json`` wrote.

        Raises
        ------
        ParameterError
            If the text is not a result, or its clusters break a rule.
        """
        with reading_result():
            content = parse_object(text)
            points = from_plain(PointSet, content.pop("points"))
            trace = tuple(TracePoint(**p) for p in content.pop("trace"))
            more = {"points": points, "trace": trace}
            more["phases"] = phases_of(content)
            result = from_plain(cls, {**content, **more})
        for violation in check_clustering(points, result)[:1]:
            raise ParameterError(
                f"the result is invalid: {violation.message}."
            )
        return result

    def to_dataframe(self) -> pandas.DataFrame:
        """Return a table of pandas, one row for each point.

        Columns: cluster, weight, and the coordinates as they were given: x
        and y, or x0, x1, ... where there are not two of them, or lon and lat.

        Raises
        ------
        MissingDependencyError
            If pandas is not installed.
        """
        require_extra("pandas")
        import pandas

        return pandas.DataFrame(
            {
                "cluster": self.labels,
                "weight": self.points.weights,
                **self.points.axes,
            }
        )

    def plot(self, **options: Any) -> Figure:
        """Return a figure of the clusters.

        The options are those of
        :func:`ncc_routing.plotting.clusters.plot_clusters`.
        """
        from ncc_routing.plotting import plot_clusters

        return plot_clusters(self.points, self, **options)

    def plot_trace(self, **options: Any) -> Figure:
        """Return a figure of the best cost over time.

        The options are those of
        :func:`ncc_routing.plotting.traces.plot_trace`.
        """
        from ncc_routing.plotting import plot_trace

        return plot_trace(self, **options)

    def _repr_html_(self) -> str:
        from ncc_routing.plotting.svg import clusters_svg, html_card

        picture = ""
        if self.points.coords.shape[1] == 2:
            picture = clusters_svg(self.points, self)
        return html_card(self.summary(), picture)
