from ncc_routing._core import construction as construction
from ncc_routing._core import scoring as scoring
from ncc_routing._core import search as search
