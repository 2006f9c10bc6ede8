"""``ncc-route trade-off``: the cost of a preference for several weights."""

import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ncc_route import interrupts, options, parameters, tables
from ncc_route.output import (
    print_json,
    require_writable,
    show_progress,
    speak_beside,
)
from ncc_route.references import with_reference
from ncc_routing.core.deprecated import RENAMED
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.plotting.figures import DEFAULT_DPI, FIGURE_SUFFIXES
from ncc_routing.vrp.params import PREFERENCES, SolveParams

if TYPE_CHECKING:
    from ncc_routing.vrp.trade_off import TradeOff


def _preference(value: str) -> str:
    return options.one_of(PREFERENCES)(RENAMED.get(value, value))


NameOption = Annotated[
    str,
    typer.Option(
        "--of",
        metavar="NAME",
        callback=_preference,
        autocompletion=options.completing(PREFERENCES),
        help="Preference: compactness; consistency, which needs "
        "--reference; or affinity, which needs --scorer.",
    ),
]
WeightsOption = Annotated[
    str,
    typer.Option(
        "--weights",
        metavar="W,...",
        help="Weights of the preference; 0 is always added.",
    ),
]
OutputOption = Annotated[
    Path | None,
    options.output(
        "Write the table as CSV; - for standard output.",
        callback=options.csv_file,
    ),
]
PlotOption = Annotated[
    Path | None,
    options.file(
        "--plot",
        "Draw each measure against the cost into a .png or .svg file.",
        callback=options.file_of(FIGURE_SUFFIXES),
    ),
]


@parameters.taking(
    SolveParams,
    ("reference", "scorer", "method", "polish", "time_limit", "seed", "jobs"),
    time_limit={
        "help": "Seconds for each weight.",
        "shown": "n / 100, but 2 to 60 (below 20 customers n / 10)",
    },
)
@tables.reading
def trade_off(  # noqa: PLR0913 (typer: one parameter for each option)
    instance: options.InstanceArgument,
    name: NameOption = PREFERENCES[0],
    weights: WeightsOption = "0,0.5,1,2",
    *,
    stated: parameters.Stated[SolveParams],
    read: "tables.Reader",
    reference_instance: options.ReferenceInstanceOption = None,
    output: OutputOption = None,
    plot: PlotOption = None,
    dpi: options.DpiOption = DEFAULT_DPI,
    progress: options.ProgressOption = None,
    json: options.JsonOption = False,
) -> None:
    """Solve an instance with several weights, and compare the plans.

    Ctrl-C ends the curve with the current plan.
    """
    from ncc_routing.core.exceptions import ParameterError
    from ncc_routing.vrp import trade_off as curves

    values = _numbers(weights)
    options.require_one_stream(instance, stated.values.get("reference"))
    # The largest weight is checked with them; without it a scorer that
    # nothing else reads would be refused.
    if name in stated.values:
        raise ParameterError(f"{name} is what the weights are of.")
    params = stated.params(**{name: max(values)})
    params = with_reference(params, reference_instance, read)
    require_writable(output, plot)
    speak = speak_beside(output, json=json)
    time_limit = TimeLimit()
    with interrupts.expire_on_signal(time_limit):
        # Whatever a solver prints must not mix with the answer.
        with redirect_stdout(sys.stderr):
            problem = read(instance)
            with show_progress(progress) as callbacks:
                curve = curves.trade_off(
                    problem,
                    name,
                    values,
                    params,
                    stop=time_limit,
                    callbacks=callbacks,
                )
        if output is not None:
            curve.write(output)
        if plot is not None:
            from ncc_routing.plotting import save_figure

            save_figure(curve.plot(), plot, dpi)
        if json:
            print_json(_answer(curve))
            return
        speak(curve.summary())
        for label, path in (("table", output), ("figure", plot)):
            if path is not None:
                speak(f"{label:<10}{path}")


def _numbers(text: str) -> list[float]:
    """Return the numbers between commas."""
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise typer.BadParameter(
            f"--weights must be numbers between commas, got {text!r}."
        ) from None


def _answer(curve: "TradeOff") -> dict[str, object]:
    """Return what ``--json`` prints."""
    from importlib import metadata

    first = curve.results[0]
    return {
        "instance": first.instance.name,
        "of": curve.name,
        "seed": first.seed,
        "plans": [
            {**row, "routes": result.routes}
            for row, result in zip(curve.table(), curve.results, strict=True)
        ],
        "version": metadata.version("ncc_routing"),
    }
