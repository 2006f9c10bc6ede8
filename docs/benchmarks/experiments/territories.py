"""Clusters under limits of their sizes beside public solvers, and large sets.

The peers are optional: k-means-constrained for sizes, spopt for areas that
hang together. They run where they are installed beside this package.
"""

from __future__ import annotations

import math
import time
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import ncc_routing as nr
from benchmarks.harness.cases import SMALL_POINTS, uniform_points
from benchmarks.harness.experiment import Case, Experiment, Variant
from benchmarks.harness.views import Summary
from ncc_routing.clustering.objectives import summarize
from ncc_routing.problems.routes.checking import check_clustering

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.harness.experiment import Allowance
    from ncc_routing.bench.records import Json
    from ncc_routing.bench.tables import Row, Rows
    from ncc_routing.problems.ccp.points import PointSet

SEED = 9_000_000
"""Of the first generated set."""

OURS = "ncc_routing"
KMEANS = "k-means-constrained"

ROOM = 0.1
"""Share by which sizes may differ from their mean."""

STARTS = 3
MOST_SECONDS = 300.0
"""Starts of the other solver, of which time is that of one, and seconds after
which there is no further one."""

MOST_ABOVE = 0.2
"""Percent above the other solver's mean that count as above."""

FEW = 50
"""Clusters below which a set counts as one with few."""


class Kind(NamedTuple):
    """Points, dimensions and clusters of a generated set."""

    num_points: int
    num_dims: int
    num_clusters: int


KINDS = tuple(
    Kind(*sizes)
    for sizes in (
        *((2000, 2, 5), (2000, 2, 20), (2000, 2, 50), (2000, 2, 100)),
        *((5000, 2, 10), (5000, 2, 50), (5000, 2, 100)),
        *((10_000, 2, 5), (10_000, 2, 20), (10_000, 2, 50)),
        *((20_000, 2, 10), (2000, 5, 10), (2000, 5, 100), (5000, 5, 20)),
        *((5000, 5, 50), (2000, 10, 20), (5000, 10, 10), (5000, 10, 50)),
        *((10_000, 10, 5), (2000, 50, 10), (2000, 50, 50), (5000, 50, 20)),
        *((10_000, 50, 10), (23_000, 50, 10)),
    )
)
"""24 sets, mixtures and uniform by turns."""

LATTICES = (10, 20, 30)
"""Cells of a side."""

REGIONS = {"lattice-10": 5, "lattice-20": 10, "lattice-30": 20,
           "columbus": 5, "mexico": 5}  # fmt: skip
"""Regions of each map."""

SHIPPED: dict[str, tuple[str, tuple[str, ...]]] = {
    "columbus": ("columbus.shp", ("HOVAL", "INC", "CRIME")),
    "mexico": ("mexicojoin.shp", ("PCGDP1940", "PCGDP1970", "PCGDP2000")),
}
"""Files that come with libpysal, and what their areas are grouped by."""


def generated_sets() -> list[Case]:
    """Return the generated sets, those first that take least time."""
    return [
        Case(
            f"n{kind.num_points}-d{kind.num_dims}-K{kind.num_clusters}",
            partial(generate_set, kind, idx),
        )
        for idx, kind in sorted(
            enumerate(KINDS), key=lambda one: math.prod(one[1])
        )
    ]


def generate_set(kind: Kind, idx: int) -> PointSet:
    """Return points of a mixture, or uniform ones of an odd number."""
    size, num_dims, count = kind
    rng = np.random.default_rng(SEED + idx)
    places = rng.random((size, num_dims))
    if idx % 2 == 0:
        centers = rng.random((2 * count, num_dims))
        shares = rng.dirichlet(np.full(2 * count, 2.0))
        own = rng.choice(2 * count, size, p=shares)
        places = centers[own] + rng.normal(0.0, 0.1, places.shape)
    least, most = sizes_within(size, count)
    return nr.PointSet.from_arrays(
        *(places, None, None), num_clusters=count,
        min_size=least, max_size=most,
    )  # fmt: skip


