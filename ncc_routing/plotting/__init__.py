"""Figures of instances and solutions; no stage of a solve calls these."""

from ncc_routing.plotting.hulls import convex_hull as convex_hull
from ncc_routing.plotting.routes import plot_solution as plot_solution
from ncc_routing.plotting.routes import save_figure as save_figure
