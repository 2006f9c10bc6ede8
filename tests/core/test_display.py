"""The line about the progress of a run."""

import io

import pytest
from rich.console import Console

import ncc_routing as nr
from ncc_routing.core.display import ProgressDisplay, shown
from ncc_routing.core.events import Progress


def display_on(file: io.StringIO, **options: float) -> ProgressDisplay:
    """Return a display that writes to a file."""
    console = Console(file=file, width=100, highlight=False)
    return ProgressDisplay(console, **options)


def test_the_line_says_what_is_known() -> None:
    """Stage and time always; cost, gap and iterations where there are."""
    display = display_on(io.StringIO(), best_known=1000.0)
    assert display.describe(Progress("route", 0.25)) == "route     0.2 s"
    full = Progress("polish", 2.0, 1012.0, 12345)
    assert display.describe(full) == (
        "polish    2.0 s, best 1,012 (+1.20 %), 12,345 iterations"
    )


def test_lines_of_a_log_come_once_a_second() -> None:
    """Where nothing can be overwritten, not every best gets a line."""
    file = io.StringIO()
    with display_on(file) as display:
        for tenths in range(25):
            display.on_best(Progress("polish", tenths / 10, 100.0 - tenths))
            display.on_progress(Progress("polish", tenths / 10, 1.0))
    lines = file.getvalue().splitlines()
    assert [line.split(" s")[0].split()[-1] for line in lines] == [
        "0.0", "1.0", "2.0",
    ]  # fmt: skip


def test_who_hears() -> None:
    """The callbacks of the caller, and the display where it is wanted."""
    own = nr.Callbacks()
    with shown(False, None) as listeners:
        assert listeners == ()
    with shown(True, own) as listeners:
        assert listeners[0] is own
        assert isinstance(listeners[1], ProgressDisplay)
    for wrong in (3, [own], nr.Callbacks):
        with (
            pytest.raises(
                nr.ParameterError, match="callbacks must be an object"
            ),
            shown(False, wrong),  # type: ignore[arg-type]
        ):
            pass