WARM = Case("warm-up", partial(generate_set, Kind(3100, 2, 5), 0))
"""Large enough that every module is loaded."""


def sizes_within(size: int, count: int) -> tuple[int, int]:
    """Return least and largest size of a cluster."""
    mean = size / count
    return int(np.ceil((1 - ROOM) * mean)), int((1 + ROOM) * mean)


REAL = ("iris", "wine", "breast_cancer", "linnerud")
"""Sets that come with scikit-learn, as they are and standardised."""

CLUSTERS = (3, 10, 30)


def real_sets() -> list[Case]:
    """Return twelve sets that come with scikit-learn, by three numbers."""
    names = [*REAL, *(f"{name} standardised" for name in REAL)]
    names += ["diabetes", "digits", "china.jpg", "flower.jpg"]
    return [
        Case(f"{name}, K {count}", partial(real_set, name, count))
        for name in names
        for count in CLUSTERS
        if name.partition(" ")[0] != "linnerud" or count < 10
    ]


def real_set(name: str, count: int) -> PointSet:
    """Return a set whose clusters differ by an eighth of the mean."""
    from sklearn import datasets

    name, _, is_scaled = name.partition(" ")
    if name.endswith(".jpg"):
        pixels = datasets.load_sample_image(name)[::16, ::16].reshape(-1, 3)
        places = pixels.astype(float)
    else:
        places = getattr(datasets, f"load_{name}")().data
    if is_scaled:
        places = (places - places.mean(axis=0)) / places.std(axis=0)
    mean = len(places) / count
    return nr.PointSet.from_arrays(
        *(places, None, None), num_clusters=count,
        min_size=math.floor(7 * mean / 8), max_size=math.ceil(9 * mean / 8),
    )  # fmt: skip


def cluster_once(points: PointSet, seed: int, _budget: Allowance) -> Json:
    """Cluster a set by this package as a user does."""
    begun = time.process_time()
    found = nr.cluster(points, seed=seed)
    seconds = time.process_time() - begun
    return {
        "cost": found.inertia,
        "each": round(seconds, 4),
        "all": round(seconds, 4),
        "feasible": True,
        "version": "",
    }


def cluster_constrained(
    points: PointSet, seed: int, _budget: Allowance
) -> Json:
    """Cluster by k-means-constrained; its best of some starts counts."""
    from k_means_constrained import KMeansConstrained

    count = points.num_clusters or 1
    least, most = (
        int(np.max(np.asarray(limit)))
        for limit in (points.min_size, points.max_size)
    )
    best, seconds, number = None, 0.0, 0
    while number < STARTS and seconds < MOST_SECONDS:
        begun = time.process_time()
        found = KMeansConstrained(
            count,
            size_min=least,
            size_max=most,
            n_init=1,
            random_state=STARTS * seed + number,
            n_jobs=1,
        ).fit(points.coords)
        seconds += time.process_time() - begun
        number += 1
        labels = np.asarray(found.labels_, dtype=np.int64)
        one = summarize(points, labels, count, "inertia")
        if best is None or one.cost < best.cost:
            best = one
    assert best is not None
    return {
        "cost": best.cost,
        "each": round(seconds / number, 4),
        "all": round(seconds, 4),
        "feasible": not check_clustering(points, best, count),
        "version": version(KMEANS),
    }


def why_absent(module: str) -> str | None:
    """Return why a module cannot be used here."""
    if find_spec(module) is not None:
        return None
    return f"there is no module {module}."


def against(
    peers: Callable[[Row], bool], rows: Rows, *more: str
) -> Iterator[Row]:
    """Yield the pairs of our row and that of a peer, as one."""
    ours = {
        tuple(row[name] for name in ("instance", *more)): row
        for row in rows
        if not peers(row)
    }
    for row in filter(peers, rows):
        own = ours.get(tuple(row[name] for name in ("instance", *more)))
        if own is None or not row["cost"]:
            continue
        change = 100.0 * (float(own["cost"]) / float(row["cost"]) - 1.0)
        yield {
            **row,
            "difference": repr(change),
            "ours": own["each"],
            "slower": str(int(float(own["each"]) > float(row["each"]))),
        }


