"""The examples of the pages: what a reader would type, ready to be run.

Every block of ``sh`` and ``python`` in README.md and docs/ is an example that
runs by itself. One that cannot be run here has a comment above its fence that
says why::

    <!-- not run: takes hours -->

The cells of the tutorials are not among them: the build runs those.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

INSTANCES = Path(__file__).parents[1] / "instances"

# Commands that no test runs, and why.
NOT_RUN = {
    ".ci/run": "is what runs the tests",
    ".venv/bin/pre-commit": "changes the clone",
    "cd": "goes into the clone",
    "docker": "needs a daemon",
    "git": "needs the network",
    "make": "makes the environment that the test runs in",
    "pip": "changes the environment",
    "podman": "needs a daemon",
    "python": "runs scripts of the repository, some for hours",
    "torchrun": "starts processes of its own",
}

# Long runs, made short: what stands in a page, and what is run instead.
SHORTER = (
    (r"--time-limit[ =][\d.]+", "--time-limit 0.2"),
    (r"\btime_limit=[\d.]+(?=[,)])", "time_limit=0.2"),
    (r"\bbound_seconds=[\d.]+(?=[,)])", "bound_seconds=0.2"),
    (r"\bMaxRuntime\([\d.]+\)", "MaxRuntime(0.2)"),
    (r"\bbudget = [\d.]+", "budget = 0.2"),
    (r"\bbench instances(?= )", "bench instances/NCC-n0021-s1.vrp"),
)

# Files of their own that readers are said to have.
FILES = {
    "customers.csv": (
        "id,x,y,demand\nwarehouse,50,50,0\nann,10,20,40\nbob,90,15,60\n"
        "eve,80,85,30\njoe,20,95,50\n"
    ),
    "mon.csv": (
        "id,x,y,demand\nwarehouse,50,50,0\nann,10,20,40\nbob,90,15,60\n"
    ),
    "tue.csv": (
        "id,x,y,demand\nwarehouse,50,50,0\nbob,90,15,60\njoe,20,95,50\n"
    ),
    "week.csv": (
        "id,depot,day,x,y,demand\nnorth,north,,0,0,0\nsouth,south,,90,90,0\n"
        "ann,north,mon,10,20,3\nbob,south,mon,80,75,4\n"
        "ann,north,tue,10,20,2\n"
    ),
    "orders.csv": (
        "id,lon,lat,demand,open,close,service_min\n"
        "yard,8.682,50.111,0,06:00,18:00,\n"
        "ann,8.651,50.119,3,08:00,10:00,5\n"
        "bob,8.704,50.132,4,08:30,09:30,8\n"
        "eve,8.669,50.093,2,10:00,12:00,5\n"
        "joe,8.720,50.101,5,07:30,11:00,6\n"
    ),
    "vehicles.csv": (
        "name,number,capacity,shift start,shift end\nvan,2,8,07:30,16:00\n"
    ),
    "jobs.json": (
        '{"vehicles": [{"id": 1, "start": [2.35, 48.86], '
        '"end": [2.35, 48.86], "capacity": [4]}], "jobs": ['
        '{"id": 11, "location": [2.30, 48.87], "delivery": [2]}, '
        '{"id": 12, "location": [2.39, 48.84], "delivery": [2]}, '
        '{"id": 13, "location": [2.33, 48.90], "delivery": [1]}]}'
    ),
    "places.csv": (
        "id,lon,lat,depot,demand,open,close,service_min\n"
        "yard,8.682,50.111,1,,06:00,18:00,\n"
        "east,8.750,50.110,1,,06:00,18:00,\n"
        "ann,8.651,50.119,,3,08:00,10:00,5\n"
        "bob,8.704,50.132,,4,08:30,09:30,8\n"
        "eve,8.669,50.093,,2,10:00,12:00,5\n"
        "joe,8.720,50.101,,5,07:30,11:00,6\n"
    ),
    "fleet.csv": (
        "name,number,capacity,depot,shift start,shift end,fixed cost,"
        "cost per km\n"
        "van,1,8,yard,07:30,16:00,50,0.4\n"
        "bike,2,5,east,08:00,14:00,10,0.2\n"
    ),
    "liz.json": '{"id": "liz", "lon": 8.69, "lat": 50.12, "demand": 1}',
    "changes.csv": (  # of orders.csv
        "change,id,vehicle,by,lon,lat,demand\n"
        "add order,liz,,,8.690,50.120,1\ncancel,eve,,,,,\n"
        "late,,2,0:20,,,\n"
    ),
    "osrm.json": (  # of orders.csv
        '{"code": "Ok", "durations": [[0, 390, 410, 300, 420], '
        "[380, 0, 600, 480, 760], [420, 610, 0, 650, 530], "
        "[310, 470, 640, 0, 560], [430, 770, 520, 570, 0]],\n"
        '"distances": [[0, 3100, 3400, 2600, 3700], '
        "[3000, 0, 5200, 3900, 6500], [3500, 5300, 0, 5900, 4600], "
        "[2700, 3800, 5800, 0, 4800], [3800, 6600, 4500, 4900, 0]]}\n"
    ),
    "points.csv": (
        "x,y,weight\n1,2,3\n2,1,4\n9,8,5\n8,9,2\n5,5,3\n1,9,4\n9,1,3\n"
    ),
    "visits.csv": (
        "id,x,y,skills,vehicle,same route,different routes,district\n"
        "yard,0,0,,,,,\nann,10,0,lift,,,,east\nbob,-10,0,,van,,,west\n"
        "eve,0,10,,,pair,,east\njoe,-9,5,,,pair,dogs,west\n"
        "zoe,9,5,,,,dogs,east\n"
    ),
    "monday.csv": "route,id\n1,joe\n1,ann\n2,bob\n2,eve\n",  # of orders.csv
    "nearest.py": (
        "import ncc_routing as nr\n\n\n"
        "def construct(instance, seed, seconds):\n"
        '    """Serve the nearest customer, on a new route if it is full."""\n'
        "    routes, load, last = [[]], 0, 0\n"
        "    absent = set(range(1, instance.num_customers + 1))\n"
        "    while absent:\n"
        "        lengths = dict(zip(absent, instance.distances([last], "
        "[*absent])[0]))\n"
        "        last = min(absent, key=lengths.get)\n"
        "        load += instance.demands[last]\n"
        "        if load > instance.capacity:\n"
        "            routes.append([])\n"
        "            load = instance.demands[last]\n"
        "        routes[-1].append(last)\n"
        "        absent.remove(last)\n"
        "    return routes\n\n\n"
        "def improve(instance, seed, seconds):\n"
        '    """Let the search go on from these routes."""\n'
        "    start = construct(instance, seed, seconds)\n"
        "    return nr.solve(\n"
        "        instance, time_limit=seconds, seed=seed, "
        "initial_solution=start\n"
        "    ).best\n"
    ),
    "routes.sol": (INSTANCES / "NCC-n0101-s1.sol").read_text("utf-8"),
    "run.toml": (
        'polish = "ruin-recreate"\ntime_limit = 0.2\n\n'
        "[ruin_recreate]\nmean_removed = 12\n"
    ),
}

BLOCK = re.compile(
    r"^(?P<mark><!-- not run: .+ -->\n)?"
    r"```(?P<language>sh|python)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Snippet:
    """One block of a page.

    Parameters
    ----------
    language
        "sh" or "python".
    text
        What stands between the fences, long runs made short.
    line
        Line of the page, counted from 1, on which the text begins.
    """

    language: str
    text: str
    line: int


def find_snippets(page: str) -> list[Snippet]:
    """Return the blocks of a page in their order, marked ones left out."""
    return [
        Snippet(
            match["language"],
            shorten(match["text"]),
            page.count("\n", 0, match.start("text")) + 1,
        )
        for match in BLOCK.finditer(page)
        if not match["mark"]
    ]


def shorten(text: str) -> str:
    """Return a text with short times in place of long ones."""
    for long, short in SHORTER:
        text = re.sub(long, short, text)
    return text


def find_commands(text: str) -> list[str]:
    """Return the commands of a shell text that are to be run.

    Lines that go on after a backslash are one command; comments and the
    commands of ``NOT_RUN`` are left out.
    """
    lines = text.replace("\\\n", " ").splitlines()
    found = []
    for line in (line.strip() for line in lines):
        words = [word for word in line.split() if "=" not in word]
        if words and not line.startswith("#") and words[0] not in NOT_RUN:
            found.append(line)
    return found


def run(page: Path) -> None:
    """Run the examples of a page, each in a folder with what a reader has."""
    for snippet in find_snippets(page.read_text("utf-8")):
        commands = [[sys.executable, "-c", snippet.text]]
        if snippet.language != "python":
            commands = [
                ["bash", "-euo", "pipefail", "-c", command]
                for command in find_commands(snippet.text)
            ]
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(INSTANCES, Path(folder, "instances"))
            for name, table in FILES.items():
                Path(folder, name).write_text(table, encoding="utf-8")
            for command in commands:
                subprocess.run(command, cwd=folder, check=True)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        run(Path(name))
