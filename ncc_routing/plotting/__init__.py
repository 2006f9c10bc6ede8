"""Figures of instances and solutions; no stage of a solve calls these.

The names are loaded at their first use: matplotlib takes its time.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from ncc_routing.core.extras import naming_the_extra

if TYPE_CHECKING:
    from ncc_routing.plotting.clusters import plot_clusters as plot_clusters
    from ncc_routing.plotting.figures import save_figure as save_figure
    from ncc_routing.plotting.gantt import plot_timetable as plot_timetable
    from ncc_routing.plotting.html import clusters_html as clusters_html
    from ncc_routing.plotting.html import routes_html as routes_html
    from ncc_routing.plotting.routes import plot_solution as plot_solution
    from ncc_routing.plotting.svg import clusters_svg as clusters_svg
    from ncc_routing.plotting.svg import routes_svg as routes_svg
    from ncc_routing.plotting.traces import plot_gaps as plot_gaps
    from ncc_routing.plotting.traces import plot_trace as plot_trace

_MODULE_OF_NAME: Final = {
    "clusters_html": "html",
    "clusters_svg": "svg",
    "plot_clusters": "clusters",
    "plot_gaps": "traces",
    "plot_solution": "routes",
    "plot_timetable": "gantt",
    "plot_trace": "traces",
    "routes_html": "html",
    "routes_svg": "svg",
    "save_figure": "figures",
}
"""Where each public name of the folder is defined."""


def __getattr__(name: str) -> object:
    """Load a public name at its first use."""
    if name not in _MODULE_OF_NAME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    with naming_the_extra():
        module = import_module(f"{__name__}.{_MODULE_OF_NAME[name]}")
    return getattr(module, name)
