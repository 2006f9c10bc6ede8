"""Interactive pages in a real Chromium; its console must stay silent."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing import Break, Fleet, Instance, PointSet, Solution
from ncc_routing.clustering.objectives import summarize
from ncc_routing.plotting import clusters_html, routes_html
from ncc_routing.problems.routes.unserved import Reason, Unserved
from ncc_routing.problems.source import Source
from ncc_routing.problems.time_form import TimeForm

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plotting.conftest import Page

VISIBLE = "picture.model.groups.filter(g => g.isVisible).map(g => g.number)"
DETAILS = "document.getElementById('details').innerText"
TOOLTIP = "document.getElementById('tooltip')"
STATE = "[picture.map.marked, picture.map.selected]"


def written(folder: Path, text: str) -> Path:
    """Write a page."""
    file = folder / "page.html"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.fixture
def square_page(square: Instance, tmp_path: Path) -> Path:
    """Write the square with its two routes: 1, 4 and 2, 3."""
    solution = Solution.from_routes(square, [[1, 4], [2, 3]])
    return written(tmp_path, routes_html(square, solution))


@pytest.fixture
def many_page(tmp_path: Path) -> Path:
    """Write five thousand customers in strips of fifty."""
    rng = np.random.default_rng(1)
    demands = np.concatenate([[0], np.ones(5000, int)])
    coords = rng.integers(0, 10_000, (5001, 2))
    instance = Instance("many", demands, 50, coords=coords)
    order = 1 + np.lexsort((coords[1:, 1], coords[1:, 0] // 500))
    solution = Solution.from_routes(instance, order.reshape(100, 50).tolist())
    return written(tmp_path, routes_html(instance, solution))


def place_of(page: Page, node: int) -> tuple[float, float]:
    """Return where a node is on the screen."""
    place = page.run(
        "(() => { const { model, map } = picture; const box = "
        "map.canvas.getBoundingClientRect(); const at = map.toScreen("
        f"model.xs[{node}], model.ys[{node}]); "
        "return [at.x + box.left, at.y + box.top]; })()"
    )
    return float(place[0]), float(place[1])


def colour_at(page: Page, x: float, y: float) -> list[int]:
    """Return red, green and blue of a place of the map.

    Read from a copy: reading from the map itself is warned of.
    """
    pixel = page.run(
        "(() => { const copy = document.createElement('canvas')"
        ".getContext('2d'); copy.canvas.width = copy.canvas.height = 1; "
        f"copy.drawImage(picture.map.canvas, {-int(x)}, {-int(y)}); "
        "return [...copy.getImageData(0, 0, 1, 1).data]; })()"
    )
    return [int(value) for value in pixel[:3]]


def click(page: Page, selector: str, number: int = 0) -> None:
    """Click in the middle of an element."""
    box = page.run(
        f"(() => {{ const e = document.querySelectorAll({selector!r})"
        f"[{number}]; e.scrollIntoView({{block: 'nearest'}}); "
        "const b = e.getBoundingClientRect(); "
        "return [b.left + b.width / 2, b.top + b.height / 2]; })()"
    )
    page.click(box[0], box[1])


def search(page: Page, text: str) -> list[str]:
    """Type into the search field; return what is offered."""
    page.run("document.getElementById('search').value = ''")
    page.run("document.getElementById('search').focus()")
    page.type_text(text)
    offers = "[...document.getElementById('results').children]"
    return [str(t) for t in page.run(f"{offers}.map(e => e.textContent)")]


def test_panel_lists_routes_with_loads_and_costs(
    page: Page, square_page: Path
) -> None:
    """Facts of the whole and one row a route."""
    page.open(square_page)
    assert page.run("document.title") == "square"
    facts = page.run("document.getElementById('summary').innerText")
    assert " ".join(facts.split()) == (
        "Cost 484 Routes 2 Customers 4 Capacity 5"
    )
    rows = page.run(
        "[...document.querySelectorAll('.group .pick')].map(e => e.innerText)"
    )
    assert [row.split("\n") for row in rows] == [
        [f"Route {number}", "cost 242", "2 customers", "load 5 of 5"]
        for number in (1, 2)
    ]


def test_depot_and_customers_are_seen(page: Page, square_page: Path) -> None:
    """The depot in the colour of the text, customer 1 in that of its route.

    Between the customers 1 and 2 there is no leg: the ground shows.
    """
    page.open(square_page)
    depot = colour_at(page, *place_of(page, 0))
    assert depot == [0x1D, 0x23, 0x28]
    (ax, ay), (bx, by) = place_of(page, 1), place_of(page, 2)
    assert colour_at(page, (ax + bx) / 2, (ay + by) / 2) == [0xFB, 0xFB, 0xF9]
    hues = {tuple(colour_at(page, *place_of(page, c))) for c in (1, 2, 3, 4)}
    assert len(hues) == 2


def test_hover_tells_about_a_customer(page: Page, square_page: Path) -> None:
    """Number, demand, route, position and distances; then nothing again."""
    page.open(square_page)
    x, y = place_of(page, 4)
    page.mouse("mouseMoved", x + 3, y + 2)
    page.settle()
    assert page.run(f"{TOOLTIP}.innerText").split("\n") == [
        "Customer 4",
        "demand 4",
        "Route 1, stop 2 of 2",
        "100 from the stop before",
        "171 since the depot",
    ]
    page.mouse("mouseMoved", x + 60, y + 60)
    page.settle()
    assert page.run(f"{TOOLTIP}.hidden") is True


def test_a_sheet_is_printed_for_each_route_that_is_shown(
    page: Page, two_depots: Instance, two_depots_plan: Solution, tmp_path: Path
) -> None:
    """The timetable of a driver, from depot to depot."""
    page.open(written(tmp_path, routes_html(two_depots, two_depots_plan)))
    page.run("picture.actions.show((group) => group.number === 2)")
    lines = page.run(
        "(picture.panel.writeSheets(), [...document.querySelectorAll("
        "'#sheets tr')].map(row => [...row.children].map("
        "cell => cell.textContent).join(' ')))"
    )
    assert lines == [
        "stop arrival customer delivered departure load distance window",
        "0 0 Depot 0 0 7 0 - 200",
        "1 10 4 2 15 5 10 - 200",
        "2 25 3 5 30 0 20 - 200",
        "3 50 Depot 0 50 0 40 - 200",
    ]


def test_clock_times_are_shown(
    page: Page, two_depots: Instance, two_depots_plan: Solution, tmp_path: Path
) -> None:
    """On the sheet of a driver, and where the mouse is: customer 2 at 30."""
    clock = replace(
        two_depots,
        source=Source(time_form=TimeForm("clock", has_seconds=True)),
    )
    page.open(written(tmp_path, routes_html(clock, two_depots_plan)))
    cells = page.run("picture.panel.model.timetable(picture.model.groups[0])")
    assert cells["rows"][2][1:4] == ["00:00:30", "2", "4"]
    x, y = place_of(page, 2)
    page.mouse("mouseMoved", x, y)
    page.settle()
    lines = page.run(f"{TOOLTIP}.innerText").split("\n")
    assert "arrival 00:00:30" in lines


def test_a_driver_reads_names_and_addresses(
    page: Page, tmp_path: Path
) -> None:
    """Behind the id, and on his sheet before numbers; who waits has a start.

    It is 10 km at 60 km/h to a-1, which opens at 8:30.
    """
    orders = {
        **{"order no": ["hub", "a-1", "a-2"], "lat": [0, 0, 0]},
        **{"lon": [0, 0.09, 0.1], "qty": [0, 3, 9], "load": [None, "B", "C"]},
        **{"remark": [None, "ring", None], "customer": [None, "Ann", "Bo"]},
        "window": [None, "8:30-12:00", None],
    }
    van = {"name": ["Al"], "plate": ["K-1"], "capacity": [5]}
    van |= {"start": ["8:00"], "latest start": ["8:00"]}
    problem = nr.read(
        *(orders, van),
        speed="60km/h",
        day="2026-05-04",
        ignore_columns=["load"],
    )
    plan = nr.Solution.from_routes(problem, [[1]], [0])
    absent = Unserved(2, "a-2", 0, (Reason(0, "capacity", "9 of 5"),))
    page.open(written(tmp_path, routes_html(problem, plan, [absent])))
    texts = page.run(
        "(picture.panel.writeSheets(), [...document.querySelectorAll("
        "'#sheets :is(h2, p, tr, li)')].map(one => one.children.length ? "
        "[...one.children].map(cell => cell.textContent).join('|') : "
        "one.textContent))"
    )
    head, facts, titles, _, stop, _, left, who = texts
    assert head == "customers: Al, K-1"
    assert facts.startswith("2026-05-04, 08:00 to 08:40, 1 order, 0.7 h, 20.0")
    assert titles.startswith("stop|arrival|start|customer|customer|remark|del")
    assert stop.startswith("1|08:10|08:30|a-1|Ann|ring|3|08:30|0|10 km|B")
    assert left == "customers: Unserved 1"
    assert who.startswith("Customer a-2, Bo · 9 of 5 · qty: 9")
    assert search(page, "a-1") == ["Customer a-1, Ann"]
    assert page.run(DETAILS).split("\n")[1:4] == [
        *("Customer a-1, Ann", "ring", "demand 3")
    ]


def test_a_column_called_demand_says_it(page: Page, tmp_path: Path) -> None:
    """It stands there once, as the table has it."""
    orders = {"id": ["hub", "a"], "x": [0, 3], "y": [0, 4], "demand": [0, 3]}
    problem = nr.read(orders, capacity=5)
    plan = nr.Solution.from_routes(problem, [[1]])
    page.open(written(tmp_path, routes_html(problem, plan)))
    search(page, "a")
    assert page.run(DETAILS).count("demand") == 1


def test_breaks_are_shown(
    page: Page, two_depots: Instance, two_depots_plan: Solution, tmp_path: Path
) -> None:
    """One on the way to customer 2, from 24 to 27, and one back from it.

    The van starts at 2, so that it need not wait.
    """
    fleet = two_depots.fleet
    assert fleet is not None
    van, truck = fleet.types
    breaks = Break(3, ((24, 24),)), Break(2, ((40, 60),))
    rested = Fleet((replace(van, breaks=breaks), truck))
    instance = replace(two_depots, fleet=rested)
    page.open(written(tmp_path, routes_html(instance, two_depots_plan)))
    cells = page.run("picture.panel.model.timetable(picture.model.groups[0])")
    assert [row[:3] for row in cells["rows"]] == [
        [0, "2", "Depot"],
        [1, "12", "1"],
        ["", "24", "break"],
        [2, "30", "2"],
        ["", "40", "break"],
        [3, "57", "Depot"],
    ]
    x, y = place_of(page, 2)
    page.mouse("mouseMoved", x, y)
    page.settle()
    lines = page.run(f"{TOOLTIP}.innerText").split("\n")
    assert "break 24 to 27" in lines
    click(page, ".group .pick", 0)
    lines = page.run(DETAILS).split("\n")
    assert lines[-2:] == ["break 24 to 27", "break 40 to 42"]


def test_routes_are_toggled(page: Page, square_page: Path) -> None:
    """One off, only one, none, all; a hidden customer cannot be hovered."""
    page.open(square_page)
    click(page, ".group input", 0)
    assert page.run(VISIBLE) == [2]
    x, y = place_of(page, 1)
    assert colour_at(page, x, y) == [0xFB, 0xFB, 0xF9]
    page.mouse("mouseMoved", x, y)
    assert page.run(f"{TOOLTIP}.hidden") is True
    click(page, ".group .only", 0)
    assert page.run(VISIBLE) == [1]
    assert page.run(
        "[...document.querySelectorAll('.group input')].map(e => e.checked)"
    ) == [True, False]
    click(page, ".group .only", 0)
    assert page.run(VISIBLE) == [1, 2]
    click(page, "#none")
    assert page.run(VISIBLE) == []
    click(page, "#all")
    assert page.run(VISIBLE) == [1, 2]


def test_search_highlights_by_number(page: Page, square_page: Path) -> None:
    """A number is a customer or a route; words choose, others find none."""
    page.open(square_page)
    assert search(page, "2") == ["Customer 2", "Route 2"]
    assert page.run(STATE) == [2, 1]
    assert page.run(DETAILS).split("\n")[1] == "Customer 2"
    assert search(page, "r1") == ["Route 1"]
    assert page.run(STATE) == [-1, 0]
    assert search(page, "customer #3") == ["Customer 3"]
    assert page.run(STATE) == [3, 1]
    assert search(page, "4") == ["Customer 4"]
    for missing in ("0", "5", "x", "r3", "<b>"):
        assert search(page, missing) == ["Nothing has that number."]
    # A hidden route that is looked for comes back.
    click(page, "#none")
    search(page, "c1")
    assert page.run(VISIBLE) == [1]


def test_ids_are_shown_and_found(
    page: Page, square: Instance, tmp_path: Path
) -> None:
    """And no number beside them; markup stays text and runs nothing."""
    name = "</script><img src=x onerror=alert(1)> 'a' & \"b\""
    ids = ("home", "Main St", "<b>", "4", "7")
    named = replace(square, name=name, ids=ids)
    solution = Solution.from_routes(named, [[1, 4], [2, 3]])
    notes = {"4": "first\n<b>"}
    page.open(written(tmp_path, routes_html(named, solution, notes=notes)))
    shown = page.run(
        "[document.title, document.querySelector('h1').textContent, "
        "document.querySelectorAll('img').length]"
    )
    assert shown == [name, name, 0]
    assert search(page, "main") == ["Customer Main St"]
    assert search(page, "<b>") == ["Customer <b>"]
    assert search(page, "4") == ["Customer 4"]
    assert search(page, "home") == ["Nothing has that number or id."]
    details = page.run(DETAILS)
    assert "Customer 4" in details
    assert "\nfirst\n<b>\n" in details


def test_click_chooses_and_escape_clears(
    page: Page, square_page: Path
) -> None:
    """On a customer, on the ground, and by the keyboard."""
    page.open(square_page)
    x, y = place_of(page, 3)
    page.click(x, y)
    assert page.run(STATE) == [3, 1]
    page.click(x + 80, y + 40)
    assert page.run(STATE) == [-1, -1]
    page.click(x, y)
    page.run("picture.map.canvas.focus()")
    page.press("Escape")
    assert page.run(STATE) == [-1, -1]
    click(page, ".group .pick", 0)
    assert page.run(STATE) == [-1, 0]
    page.press("/")
    assert page.run("document.activeElement.id") == "search"


def test_wheel_drag_and_keys_move_the_map(
    page: Page, square_page: Path
) -> None:
    """What lies under the mouse stays there, a drag takes it along."""
    page.open(square_page)
    x, y = place_of(page, 2)
    begin = page.run("picture.map.scale")
    page.mouse("mouseWheel", x, y, deltaX=0, deltaY=-300)
    page.settle()
    assert page.run("picture.map.scale") > 1.5 * begin
    assert place_of(page, 2) == pytest.approx((x, y), abs=1e-6)
    page.mouse("mousePressed", x, y, button="left", clickCount=1)
    page.mouse("mouseMoved", x - 70, y + 30, button="left", buttons=1)
    page.mouse("mouseReleased", x - 70, y + 30, button="left", clickCount=1)
    assert place_of(page, 2) == pytest.approx((x - 70, y + 30), abs=1e-6)
    assert page.run(STATE) == [-1, -1]
    page.run("picture.map.canvas.focus()")
    page.press("ArrowLeft")
    assert place_of(page, 2) == pytest.approx((x - 10, y + 30), abs=1e-6)
    page.press("0")
    assert page.run("picture.map.scale") == begin
    assert place_of(page, 2) == pytest.approx((x, y), abs=1e-6)


def test_phone_fits_and_pinches(page: Page, square_page: Path) -> None:
    """Nothing is wider than 390 pixels; fingers tap and spread."""
    page.open(square_page, 390, 844)
    assert page.run("document.documentElement.scrollWidth") == 390
    assert (
        page.run(
            "[...document.querySelectorAll('button, input, select')]"
            ".filter(e => e.getBoundingClientRect().right > 390).length"
        )
        == 0
    )
    x, y = place_of(page, 1)
    page.touch("touchStart", (x + 8, y - 8))
    page.touch("touchEnd")
    page.settle()
    assert page.run(STATE) == [1, 0]
    begin = page.run("picture.map.scale")
    page.touch("touchStart", (150, 200), (250, 200))
    page.touch("touchMove", (100, 200), (300, 200))
    page.touch("touchEnd")
    assert page.run("picture.map.scale") == pytest.approx(2 * begin, rel=0.01)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_scheme_follows_the_reader(
    page: Page, square_page: Path, scheme: str
) -> None:
    """The system chooses, and the button changes it."""
    grounds = [[0xFB, 0xFB, 0xF9], [0x14, 0x18, 0x1C]]
    own, other = grounds if scheme == "light" else reversed(grounds)
    page.open(square_page, scheme=scheme)
    assert colour_at(page, 3, 3) == own
    for ground in (other, own):
        click(page, "#theme")
        assert colour_at(page, 3, 3) == ground


def test_thousands_move_as_a_copy_and_become_sharp(
    page: Page, many_page: Path
) -> None:
    """While they move nothing is drawn anew; at rest the view is exact."""
    page.open(many_page)
    draws = page.run(
        "(() => { let n = 0; const { map } = picture; const old = "
        "map.drawHidden; map.drawHidden = function (...a) { n += 1; "
        "old.apply(this, a); }; "
        "for (let k = 0; k < 20; k += 1) { map.pan(4, 2); map.draw(); } "
        "return n; })()"
    )
    assert draws == 0
    page.run("new Promise(done => setTimeout(done, 400))")
    assert page.run(
        "picture.map.drawn.x === picture.map.center.x "
        "&& picture.map.drawn.y === picture.map.center.y"
    )
    assert page.run("document.querySelectorAll('.group').length") == 100


def test_clusters_show_members_centers_and_no_depot(
    page: Page, tmp_path: Path
) -> None:
    """Points count from 0; an empty cluster and a point of none do no harm."""
    points = PointSet(
        np.array([[0, 0], [4, 0], [9, 9], [8, 2]]), np.array([1, 2, 3, 4]), 6
    )
    found = summarize(points, np.array([0, 0, 2, 2]), 3, "inertia")
    page.open(written(tmp_path, clusters_html(points, found)))
    x, y = place_of(page, 0)
    page.mouse("mouseMoved", x, y)
    page.settle()
    assert page.run(f"{TOOLTIP}.innerText").split("\n") == [
        "Point 0",
        "weight 1",
        "Cluster 0",
        "2 from its center",
    ]
    assert search(page, "1") == ["Point 1", "Cluster 1"]
    assert page.run(STATE) == [1, 0]
    page.press("Escape")
    search(page, "cluster 1")
    assert page.run(STATE) == [-1, 1]


def test_points_on_a_line_keep_their_size(page: Page, tmp_path: Path) -> None:
    """Three customers above one another are no dust of thousands."""
    coords = np.array([[5, 0], [5, 1], [5, 2], [5, 3]])
    instance = Instance("line", np.array([0, 1, 1, 1]), 3, coords=coords)
    solution = Solution.from_routes(instance, [[1, 2, 3]])
    page.open(written(tmp_path, routes_html(instance, solution)))
    assert page.run("picture.map.radius") == 4.5
