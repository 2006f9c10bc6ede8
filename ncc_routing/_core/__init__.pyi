from ncc_routing._core import construction as construction, tours as tours