def beside_kmeans(rows: Rows) -> list[Row]:
    """Return a row a set, few clusters first."""
    found = []
    for row in against(lambda row: row["solver"] == KMEANS, rows):
        size, dims, count = row["instance"].split("-")
        is_few = int(count[1:]) < FEW
        found.append(
            {
                **row,
                "points": size[1:],
                "dims": dims[1:],
                "K": count[1:],
                "clusters": f"below {FEW}" if is_few else f"{FEW} and more",
                "dimensions": "2" if dims == "d2" else "5 to 50",
            }
        )
    return sorted(found, key=lambda row: (row["clusters"], row["dimensions"]))


def means_beside_kmeans(rows: Rows) -> list[Row]:
    """Return a row a set: means over its seeds."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row["instance"], row["solver"]), []).append(row)
    means = [
        {
            **own[0],
            "cost": repr(fmean(float(row["cost"]) for row in own)),
            "each": repr(fmean(float(row["all"]) for row in own)),
        }
        for own in groups.values()
    ]
    found = against(lambda row: row["solver"] == KMEANS, means)
    return [
        {**row, "above": str(int(float(row["difference"]) > MOST_ABOVE))}
        for row in found
    ]


PAIR = (
    "inertia %: difference +.2f; worst: difference +.2f max; "
    "cluster, s: ours seconds; peer, s: each seconds; slower: slower .0f sum"
)


class Map(NamedTuple):
    """Areas with values, and which of them touch."""

    name: str
    values: np.ndarray
    pairs: np.ndarray
    num_regions: int


def maps() -> list[Case]:
    """Return maps of libpysal, and lattices with smooth random values."""
    lattices = [
        Case(f"lattice-{side}", partial(lattice, side)) for side in LATTICES
    ]
    shipped = [Case(name, partial(shipped_map, name)) for name in SHIPPED]
    return [*shipped, *lattices]


def maps_of(method: str) -> list[Case]:
    """Return those that a method is asked for: some take it minutes."""
    if method == "AZP":
        return maps()[2:4]
    return maps()[:-1] if method == "Skater" else maps()


def lattice(side: int) -> Map:
    """Return a lattice whose values are smooth and noisy."""
    rng = np.random.default_rng(SEED + side)
    cells = np.arange(side * side).reshape(side, side)
    pairs = np.concatenate(
        [
            np.stack([cells[:, :-1].ravel(), cells[:, 1:].ravel()], 1),
            np.stack([cells[:-1].ravel(), cells[1:].ravel()], 1),
        ]
    )
    hills = rng.random((8, 2)) * side
    heights = rng.normal(size=(8, 2))
    places = np.stack(np.divmod(cells.ravel(), side), 1)
    squares = ((places[:, None] - hills) ** 2).sum(axis=2)
    smooth = np.exp(-squares / (2.0 * (side / 5.0) ** 2)) @ heights
    values = smooth + rng.normal(0.0, 0.1, smooth.shape)
    name = f"lattice-{side}"
    return Map(name, values, pairs, REGIONS[name])


def shipped_map(name: str) -> Map:
    """Return a map that libpysal ships, its values standardised."""
    import geopandas
    import libpysal

    file, columns = SHIPPED[name]
    frame = geopandas.read_file(libpysal.examples.get_path(file))
    weights = libpysal.weights.Rook.from_dataframe(frame, use_index=False)
    pairs = [
        (one, other)
        for one, others in weights.neighbors.items()
        for other in others
        if one < other
    ]
    values = frame[list(columns)].to_numpy(dtype=float)
    values = (values - values.mean(axis=0)) / values.std(axis=0)
    return Map(name, values, np.array(pairs), REGIONS[name])


def regions_of_ward(region: Any, area: Map, frame: Any, weights: Any) -> Any:
    """Return the regions of spopt's Ward."""
    model = region.WardSpatial(
        frame, weights, list(frame.columns[:-1]), area.num_regions
    )
    model.solve()
    return model.labels_


