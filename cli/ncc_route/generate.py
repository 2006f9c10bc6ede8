"""``ncc-route generate``: random instances of the X family."""

from pathlib import Path
from typing import Annotated, Any, cast, get_args

import typer

from ncc_route import options
from ncc_route.output import print_json, require_writable, speak_beside


def _class_option(flag: str, alias: str, text: str) -> Any:

    def check(value: str | None) -> str | None:
        if value is not None:
            from ncc_routing.generators import uchoa as cvrp

            options.one_of(get_args(getattr(cvrp, alias)))(value)
        return value

    return typer.Option(
        flag,
        metavar="CLASS",
        callback=check,
        help=text,
        show_default="drawn by seed",
    )


NumCustomersArgument = Annotated[
    int,
    options.argument(
        "CUSTOMERS", "Number of customers, the depot not counted.", min=1
    ),
]
CountOption = Annotated[
    int,
    options.number(
        "--count", "Number of instances, with seeds SEED, SEED + 1, ..."
    ),
]
DepotOption = Annotated[
    str | None,
    _class_option("--depot", "DepotClass", "central, eccentric or random."),
]
CustomersOption = Annotated[
    str | None,
    _class_option(
        "--customers", "CustomerClass", "random, clustered or half."
    ),
]
DemandsOption = Annotated[
    str | None,
    _class_option(
        "--demands",
        "DemandClass",
        "unitary, 1-10, 5-10, 1-100, 50-100, quadrant or many-small.",
    ),
]
RouteLengthOption = Annotated[
    float | None,
    typer.Option(
        "--route-length",
        metavar="R",
        min=1.0,
        help="Mean number of customers that fill a vehicle.",
        show_default="drawn by seed",
    ),
]
OutputOption = Annotated[
    Path,
    options.output(
        "Folder for the .vrp files; created if missing. - writes one "
        "instance to standard output.",
        metavar="DIR",
        show_default=True,
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
