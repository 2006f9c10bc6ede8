from ncc_routing._core import (
    ckm as ckm,
    clustering as clustering,
    construction as construction,
    scoring as scoring,
    tours as tours,
)
