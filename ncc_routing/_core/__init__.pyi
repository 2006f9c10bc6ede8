from ncc_routing._core import (
    clustering as clustering,
    construction as construction,
    medians as medians,
    partition as partition,
    scoring as scoring,
)
