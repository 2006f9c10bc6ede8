"""``ncc-route prepare``: point sets from the raw data of the paper."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ncc_route import options
from ncc_route.output import print_json, require_writable, speak_beside
from ncc_route.overwriting import require_kept

if TYPE_CHECKING:
    from ncc_routing.problems.ccp.points import PointSet

DATA_SETS = ("shanghai", "milan")
"""Telecommunication data that the paper clusters."""


DataArgument = Annotated[
    str,
    options.argument(
        "shanghai|milan",
        "Shanghai Telecom, or Telecom Italia Milan.",
        callback=options.one_of(DATA_SETS),
        autocompletion=options.completing(DATA_SETS),
    ),
]
FilesArgument = Annotated[
    list[Path],
    options.argument(
        "FILE...",
        "shanghai: the CSV files of the sessions; milan: one day of call "
        "records, the squares (square, lon, lat), the towers (lon, lat). One "
        "of them may be - for standard input.",
    ),
]
NumClustersOption = Annotated[
    int | None,
    typer.Option(
        "--clusters",
        "-k",
        metavar="K",
        min=1,
        help="Number of clusters; it scales the weights.",
        show_default="40 for shanghai, 25 for milan",
    ),
]
PartsOption = Annotated[
    int,
    options.number(
        "--parts", "Number of random parts of the map to write in addition.", 0
    ),
]
PartSizeOption = Annotated[
    int, options.number("--part-size", "Points of each part.")
]
SeedOption = Annotated[
    int,
    options.number(
        "--seed", "Seed of the parts; the published ones have 4321.", 0
    ),
]
OutputOption = Annotated[
    Path,
    options.output(
        "Folder for the files; created if missing. - writes the whole map "
        "to standard output.",
        metavar="DIR",
        show_default=True,
    ),
]


def prepare(  # noqa: PLR0913 (typer: one parameter for each option)
    data: DataArgument,
    files: FilesArgument,
    num_clusters: NumClustersOption = None,
    parts: PartsOption = 0,
    part_size: PartSizeOption = 200,
    seed: SeedOption = 4321,
    output: OutputOption = Path(),
    json: options.JsonOption = False,
) -> None:
    """Convert downloaded telecommunication data to points for cluster.

    Their licence forbids redistribution, so the package does not contain
    them. A whole map has its K and its capacity; cluster a part with
    --capacity 1 and --clusters random, as in the paper.
    """
    from ncc_routing.core.text_files import is_standard_output
    from ncc_routing.desk.points import write_points

    speak = speak_beside(output, json=json)
    options.require_one_stream(*files)
    if is_standard_output(output):
        options.require_single(parts + 1, "--parts + 1")
    whole = _read(data, files, num_clusters)
    written = []
    if is_standard_output(output):
        write_points(output, whole)
        return
    output.mkdir(parents=True, exist_ok=True)
    sets = [whole, *_parts(data, whole, parts, part_size, seed)]
    targets = [output / f"{points.name}.csv" for points in sets]
    require_kept(files, targets, "output")
    for points, file in zip(sets, targets, strict=True):
        require_writable(file)
        write_points(file, points)
        written.append(str(file))
        if not json:
            speak(f"{'points':<10}{file}")
    if json:
        print_json({"files": written})


def _read(
    data: str, files: list[Path], num_clusters: int | None
) -> "PointSet":
    from ncc_routing.paper import telecom

    if data == "shanghai":
        count = num_clusters or telecom.SHANGHAI_CLUSTERS
        return telecom.prepare_shanghai(files, count)
    if len(files) != 3:
        raise typer.BadParameter(
            "milan takes three files: records, squares, towers."
        )
    count = num_clusters or telecom.MILAN_CLUSTERS
    return telecom.prepare_milan(files[0], files[1], files[2], count)


def _parts(
    data: str, whole: "PointSet", count: int, size: int, seed: int
) -> "list[PointSet]":
    """Return random parts of the map, as the paper draws them."""
    from ncc_routing.generators.mixtures import WEIGHT_FACTORS, sample_points

    if count == 0:
        return []
    return sample_points(whole, count, size, seed, WEIGHT_FACTORS[data])
