"""What a preference costs: each measure over the cost of the plans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from ncc_routing.plotting.figures import empty_figure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PANELS: Final = {
    "overlap": "customers inside another route's hull",
    "medoid_distance": "mean distance to the medoid",
    "crossings": "crossings between routes",
    "kept_pairs": "pairs kept from the reference",
    "moved": "customers on a route of another district",
}
"""Title of the panel of each measure."""

_SHARES: Final = ("overlap", "kept_pairs", "moved")
"""Measures that are shares of something: percent on their axes."""

_COLUMNS: Final = 3
"""Panels side by side at most."""

_PANEL: Final = (3.2, 2.8)
"""Width and height of a panel in inches."""


class Curve(Protocol):
    """What can be drawn: a ``TradeOff``."""

    @property
    def name(self) -> str:
        """What was varied."""

    def table(self) -> Sequence[Mapping[str, float]]:
        """Return a row for each weight."""


def plot_trade_off(
    curve: Curve,
    title: str | None = None,
    size: tuple[float, float] | None = None,
) -> Figure:
    """Draw each measure over what the plans cost more than the shortest.

    Parameters
    ----------
    curve
        A ``TradeOff``, with one measure at least.
    title
        Text above the figure. Default: what was varied.
    size
        Width and height in inches. Default: as many as the panels take.

    Returns
    -------
    matplotlib.figure.Figure
        A figure of its own. A number beside a point is its weight.

    Raises
    ------
    ParameterError
        If a side of ``size`` is not positive.
    """
    rows = curve.table()
    names = [name for name in PANELS if name in rows[0]]
    num_columns = max(1, min(_COLUMNS, len(names)))
    num_rows = max(1, -(-len(names) // _COLUMNS))
    if size is None:
        size = (num_columns * _PANEL[0], num_rows * _PANEL[1])
    figure = empty_figure(size)
    figure.suptitle(
        title or f"the price of {curve.name}", fontsize=12, parse_math=False
    )
    for place, name in enumerate(names, start=1):
        axes = figure.add_subplot(num_rows, num_columns, place)
        _draw(axes, rows, curve.name, name)
    return figure


def _draw(
    axes: Axes, rows: Sequence[Mapping[str, float]], weight: str, name: str
) -> None:
    factor = 100.0 if name in _SHARES else 1.0
    costs = [row["more_percent"] for row in rows]
    values = [factor * row[name] for row in rows]
    axes.plot(costs, values, "o-", linewidth=1.4, markersize=4)
    for row, cost, value in zip(rows, costs, values, strict=True):
        axes.annotate(
            f"{row[weight]:g}",
            (cost, value),
            xytext=(4, 4),
            textcoords="offset points",
            fontsize=8,
            color="0.4",
        )
    axes.set_title(PANELS[name], fontsize=9, loc="left")
    axes.set_xlabel("more cost, %", fontsize=8)
    axes.set_ylabel("%" if name in _SHARES else "", fontsize=8)
    axes.tick_params(labelsize=8)
    axes.margins(0.12)
    axes.grid(alpha=0.25)
