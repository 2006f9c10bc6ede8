from ncc_routing._core import (
    construction as construction,
    genetic as genetic,
    scoring as scoring,
)
