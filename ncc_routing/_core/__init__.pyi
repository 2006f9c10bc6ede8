from ncc_routing._core import construction as construction, search as search
