"""Size, resolution and marks of figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from ncc_routing import (
    Instance,
    InstanceError,
    NccRoutingError,
    ParameterError,
    PointSet,
    Solution,
)
from ncc_routing.clustering.objectives import summarize
from ncc_routing.plotting import (
    clusters_html,
    clusters_svg,
    plot_clusters,
    plot_solution,
    routes_html,
    routes_svg,
    save_figure,
)
from ncc_routing.plotting.figures import (
    LARGEST_SIDE,
    empty_figure,
    line_width,
    mark_area,
)
from tests.oracles.system import small_files

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_a_full_disk_leaves_the_old_figure(
    tmp_path: Path, suffix: str
) -> None:
    """And nothing else."""
    file = tmp_path / f"a{suffix}"
    file.write_text("old")
    figure = empty_figure((2, 1))
    with small_files(50), pytest.raises(NccRoutingError, match=file.name):
        save_figure(figure, file)
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("size", [(0, 3), (3, -1), (np.nan, 3), (3, np.inf)])
def test_sizes_are_positive(size: tuple[float, float]) -> None:
    """Nothing can be drawn without a place."""
    with pytest.raises(ParameterError, match="inches"):
        empty_figure(size)


@pytest.mark.parametrize("dpi", [0, -1, LARGEST_SIDE / 2 + 1])
def test_resolutions_have_bounds(tmp_path: Path, dpi: float) -> None:
    """Neither nothing nor more than the backend takes."""
    with pytest.raises(ParameterError, match="pixels"):
        save_figure(empty_figure((2, 1)), tmp_path / "a.png", dpi=dpi)


def test_marks_fall_with_their_number_and_grow_with_the_size() -> None:
    """5000 / 400 square points, four times that on twice the side."""
    assert mark_area(400, (7, 7)) == 12.5
    assert mark_area(1600, (14, 14)) == 12.5
    assert mark_area(1, (7, 7)) == 28.0
    assert mark_area(10**6, (7, 7)) == 1.2
    widths = [line_width(n, (7, 7)) for n in (10, 1000, 10**6)]
    assert widths == [pytest.approx(0.34 * 28**0.5), *widths[1:]]
    assert widths[0] > widths[1] > widths[2] == 0.45


@pytest.mark.parametrize("draw", [plot_solution, routes_html, routes_svg])
def test_routes_need_places(draw: Callable[..., object]) -> None:
    """An instance that is only a matrix cannot be drawn, and says so."""
    matrix = Instance("m", np.array([0, 1]), 1, matrix=np.zeros((2, 2)))
    with pytest.raises(InstanceError, match="plotting"):
        draw(matrix, Solution(((1,),), 0.0))


@pytest.mark.parametrize("draw", [plot_clusters, clusters_html, clusters_svg])
def test_clusters_need_a_plane(draw: Callable[..., object]) -> None:
    """Three dimensions are refused."""
    points = PointSet(np.eye(3), np.ones(3, int), 3)
    found = summarize(points, np.zeros(3, int), 1, "inertia")
    with pytest.raises(ParameterError, match="two dimensions"):
        draw(points, found)


def test_hulls_members_and_centers_are_drawn() -> None:
    """One hull for each used cluster; the title names the cost."""
    points = PointSet(
        np.array([[0, 0], [2, 0], [9, 9]]), np.ones(3, int), 2, "three"
    )
    found = summarize(points, np.array([0, 0, 2]), 3, "inertia")
    axes = plot_clusters(points, found).axes[0]
    hulls, members, centers = axes.collections
    assert len(hulls.get_paths()) == 2
    assert len(np.asarray(members.get_offsets())) == 3
    assert np.asarray(centers.get_offsets()).tolist() == [
        [1.0, 0.0],
        [9.0, 9.0],
    ]
    assert axes.get_title(loc="left") == "three: inertia 2, 3 clusters"


def test_a_path_may_be_a_text(tmp_path: Path) -> None:
    """As for all other files; what is no number of pixels is refused."""
    save_figure(empty_figure((2, 1)), str(tmp_path / "a.png"))
    assert (tmp_path / "a.png").exists()
    wrong: Any = "x"
    with pytest.raises(ParameterError, match="dpi must be a number, got 'x'"):
        save_figure(empty_figure((2, 1)), tmp_path / "b.png", wrong)
