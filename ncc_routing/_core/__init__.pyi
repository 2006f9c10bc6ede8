from ncc_routing._core import construction as construction, medians as medians
