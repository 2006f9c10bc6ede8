"""``ncc-route mcp``: tools of agents, asked by a client of the protocol."""

from __future__ import annotations

import json
import math
import sys
import time
from contextlib import contextmanager
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest
import typer

pytest.importorskip("mcp", reason="the extra mcp is not installed")

import anyio
from anyio.from_thread import start_blocking_portal
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

import ncc_routing as nr
from ncc_route.app import app, main, run_apart
from ncc_route.mcp import tools_of
from ncc_routing.serve.agents import AgentTool, make_server
from ncc_routing.serve.params import AgentParams
from tests.oracles.brute_force import cheapest_plan
from tests.oracles.system import keeping_handlers, rest

psutil = pytest.importorskip("psutil", reason="it counts processes")

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    Ask = Callable[..., "Told"]

LIMITS = AgentParams(time_limit=20.0, max_megabytes=0.05)
CAPACITY = 6
TABLE: dict[str, Any] = {"capacity": CAPACITY, "speed": "36km/h"}
NEW = {"id": "new", "x": 40, "y": 70, "demand": 2}
CANCEL = {"change": "cancel", "id": "o3"}


class Told(NamedTuple):
    """What an agent is told."""

    failed: bool
    text: str

    @property
    def content(self) -> Any:
        """The object of an answer."""
        assert not self.failed, self.text
        return json.loads(self.text.partition("\n")[0])


@contextmanager
def asking(
    tools: Sequence[AgentTool], time_limit: float = 20.0, mode: str = "auto"
) -> Iterator[Ask]:
    """Yield what asks the tools through the client, in this process."""
    server = make_server(tools, time_limit, "")
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(Client(server, mode=mode)) as client,
    ):

        async def call(name: str, given: dict[str, Any], most: float) -> Told:
            with anyio.fail_after(most):
                reply = await client.call_tool(name, given)
            texts = [getattr(part, "text", "") for part in reply.content]
            return Told(reply.is_error, "\n".join(texts))

        def ask(name: str, _most: float = 60.0, **given: Any) -> Told:
            told: Told = portal.call(call, name, given, _most)
            return told

        yield ask


def tools_on(folder: Path) -> list[AgentTool]:
    """Return the tools of the command on a folder."""
    commands: Any = typer.main.get_command(app)
    return tools_of(commands.commands, run_apart, folder, LIMITS)


