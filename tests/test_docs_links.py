"""A reader finds each page, and what it is read for, in three clicks."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import networkx as nx
import pytest

import layers

if TYPE_CHECKING:
    from pathlib import Path

DOCS = layers.REPOSITORY / "docs"
README = layers.REPOSITORY / "README.md"
PAGES = [
    README,
    *sorted(p for p in DOCS.rglob("*.md") if "_build" not in p.parts),
]
CLICKS = 3
# What a page is reached by: entries of a toctree, roles, links of Markdown.
TOCTREE = re.compile(r"^```\{toctree\}\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ROLE = re.compile(r"\{doc\}`(?:[^`<]*<)?([^`>]+)>?`")
LINK = re.compile(r"\]\(([^):]+\.md)(?:#[\w-]+)?\)")
# A name with a page of its own, and what leads to that page.
ENTRY = re.compile(r"^   (ncc_routing\.\w+)$", re.MULTILINE)
NAME = re.compile(r"\{py:\w+\}`(ncc_routing\.\w+)`")


def links_of(page: Path, text: str) -> set[str]:
    """Return the pages that a page leads to, below the repository."""
    words = [
        f"{entry}.md"
        for block in TOCTREE.findall(text)
        for entry in block.split()
        if not entry.startswith(":")
    ]
    words += [f"{name}.md" for name in ROLE.findall(text)]
    words += LINK.findall(text)
    root = layers.REPOSITORY
    files = [(page.parent / word).resolve() for word in words]
    found = {f.relative_to(root).as_posix() for f in files if f.is_file()}
    if page.is_relative_to(DOCS / "api"):
        found |= set(ENTRY.findall(text))
    return found | set(NAME.findall(text))


@cache
def pages_by_clicks(first: Path) -> dict[str, int]:
    """Return the clicks from a page to each that can be reached."""
    graph = nx.DiGraph()
    for page in PAGES:
        name = page.relative_to(layers.REPOSITORY).as_posix()
        for link in links_of(page, page.read_text("utf-8")):
            graph.add_edge(name, link)
    start = first.relative_to(layers.REPOSITORY).as_posix()
    return dict(nx.single_source_shortest_path_length(graph, start))


@pytest.mark.parametrize("first", [README, DOCS / "index.md"])
@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("docs/start/quick_start.md", ("id,lon,lat", ",open,close", "10:00")),
        (
            "docs/reference/tables.md",
            ("## Route constraints", "bob needs the van"),
        ),
        ("docs/tutorials/warm_start_pyvrp.md", ("prize=", "nr.warm_start(")),
        ("docs/reference/no_plan.md", ("nr.diagnose(", "InfeasibleError")),
        ("docs/benchmarks/index.md", ("after ten seconds", "PyVRP", "gap %")),
        ("docs/tutorials/limits_and_breaks.md", ("## Breaks", "max stops")),
        ("docs/reference/no_plan.md", ("allow_unserved=True", "priority")),
        ("docs/tutorials/day_goes_on.md", ("nr.replan(",)),
        ("docs/tutorials/ask_the_plan.md", ("nr.offers(", "nr.what_if(")),
        ("docs/concepts/bounds.md", ("nr.lower_bound(", "ncc-route bound")),
        ("docs/tutorials/cluster_points.md", ("min_size=", "tolerance=")),
        ("docs/reference/pyvrp.md", ("from ncc_routing.pyvrp import solve",)),
        ("docs/tutorials/the_paper.md", ("## Tables of the paper",)),
        ("docs/reference/moving_to_0_2.md", ("## Exit code 3", "`phases`")),
    ],
    ids=[
        *("windows", "pinning", "prizes", "infeasible", "quality"),
        *("breaks", "over-full", "replanning", "offers", "bounds"),
        *("sizes", "drop-in", "tables of the paper", "moving"),
    ],
)
def test_answers_are_near(
    page: str, words: tuple[str, ...], first: Path
) -> None:
    """Who knows PyVRP begins on the first page or at README."""
    text = (layers.REPOSITORY / page).read_text("utf-8")
    assert [word for word in words if word not in text] == []
    assert pages_by_clicks(first)[page] <= CLICKS


@pytest.mark.parametrize("first", [README, DOCS / "index.md"])
def test_solve_is_near(first: Path) -> None:
    """So is the page of one function."""
    assert pages_by_clicks(first)["ncc_routing.solve"] <= CLICKS


def test_every_page_is_near() -> None:
    """No page lies deeper, and none is outside."""
    clicks = pages_by_clicks(DOCS / "index.md")
    names = [p.relative_to(layers.REPOSITORY).as_posix() for p in PAGES[1:]]
    deep = [n for n in names if clicks.get(n, CLICKS + 1) > CLICKS]
    assert deep == []


def test_links_of() -> None:
    """Each form of a link is found, and nothing else."""
    page = DOCS / "start" / "faq.md"
    text = (
        "```{toctree}\n:maxdepth: 1\n\nwhy\n```\n{doc}`quick_start` "
        "{doc}`all\nways <../benchmarks/index>` [a](installation.md#size) "
        "[b](https://pyvrp.org/a.md) {py:func}`ncc_routing.solve` [c](d.csv) "
        "why {doc}`no_such`\n   ncc_routing.read\n"
    )
    assert links_of(page, text) == {
        "docs/start/why.md",
        "docs/start/quick_start.md",
        "docs/benchmarks/index.md",
        "docs/start/installation.md",
        "ncc_routing.solve",
    }
    api = DOCS / "api" / "ncc_routing.md"
    assert "ncc_routing.read" in links_of(api, text)


def test_programs_are_told_of_every_page() -> None:
    """``llms.txt`` has the pages of a user, by their titles."""
    entry = re.compile(r"^- \[(.+)\]\((.+)\.html\): \S.*$")
    lines = (DOCS / "llms.txt").read_text("utf-8").splitlines()
    entries = [entry.fullmatch(x) for x in lines if x.startswith("- ")]
    told = {each[2]: each[1] for each in entries if each is not None}
    assert len(told) == len(entries)
    for name, title in told.items():
        text = (DOCS / f"{name}.md").read_text("utf-8")
        assert f"\n# {title}\n" in f"\n{text}"
    folders = ("start", "tutorials", "concepts", "reference")
    pages = {f"{path.parent.name}/{path.stem}" for path in PAGES}
    of_users = {page for page in pages if page.startswith(folders)}
    assert of_users - {f"{each}/index" for each in folders} <= told.keys()
