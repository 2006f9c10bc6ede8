"""Draw the house: floors as rows, folders as boxes, imports as arrows.

``python docs/picture.py`` writes ``docs/_static/house.svg``, which carries
the graph that it shows as its description.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import matplotlib as mpl
import networkx as nx
from matplotlib.figure import Figure

import house

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from matplotlib.axes import Axes

PICTURE = house.REPOSITORY / "docs" / "_static" / "house.svg"

# Where the middle of each box lies in its row, in widths of a box.
COLUMNS = {
    "core": 1.5,
    "problems": 1.5,
    "plotting": 0.0,
    "generators": 1.0,
    "clustering": 2.0,
    "io": 2.95,
    "scoring": 2.0,
    "ccp": 1.7,
    "vrp": 2.8,
    "warming": 2.8,
    "learning": 0.8,
    "bench": 1.5,
    "ncc_route": 0.0,
}

# Where matplotlib writes the description of a picture.
_DESCRIPTION = "{http://purl.org/dc/elements/1.1/}description"

# Half the width and half the height of a box, in columns and floors.
HALF_WIDTH, HALF_HEIGHT = 0.38, 0.32


def drawn_arrows(
    folders: Mapping[str, Mapping[str, int]],
) -> set[tuple[str, str]]:
    """Return the arrows that do not follow from a chain of others."""
    graph = nx.DiGraph(
        (user, used) for user, counts in folders.items() for used in counts
    )
    return set(nx.transitive_reduction(graph).edges)


def draw(folders: Mapping[str, Mapping[str, int]]) -> Figure:
    """Draw each folder with its imports.

    An arrow that follows from a chain of others is not drawn: its count
    stands in the box.
    """
    figure = Figure(figsize=(9, 11), layout="constrained")
    axes = figure.add_subplot()
    axes.set(xlim=(-0.6, 3.4), ylim=(0.6, 8.4))
    axes.axis("off")
    arrows = drawn_arrows(folders)
    for floor in sorted(set(house.FLOORS.values())):
        axes.text(-0.58, floor, str(floor), color="0.5", size=13)
    for user, used in sorted(arrows):
        _draw_arrow(axes, user, used, folders[user][used])
    for user, counts in folders.items():
        rest = {b: n for b, n in counts.items() if (user, b) not in arrows}
        _draw_box(axes, user, rest)
    return figure


def _draw_arrow(axes: Axes, user: str, used: str, count: int) -> None:
    """Draw an arrow from box to box with its count in the middle."""
    start = COLUMNS[user], house.FLOORS[user] - HALF_HEIGHT
    end = COLUMNS[used], house.FLOORS[used] + HALF_HEIGHT
    axes.annotate(
        "",
        end,
        start,
        arrowprops={
            "arrowstyle": "-|>",
            "color": "0.35",
            "shrinkA": 0,
            "shrinkB": 0,
        },
    )
    axes.text(
        0.7 * start[0] + 0.3 * end[0],
        0.7 * start[1] + 0.3 * end[1],
        str(count),
        ha="center",
        va="center",
        size=9,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
    )


def _draw_box(axes: Axes, folder: str, rest: Mapping[str, int]) -> None:
    """Draw a folder with its name and the counts without an arrow."""
    x, y = COLUMNS[folder], house.FLOORS[folder]
    axes.add_patch(
        mpl.patches.FancyBboxPatch(
            (x - HALF_WIDTH, y - HALF_HEIGHT),
            2 * HALF_WIDTH,
            2 * HALF_HEIGHT,
            boxstyle="round,pad=0,rounding_size=0.05",
            facecolor="#dce8f5",
            edgecolor="#35618e",
            zorder=3,
        )
    )
    words = [f"{used} {count}" for used, count in rest.items()]
    lines = [", ".join(words[i : i + 2]) for i in range(0, len(words), 2)]
    axes.text(
        x,
        y + (0.2 if lines else 0),
        f"{folder}/",
        ha="center",
        va="center",
        weight="bold",
        zorder=4,
        size=12,
    )
    axes.text(
        x,
        y + 0.09,
        "\n".join(lines),
        ha="center",
        va="top",
        size=7,
        color="0.3",
        zorder=4,
    )


def write_picture(path: Path = PICTURE) -> None:
    """Write the picture; the same imports give the same file."""
    folders = house.folder_graph(house.module_graph())
    metadata = {"Date": None, "Description": json.dumps(folders)}
    with mpl.rc_context({"svg.hashsalt": "house", "svg.fonttype": "none"}):
        draw(folders).savefig(path, metadata=metadata)


def pictured_graph(path: Path = PICTURE) -> dict[str, dict[str, int]]:
    """Return the graph that a picture shows."""
    text = ElementTree.parse(path).findtext(f".//{_DESCRIPTION}")
    if text is None:
        raise ValueError(f"{path}: no graph in the description")
    graph: dict[str, dict[str, int]] = json.loads(text)
    return graph


if __name__ == "__main__":
    write_picture()