class Day(NamedTuple):
    """A day with a plan: who is where and in what order."""

    number: int
    places: dict[str, tuple[float, float]]
    demands: dict[str, int]
    routes: list[list[str]]
    cost: float

    def length(self, *ids: str) -> float:
        """Return the length of a line through some places."""
        at = self.places
        return sum(math.dist(at[a], at[b]) for a, b in pairwise(ids))

    def around(self, name: str) -> tuple[str, str]:
        """Return who is before and after an order."""
        [line] = (["yard", *x, "yard"] for x in self.routes if name in x)
        where = line.index(name)
        return line[where - 1], line[where + 1]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the orders of some days, and changes of them."""
    folder = tmp_path_factory.mktemp("days")
    for name, rows in {
        "new": [NEW],
        "add": [{"change": "add order", **NEW}],
        "cancel": [CANCEL],
    }.items():
        (folder / f"{name}.json").write_text(json.dumps(rows))
    for number in range(5):
        rng = np.random.default_rng(number)
        lines = ["id,x,y,demand,open,close", "yard,0,0,0,08:00,18:00"]
        for order in range(6):
            x, y = rng.integers(-300, 300, size=2)
            lines.append(f"o{order},{x},{y},{rng.integers(1, 4)},,")
        (folder / f"day{number}.csv").write_text("\n".join(lines) + "\n")
    return folder


@pytest.fixture(scope="module")
def ask(folder: Path) -> Iterator[Ask]:
    """Return what asks the tools on that folder."""
    with asking(tools_on(folder)) as ask:
        yield ask


@pytest.fixture(scope="module")
def days(ask: Ask, folder: Path) -> list[Day]:
    """Return the days as the tool solves them, with the plans in files."""
    days = []
    for number in range(5):
        found = ask(
            "solve",
            instance=f"day{number}.csv",
            output=f"plan{number}.json",
            time_limit=0.1,
            **TABLE,
        ).content
        instance = nr.read(folder / f"day{number}.csv", **TABLE)
        assert instance.coords is not None
        assert instance.ids is not None
        x, y = instance.coords.T.tolist()
        ids = list(instance.ids)
        days.append(
            Day(
                number,
                dict(zip(ids, zip(x, y, strict=True), strict=True)),
                dict(zip(ids, instance.demands.tolist(), strict=True)),
                found["route_ids"],
                found["cost"],
            )
        )
    return days


def plan_is_whole(ask: Ask, day: Day, folder: Path) -> None:
    """Read what was told from the file; nobody is left out."""
    result = nr.Result.read(folder / f"plan{day.number}.json")
    assert nr.check_solution(result.instance, result.best) == []
    assert sorted(chain(*day.routes)) == [f"o{x}" for x in range(6)]
    lines = (["yard", *route, "yard"] for route in day.routes)
    length = sum(day.length(*line) for line in lines)
    assert day.cost == pytest.approx(length) == result.cost


def check_agrees(ask: Ask, day: Day, folder: Path) -> None:
    """Accept the plan, and find what a damaged one breaks."""
    orders = f"day{day.number}.csv"
    plan = f"plan{day.number}.json"
    said = ask("check", instance=orders, solution=plan, **TABLE).content
    assert (said["feasible"], said["violations"]) == (True, [])
    wrong = folder / f"wrong{day.number}.sol"
    wrong.write_text("Route #1: 1 2 3 4 5 6 6\n")
    said = ask("check", instance=orders, solution=wrong.name, **TABLE).content
    assert not said["feasible"]
    assert "capacity" in {one["kind"] for one in said["violations"]}


def offer_is_the_cheapest(ask: Ask, day: Day, folder: Path) -> None:
    """Find the best position on any route, and on one of its own."""
    order = NEW if day.number % 2 else "new.json"
    found = ask("offer", result=f"plan{day.number}.json", order=order)
    day = day._replace(places={**day.places, "new": (40.0, 70.0)})
    costs = [
        day.length(a, "new", b) - day.length(a, b)
        for route in (*day.routes, [])
        if sum(day.demands[each] for each in route) + 2 <= CAPACITY
        for a, b in pairwise(["yard", *route, "yard"])
    ]
    [first, *_] = found.content["offers"]
    assert first["cost"] == pytest.approx(min(costs))


def explained_cost_is_the_detour(ask: Ask, day: Day, folder: Path) -> None:
    """Price an order on its route."""
    said = ask("explain", result=f"plan{day.number}.json", id="o3").content
    before, after = day.around("o3")
    detour = day.length(before, "o3", after) - day.length(before, after)
    assert said["cost"] == pytest.approx(detour)


def cancelling_is_compared(ask: Ask, day: Day, folder: Path) -> None:
    """Save the detour of the order at least."""
    said = ask(
        "what_if",
        result=f"plan{day.number}.json",
        changes="cancel.json",
        time_limit=0.1,
    ).content
    before, after = day.around("o3")
    detour = day.length(before, "o3", after) - day.length(before, after)
    assert said["cost_before"] == pytest.approx(day.cost)
    assert said["cost_after"] <= day.cost - detour + 1e-6


def cancelled_order_goes(ask: Ask, day: Day, folder: Path) -> None:
    """Cancel before anybody has left; all others are still visited."""
    said = ask(
        "replan",
        result=f"plan{day.number}.json",
        changes=[CANCEL] if day.number % 2 else "cancel.json",
        now="07:00",
        time_limit=0.1,
    ).content
    assert sorted(chain(*said["route_ids"])) == ["o0", "o1", "o2", "o4", "o5"]


def new_order_comes(ask: Ask, day: Day, folder: Path) -> None:
    """Write a new file, which the next tool takes."""
    output = f"later{day.number}.json"
    ask(
        "replan",
        result=f"plan{day.number}.json",
        changes="add.json",
        now="07:00",
        time_limit=0.1,
        output=output,
    )
    result = nr.Result.read(folder / output)
    assert nr.check_solution(result.instance, result.best) == []
    assert ask("explain", result=output, id="new").content["cost"] > 0


def bound_is_below_the_optimum(ask: Ask, day: Day, folder: Path) -> None:
    """Compare with brute force; no plan is cheaper than that."""
    orders = f"day{day.number}.csv"
    said = ask("bound", instance=orders, time_limit=1.0, **TABLE).content
    best = cheapest_plan(nr.read(folder / orders, **TABLE))
    assert said["lower_bound"] <= best + 1e-6 <= day.cost + 2e-6
    assert said["lower_bound"] > 0.5 * best


@pytest.mark.parametrize("number", range(5))
@pytest.mark.parametrize(
    "task",
    [
        plan_is_whole,
        check_agrees,
        offer_is_the_cheapest,
        explained_cost_is_the_detour,
        cancelling_is_compared,
        cancelled_order_goes,
        new_order_comes,
        bound_is_below_the_optimum,
    ],
)
def test_tasks_of_a_dispatcher(
    task: Callable[[Ask, Day, Path], None],
    number: int,
    ask: Ask,
    days: list[Day],
    folder: Path,
) -> None:
    """Eight tasks on each of five days, with what is true of their answers."""
    task(ask, days[number], folder)


def test_tools_are_declared(folder: Path) -> None:
    """With the options of their verbs, and what these mean."""
    tools = {tool.name: tool for tool in tools_on(folder)}
    assert " ".join(tools) == "solve replan offer explain what_if check bound"
    for tool in tools.values():
        assert tool.description
        for each in tool.schema["properties"].values():
            assert each["description"]
    replan = tools["replan"].schema
    assert replan["required"] == ["result", "now"]
    assert replan["properties"]["seed"]["type"] == "integer"
    assert replan["properties"]["allow_unserved"]["type"] == "boolean"
    columns = tools["solve"].schema["properties"]["columns"]
    assert (columns["type"], columns["items"]) == ("array", {"type": "string"})


@pytest.mark.parametrize(
    ("tool", "given", "typed"),
    [
        ("solve", {"instance": "none.csv"}, "none.csv --time-limit 10"),
        (
            "solve",
            {"instance": "day0.csv", "time_limit": 0.1},
            "day0.csv --time-limit=0.1",
        ),
        ("explain", {"result": "add.json", "id": "o1"}, "add.json o1"),
        ("check", {"instance": "day0.csv"}, "day0.csv"),
    ],
)
def test_errors_are_those_of_the_command(
    tool: str,
    given: dict[str, Any],
    typed: str,
    ask: Ask,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A missing file, an open question, a wrong file, and wrong usage."""
    told = ask(tool, **given)
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["ncc-route", tool, *typed.split()])
    with keeping_handlers(), pytest.raises(SystemExit):
        main()
    said = capsys.readouterr().err.strip()
    assert told.failed
    assert told.text.splitlines()[:-1] == said.splitlines()[:-1]
    # The last line may repeat what was typed.
    assert told.text.startswith(said.partition("ncc-route solve")[0])


