from ncc_routing._core import (
    ckm as ckm,
    clustering as clustering,
    construction as construction,
    medians as medians,
    partition as partition,
    scoring as scoring,
    tours as tours,
)