def regions_of_azp(region: Any, area: Map, frame: Any, weights: Any) -> Any:
    """Return the regions of spopt's AZP."""
    model = region.AZP(
        frame, weights, list(frame.columns[:-1]), area.num_regions,
        random_state=1,
    )  # fmt: skip
    model.solve()
    return model.labels_


def regions_of_kmeans(
    region: Any, area: Map, _frame: Any, weights: Any
) -> Any:
    """Return the regions of spopt's k-means."""
    model = region.RegionKMeansHeuristic(
        area.values, area.num_regions, weights
    )
    model.solve()
    return model.labels_


def regions_of_skater(region: Any, area: Map, frame: Any, weights: Any) -> Any:
    """Return the regions of spopt's Skater."""
    model = region.Skater(
        frame, weights, list(frame.columns[:-1]), area.num_regions
    )
    model.solve()
    return model.labels_


SPOPT = {
    "Ward": regions_of_ward,
    "AZP": regions_of_azp,
    "k-means": regions_of_kmeans,
    "Skater": regions_of_skater,
}


def divide(
    area: Map, seed: int, _budget: Allowance, *, method: str
) -> list[Json]:
    """Divide a map by a method of spopt, then with its sizes by ours."""
    import geopandas
    from libpysal.weights import W
    from spopt import region

    size = len(area.values)
    near: dict[int, list[int]] = {cell: [] for cell in range(size)}
    for one, other in area.pairs.tolist():
        near[one].append(other)
        near[other].append(one)
    names = [f"v{idx}" for idx in range(area.values.shape[1])]
    frame = geopandas.GeoDataFrame(area.values, columns=names)
    # Only the neighbours count, but there must be places.
    frame = frame.set_geometry(
        geopandas.points_from_xy(range(size), [0] * size)
    )
    weights = W(near, silence_warnings=True)
    begun = time.process_time()
    labels = SPOPT[method](region, area, frame, weights)
    peer = time.process_time() - begun
    _, labels = np.unique(np.asarray(labels), return_inverse=True)
    count = int(labels.max()) + 1
    sizes = np.bincount(labels)
    points = nr.PointSet.from_arrays(
        *(area.values, None, None),
        num_clusters=count,
        min_size=int(sizes.min()),
        max_size=int(sizes.max()),
        graph=area.pairs,
    )
    theirs = summarize(points, labels, count, "inertia")
    begun = time.process_time()
    ours = nr.cluster(points, seed=seed)
    own = time.process_time() - begun
    shared = {
        "instance": area.name,
        "num_points": size,
        "num_clusters": count,
        "least": int(sizes.min()),
        "most": int(sizes.max()),
    }
    return [
        {
            **shared,
            "solver": f"spopt {method}",
            "cost": theirs.cost,
            "feasible": not check_clustering(points, theirs, count),
            "each": round(peer, 4),
            "version": version("spopt"),
        },
        {
            **shared,
            "solver": OURS,
            "cost": ours.cost,
            "feasible": True,
            "each": round(own, 4),
            "version": "",
        },
    ]


def beside_spopt(rows: Rows) -> list[Row]:
    """Return a row a map and method."""
    return list(
        against(lambda row: row["solver"].startswith("spopt"), rows, "method")
    )


LARGE = Case("uniform-100000-K1000", partial(uniform_points, 100_000))


def cluster_as_kmeans(
    points: PointSet, seed: int, _budget: Allowance
) -> list[Json]:
    """Cluster within the sizes of scikit-learn's KMeans."""
    from sklearn.cluster import KMeans

    count = points.num_clusters or 1
    begun = time.process_time()
    known = KMeans(count, n_init=1, random_state=seed).fit(points.coords)
    peer = time.process_time() - begun
    sizes = np.bincount(known.labels_, minlength=count)
    limited = nr.PointSet.from_arrays(
        *(points.coords, None, None),
        num_clusters=count,
        min_size=int(sizes.min()),
        max_size=int(sizes.max()),
    )
    begun = time.process_time()
    found = nr.cluster(limited, seed=seed)
    own = time.process_time() - begun
    shared = {"least": int(sizes.min()), "most": int(sizes.max())}
    return [
        {
            **shared,
            "solver": "KMeans",
            "cost": float(known.inertia_),
            "each": round(peer, 3),
            "feasible": True,
            "version": version("scikit-learn"),
        },
        {
            **shared,
            "solver": OURS,
            "cost": found.inertia,
            "each": round(own, 3),
            "feasible": True,
            "version": "",
        },
    ]