def test_notes_come_with_answers(ask: Ask, folder: Path) -> None:
    """Of every call: what is read otherwise than it stands."""
    (folder / "notes.csv").write_text(
        "id,x,y,demand,window\nyard,0,0,0,8-18\na,9,9,1,vormittags\n"
    )
    for _ in range(2):
        told = ask("solve", instance="notes.csv", time_limit=0.05, **TABLE)
        assert told.content["route_ids"] == [["a"]]
        assert told.text.splitlines()[1:] == [
            "ncc-route: notes.csv: column window: read 'vormittags' as "
            "8:00-12:00."
        ]


@pytest.fixture
def secret(folder: Path, tmp_path: Path) -> Iterator[Path]:
    """Return a file out of the folder, to which links in it lead."""
    secret = tmp_path / "secret.csv"
    secret.write_text((folder / "day0.csv").read_text())
    links = [folder / "link.csv", folder / "beside.json", folder / "out"]
    for link, target in zip(links, [secret, secret, tmp_path], strict=True):
        link.symlink_to(target)
    (folder / "beside.csv").write_text("id\n")
    yield secret
    for each in (*links, folder / "beside.csv"):
        each.unlink()


@pytest.mark.parametrize(
    "path",
    [
        *(
            "../secret.csv",
            "{}",
            "out/../day0.csv",
            "out/secret.csv",
            "..",
            "/",
        ),
        *("link.csv", "beside.csv", "day0.csv\0", "none/../../secret.csv"),
    ],
)
def test_paths_do_not_leave_the_folder(
    path: str, secret: Path, ask: Ask
) -> None:
    """Neither those that are read nor those that are written."""
    path, before = path.format(secret), secret.read_text()
    for given in (
        {"instance": path},
        {"instance": "day0.csv", "vehicles": path},
        {"instance": "day0.csv", "columns": ["x=y", path]},
        {"instance": "day0.csv", "output": path},
        {"instance": "day0.csv", "also": [path]},
    ):
        told = ask("solve", **{**TABLE, **given})
        assert told.failed
        assert told.text.endswith("is not in the folder.")
    assert secret.read_text() == before
    assert [*secret.parent.iterdir()] == [secret]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"instance": "."}, "must be a file"),
        ({"instance": "large.csv"}, "has more than 0.05 MB"),
        ({"instance": "day0.csv", "time_limit": 21}, "must be at most 20"),
        ({"instance": "day0.csv", "output": "day1.csv"}, "exists"),
        ({"instance": "day0.csv", "osrm": "http://a"}, "osrm is not known"),
        ({"instance": "day0.csv", "seed": "1"}, "of type integer"),
        ({"instance": "day0.csv", "seed": True}, "of type integer"),
        ({"instance": ["day0.csv"]}, "of type string"),
        ({"instance": "x" * 5000}, "File name too long"),
        ({"instance": "-"}, "is empty"),
    ],
)
def test_what_a_call_may_not_say(
    given: dict[str, Any], words: str, ask: Ask, folder: Path
) -> None:
    """Options that are not offered, values beyond limits, and folders."""
    (folder / "large.csv").write_bytes(b" " * 50_001)
    told = ask("solve", **given)
    assert told.failed
    assert words in told.text
    assert ask("fly").text == "there is no tool fly."


