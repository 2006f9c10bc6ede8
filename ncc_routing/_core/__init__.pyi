from ncc_routing._core import (
    construction as construction,
    fleets as fleets,
    scoring as scoring,
    search as search,
)
