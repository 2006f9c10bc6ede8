#include "bindings.h"

NB_MODULE(_core, module) {
    nanobind::set_leak_warnings(false);
    ncc::bind_ckm(module);
    ncc::bind_clustering(module);
    ncc::bind_columns(module);
    ncc::bind_construction(module);
    ncc::bind_fleets(module);
    ncc::bind_iterated(module);
    ncc::bind_medians(module);
    ncc::bind_partition(module);
    ncc::bind_scoring(module);
    ncc::bind_routes(module);
    ncc::bind_search(module);
    ncc::bind_shapes(module);
    ncc::bind_tours(module);
}
