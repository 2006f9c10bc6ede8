"""``ncc-route trade-off``: the cost of a preference for several weights."""

from typing import TYPE_CHECKING, Annotated

import typer

from ncc_route import options
from ncc_route.declared import Stated, params_of, verb
from ncc_route.running import Frame, frame
from ncc_route.tables import READ, Reader
from ncc_routing.plotting.figures import FIGURE_SUFFIXES
from ncc_routing.vrp.params import PREFERENCES, SolveParams

if TYPE_CHECKING:
    from ncc_routing.vrp.trade_off import TradeOff

NameOption = Annotated[
    str,
    options.choice(
        "--of",
        PREFERENCES,
        "Preference: compactness; consistency, which needs --reference; or "
        "affinity, which needs --scorer.",
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


@verb(
    stated=params_of(
        SolveParams,
        (
            *("reference", "scorer", "method", "polish"),
            *("time_limit", "seed", "jobs"),
        ),
        time_limit={
            "help": "Seconds for each weight.",
            "shown": "n / 100, but 2 to 60 (below 20 customers n / 10)",
        },
    ),
    frame=frame(
        options.output(
            "Write the table as CSV; - for standard output.",
            callback=options.csv_file,
        ),
        options.file(
            "--plot",
            "Draw each measure against the cost into a .png or .svg file.",
            callback=options.file_of(FIGURE_SUFFIXES),
        ),
        has_size=False,
    ),
    read=READ,
)
def trade_off(
    instance: options.InstanceArgument,
    name: NameOption = PREFERENCES[0],
    weights: WeightsOption = "0,0.5,1,2",
    *,
    stated: Stated[SolveParams],
    reference_instance: options.ReferenceInstanceOption = None,
    frame: Frame,
    read: Reader,
) -> None:
    """Solve an instance with several weights of a preference, and compare.

    Ctrl-C ends the curve with the current plan.
    """
    from ncc_routing.core.exceptions import ParameterError
    from ncc_routing.vrp import trade_off as curves

    values = _numbers(weights)
    options.require_one_stream(instance, stated.values.get("reference"))
    # The largest weight is checked with them; without it a scorer that
    # nothing else reads would be refused.
    if name in stated.values:
        raise ParameterError(f"{name} must not be given: --weights sets it.")
    params = stated.params(**{name: max(values)})
    params = read.with_reference(params, reference_instance)
    with frame.running() as time_limit:
        problem = read(instance)
        with frame.working() as callbacks:
            curve = curves.trade_off(
                *(problem, name, values, time_limit),
                params=params,
                callbacks=callbacks,
            )
        if frame.output is not None:
            curve.write(frame.output)
        if frame.plot is not None:
            from ncc_routing.plotting import save_figure

            save_figure(curve.plot(), frame.plot, frame.dpi)
        frame.answer(
            lambda: _answer(curve),
            curve.summary,
            table=frame.output,
            figure=frame.plot,
        )


def _numbers(text: str) -> list[float]:
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