def test_rows_are_files_by_their_name(
    ask: Ask, days: list[Day], folder: Path
) -> None:
    """Errors name them so; they lie nowhere, and have the size of files."""
    before = sorted(folder.iterdir())
    asked = {"result": "plan0.json", "now": "07:00"}
    wrong = ask("replan", changes=[{"change": "cancel", "id": "o9"}], **asked)
    assert wrong.failed
    assert wrong.text.startswith("ncc-route: error: changes.json: row 1: ")
    many = [{**CANCEL, "remarks": "x" * 50_000}]
    told = ask("what_if", result="plan0.json", changes=many)
    assert told.text == "changes: what is given has more than 0.05 MB."
    assert sorted(folder.iterdir()) == before


def resting(*, searches: bool) -> AgentTool:
    """Return a tool that sleeps."""
    return AgentTool(
        name="rest",
        description="",
        schema={"type": "object"},
        prepare=lambda given: (given["seconds"],),
        run=rest,
        searches=searches,
    )


def processes() -> set[int]:
    """Return those that this one has started, and those of these."""
    return {one.pid for one in psutil.Process().children(recursive=True)}


def wait_until(is_so: Callable[[], bool]) -> None:
    """Return when something is so, within a minute."""
    for _ in range(6000):
        if is_so():
            return
        time.sleep(0.01)
    pytest.fail("it does not come")


def test_calls_end_in_time() -> None:
    """What keeps no time limit is stopped, and its process with it."""
    before = processes()
    with asking([resting(searches=False)], 0.5) as ask:
        [own] = processes() - before
        assert ask("rest", seconds=0).text == "rested"
        text = "the work exceeded its time limit and was stopped."
        assert ask("rest", seconds=100) == (True, text)
        wait_until(lambda: own not in processes())
        assert ask("rest", seconds=0).text == "rested"
    wait_until(lambda: processes() == before)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_cancelled_calls_end(mode: str) -> None:
    """With their process, and the next one is answered by another."""
    before = processes()
    with asking([resting(searches=True)], mode=mode) as ask:
        [own] = processes() - before
        with pytest.raises(TimeoutError):
            ask("rest", 0.3, seconds=100)
        wait_until(lambda: own not in processes())
        assert ask("rest", seconds=0).text == "rested"
    wait_until(lambda: processes() == before)


def test_the_extra_is_named(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Where the package of the protocol is missing."""
    monkeypatch.setitem(sys.modules, "mcp", None)
    for name in [name for name in sys.modules if name.startswith("mcp.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "ncc_routing.serve.agents")
    monkeypatch.setattr(sys, "argv", ["ncc-route", "mcp", str(folder)])
    with keeping_handlers(), pytest.raises(SystemExit):
        main()
    assert capsys.readouterr().err == (
        "ncc-route: error: mcp is not installed: "
        'pip install "ncc_routing[mcp]" installs it.\n'
    )


def test_a_client_starts_the_command(folder: Path) -> None:
    """On its standard streams; nothing is left when it goes."""
    before = processes()
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "ncc_route", "mcp", str(folder)]
    )

    async def talk() -> tuple[list[str], bool]:
        async with Client(stdio_client(server)) as client:
            tools = (await client.list_tools()).tools
            given = {"instance": "none.csv"}
            reply = await client.call_tool("solve", given)
            return [tool.name for tool in tools], reply.is_error

    names, failed = anyio.run(talk)
    assert (names[0], failed) == ("solve", True)
    wait_until(lambda: processes() == before)
