from ncc_routing._core import (
    clustering as clustering,
    construction as construction,
    scoring as scoring,
)
