from ncc_routing._core import (
    construction as construction,
    scoring as scoring,
    search as search,
)
