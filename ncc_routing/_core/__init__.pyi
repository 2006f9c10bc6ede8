from ncc_routing._core import (
    ckm as ckm,
    construction as construction,
    tours as tours,
)
