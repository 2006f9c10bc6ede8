"""The application: registers the verbs, and turns errors into one line."""

from __future__ import annotations

import errno
import logging
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from ncc_route import interrupts, signals
from ncc_route.bench import bench
from ncc_route.bound import bound
from ncc_route.check import check
from ncc_route.cluster import cluster
from ncc_route.columns import columns
from ncc_route.diagnose import diagnose
from ncc_route.evaluate import evaluate
from ncc_route.explain import explain
from ncc_route.generate import generate
from ncc_route.instances import instances
from ncc_route.label import label
from ncc_route.mcp import mcp
from ncc_route.new import new
from ncc_route.offer import offer
from ncc_route.output import PlainFormatter, say
from ncc_route.overwriting import Command
from ncc_route.plot import plot
from ncc_route.prepare import prepare
from ncc_route.replan import replan
from ncc_route.serve import serve
from ncc_route.solve import solve
from ncc_route.solve_days import solve_days
from ncc_route.solve_many import solve_many
from ncc_route.train import train
from ncc_route.what_if import what_if
from ncc_routing.core.extras import naming_the_extra
from ncc_routing.core.text import quoted, shortened

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

_GONE = {
    "reshape": "ncc-route solve INSTANCE --start SOLUTION --max-extra-cost "
    "SHARE",
    "trade-off": "ncc-route solve, once for each weight",
}
"""Verbs of 0.2, for one release."""

DEBUG_FLAG = "--debug"
"""It may stand anywhere on the line: ``main`` takes it off."""


app = typer.Typer(
    name="ncc-route",
    help="Capacitated clustering and vehicle routing.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain text: an error stays one line
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _refusing(verb: str, form: str) -> Callable[[], None]:
    def refuse() -> None:
        raise typer.BadParameter(f"{verb} is now: {form}")

    return refuse


VERBS = (
    new,
    solve,
    replan,
    offer,
    explain,
    what_if,
    solve_days,
    solve_many,
    cluster,
    check,
    columns,
    diagnose,
    bound,
    serve,
    mcp,
    plot,
    bench,
    generate,
    prepare,
    label,
    train,
    evaluate,
)
"""One function for each verb, in the order of the help."""

for command in VERBS:
    app.command(cls=Command)(command)
app.add_typer(instances)
for verb, form in _GONE.items():
    app.command(
        verb,
        hidden=True,
        context_settings={
            "ignore_unknown_options": True,
            "allow_extra_args": True,
        },
    )(_refusing(verb, form))

_NOT_TAKEN = (
    *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO),
    errno.EBADF,
)
"""Why the system takes no more bytes: the disk is full, or it is closed."""

VERSIONED = ("numpy", "pyvrp", "elkai", "torch")
"""Packages whose versions --version prints beside ours."""


def _print_versions(wanted: bool) -> None:
    """Print versions, of the packages without importing them."""
    if wanted:
        import platform
        from importlib import metadata

        say(f"ncc-route {metadata.version('ncc_routing')}")
        say(f"Python {platform.python_version()}")
        for package in VERSIONED:
            try:
                number = metadata.version(package)
            except metadata.PackageNotFoundError:
                number = "not installed"
            say(f"{package} {number}")
        raise typer.Exit


@app.callback()
def configure(
    context: typer.Context,
    *,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Log the steps on stderr.")
    ] = False,
    debug: Annotated[  # main() takes it, so that it may stand anywhere
        bool, typer.Option(DEBUG_FLAG, help="Show the traceback of an error.")
    ] = False,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_print_versions,
            is_eager=True,
            help="Print the versions and exit.",
        ),
    ] = False,
) -> None:
    """Capacitated clustering and vehicle routing."""
    level = logging.INFO if verbose else logging.WARNING
    handler = logging.StreamHandler()
    handler.setFormatter(PlainFormatter("ncc-route: %(message)s"))
    logging.basicConfig(level=level, handlers=[handler])
    context.obj = run_apart  # a verb cannot import the application


def main() -> None:
    """Run the command line; the one place where errors end.

    Exit codes: 0 done; 1 bad input, infeasible or invalid; 2 usage; 3 some
    unserved; 130 interrupted.
    """
    # A run takes one core; waiting threads of OpenBLAS would take the others.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    interrupts.catch_signals()
    arguments = [text for text in sys.argv[1:] if text != DEBUG_FLAG]
    debug = DEBUG_FLAG in sys.argv[1:]
    try:
        with naming_the_extra():
            app(args=arguments, prog_name="ncc-route")
    except KeyboardInterrupt:
        raise SystemExit(signals.EXIT_CODE) from None
    # The last stop before the user: whatever comes here becomes one line.
    except Exception as error:
        if debug:
            raise
        _fail(error)
    finally:
        signals.ignore_signals()
        _let_output_go()


def run_apart(folder: Path, arguments: Sequence[str]) -> tuple[int, str, str]:
    """Run the command in a folder; for a process of its own.

    Returns the exit code, and what stdout and stderr have.
    """
    os.chdir(folder)
    sys.argv = ["ncc-route", *arguments]
    code, out, err = 0, StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
    logging.getLogger().handlers.clear()  # the next run has streams of its own
    return code, out.getvalue(), err.getvalue()


def _let_output_go() -> None:
    """Forget what standard output has not taken: Python would complain."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _takes(options: Sequence[str]) -> bool:
    """Whether the command that is run has all of some options."""
    verbs = getattr(typer.main.get_command(app), "commands", {})
    name = next((text for text in sys.argv[1:] if text in verbs), "")
    params = verbs[name].params if name else ()
    known = {option for param in params for option in param.opts}
    return all(each.split()[0] in known for each in options)


def _fail(error: Exception) -> NoReturn:
    """Print an error on stderr and exit with code 1."""
    from ncc_routing.core.exceptions import NccRoutingError

    text = str(error)
    if isinstance(error, OSError) and not isinstance(error, NccRoutingError):
        file = error.filename
        # Whoever writes a file names it: this is from printing.
        if file is None and error.errno in _NOT_TAKEN:
            file = "standard output"
        if file is not None:
            text = f"{shortened(str(file))}: {error.strerror}."
    elif not isinstance(error, NccRoutingError):
        kind, text = type(error).__name__, " ".join(text.split())
        text = f"internal error: {kind}: {text} ({DEBUG_FLAG} shows more)"
    say(f"ncc-route: error: {text}", err=True)
    options = getattr(error, "options", ())
    if options and _takes(options):
        typed = [quoted(each) for each in sys.argv[1:]]
        line = " ".join(["ncc-route", *typed, *options])
        what = "This command accepts all of these proposals"
        if any("?" in each for each in options):
            what = "Put a field or a name in place of each ?, or ignore it"
        say(f"{what}:\n  {line}", err=True)
    raise SystemExit(1)


if __name__ == "__main__":
    main()
