"""``ncc-route generate``: random instances of the X family."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, cast, get_args

import typer

from ncc_route import options
from ncc_route.output import print_json, require_writable, speak_beside


def _class_in(alias: str) -> Callable[[str | None], str | None]:
    """Return a callback that takes one value of a type of the generator."""

    def check(value: str | None) -> str | None:
        if value is not None:
            from ncc_routing.generators import uchoa as cvrp

            options.one_of(get_args(getattr(cvrp, alias)))(value)
        return value

    return check


NumCustomersArgument = Annotated[
    int,
    typer.Argument(
        metavar="CUSTOMERS",
        min=1,
        help="Number of customers, the depot not counted.",
        show_default=False,
    ),
]
CountOption = Annotated[
    int,
    typer.Option(
        "--count",
        metavar="N",
        min=1,
        help="Number of instances, with seeds SEED, SEED + 1, ...",
    ),
]
DepotOption = Annotated[
    str | None,
    typer.Option(
        "--depot",
        metavar="CLASS",
        callback=_class_in("DepotClass"),
        help="central, eccentric or random.",
        show_default="drawn by seed",
    ),
]
CustomersOption = Annotated[
    str | None,
    typer.Option(
        "--customers",
        metavar="CLASS",
        callback=_class_in("CustomerClass"),
        help="random, clustered or half.",
        show_default="drawn by seed",
    ),
]
DemandsOption = Annotated[
    str | None,
    typer.Option(
        "--demands",
        metavar="CLASS",
        callback=_class_in("DemandClass"),
        help="unitary, 1-10, 5-10, 1-100, 50-100, quadrant or many-small.",
        show_default="drawn by seed",
    ),
]
RouteLengthOption = Annotated[
    float | None,
    typer.Option(
        "--route-length",
        metavar="R",
        min=1.0,
        help="Mean number of customers of a full vehicle.",
        show_default="drawn by seed",
    ),
]
OutputOption = Annotated[
    Path,
    typer.Option(
        "--output",
        "-o",
        metavar="DIR",
        help="Folder for the .vrp files; made where it is missing. - "
        "writes one instance to standard output.",
    ),
]


def generate(  # noqa: PLR0913 (typer: one parameter for each option)
    num_customers: NumCustomersArgument,
    seed: options.SeedOption = 1,
    count: CountOption = 1,
    depot: DepotOption = None,
    customers: CustomersOption = None,
    demands: DemandsOption = None,
    route_length: RouteLengthOption = None,
    output: OutputOption = Path(),
    json: options.JsonOption = False,
) -> None:
    """Write random instances like those of the X benchmark.

    The classes are those of Uchoa et al. (2017).
    """
    from ncc_routing.core.text_files import is_standard_output
    from ncc_routing.generators import uchoa as cvrp
    from ncc_routing.io.vrplib import write_instance

    speak = speak_beside(output, json=json)
    if is_standard_output(output):
        options.require_single(count, "--count")
    else:
        output.mkdir(parents=True, exist_ok=True)
    written = []
    for own_seed in range(seed, seed + count):
        instance = cvrp.generate_uchoa(
            num_customers,
            own_seed,
            depot=cast("cvrp.DepotClass | None", depot),
            customers=cast("cvrp.CustomerClass | None", customers),
            demands=cast("cvrp.DemandClass | None", demands),
            route_length=route_length,
        )
        file = output
        if not is_standard_output(output):
            file = output / f"{instance.name}.vrp"
        require_writable(file)
        write_instance(file, instance, f"Uchoa-type, seed {own_seed}")
        written.append(str(file))
        if not json:
            speak(f"{'instance':<10}{file}")
    if json:
        print_json({"files": written})
