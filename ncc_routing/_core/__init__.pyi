from ncc_routing._core import (
    ckm as ckm,
    clustering as clustering,
    columns as columns,
    construction as construction,
    fleets as fleets,
    iterated as iterated,
    medians as medians,
    partition as partition,
    scoring as scoring,
    search as search,
    shapes as shapes,
    tours as tours,
)