LARGEST = Case("uniform-1000000-K10000", partial(uniform_points, 1_000_000))


def cluster_largest(points: PointSet, seed: int, _budget: Allowance) -> Json:
    """Cluster within half of the mean size, as KMeans takes too long."""
    count = points.num_clusters or 1
    mean = points.num_points // count
    least, most = mean // 2, mean + mean // 2
    limited = nr.PointSet.from_arrays(
        *(points.coords, None, None),
        num_clusters=count,
        min_size=least,
        max_size=most,
    )
    return {
        "least": least,
        "most": most,
        "solver": OURS,
        **cluster_once(limited, seed, _budget),
    }


PROTOCOL: dict[str, Any] = {"clock": "processor time", "threads": 1}
COLUMNS = (
    "instance num_points num_clusters method=variant solver seed feasible "
    "least most cost each peak_mb load_average version error"
)

SOLVERS = (
    Variant(OURS, cluster_once),
    Variant(
        KMEANS,
        cluster_constrained,
        why_absent=partial(why_absent, "k_means_constrained"),
    ),
)
"""This package and the one that it stands beside."""

EXPERIMENTS = (
    Experiment(
        "territories_kmeans",
        cases=generated_sets,
        variants=SOLVERS,
        columns="instance num_points num_clusters seed solver=variant "
        "feasible cost each load_average version error",
        key="instance variant seed",
        views=(
            Summary(
                "clusters dimensions",
                f"sets: runs; {PAIR}",
                derive=beside_kmeans,
            ),
            Summary("points dims K", PAIR, derive=beside_kmeans),
        ),
        warm=WARM,
        setting={**PROTOCOL, "starts": STARTS, "room": ROOM},
    ),
    Experiment(
        "territories_real",
        cases=real_sets,
        seeds=(1, 2, 3, 4, 5),
        variants=SOLVERS,
        columns="instance num_points num_clusters seed solver=variant "
        "feasible cost each all load_average version error",
        key="instance variant seed",
        views=(
            Summary(
                "num_clusters",
                f"sets: runs; {PAIR}; above: above .0f sum",
                derive=means_beside_kmeans,
            ),
        ),
        warm=WARM,
        setting={**PROTOCOL, "starts": STARTS},
    ),
    Experiment(
        "territories_spopt",
        cases=maps,
        variants=tuple(
            Variant(
                method,
                partial(divide, method=method),
                cases=partial(maps_of, method),
                why_absent=partial(why_absent, "spopt"),
            )
            for method in SPOPT
        ),
        columns=COLUMNS,
        key="instance variant seed",
        views=(
            Summary(
                "instance method",
                "K: num_clusters .0f; least: least .0f; most: most .0f; "
                "inertia %: difference +.2f; cluster, s: ours seconds; "
                "peer, s: each seconds",
                derive=beside_spopt,
            ),
        ),
        setting=PROTOCOL,
    ),
    Experiment(
        "territories_large",
        cases=partial(list, (LARGE, LARGEST)),
        variants=(
            Variant(
                "sizes of KMeans",
                cluster_as_kmeans,
                cases=partial(list, (LARGE,)),
            ),
            Variant(
                "half of the mean",
                cluster_largest,
                cases=partial(list, (LARGEST,)),
            ),
        ),
        columns=COLUMNS,
        key="instance variant seed",
        views=(
            Summary(
                "instance method solver",
                "least: least .0f; most: most .0f; inertia: cost .4f; "
                "CPU s: each seconds; peak MB: peak_mb .0f",
            ),
        ),
        is_fresh=True,
        warm=SMALL_POINTS,
        setting=PROTOCOL,
    ),
)
"""Every experiment, by the page that shows its record."""
