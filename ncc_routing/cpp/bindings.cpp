#include "bindings.h"

#include "casters.h"

namespace ncc {

namespace {

void bind_distances(nb::module_& module) {
    using namespace nb::literals;
    nb::module_ m = module.def_submodule("distances");

    m.def(
        "fill_block",
        [](const Metric& metric, std::span<const int64_t> nodes,
           MatrixView<double> out) {
            require(all_below(nodes, metric.num_nodes()),
                    "nodes must be those of the metric.");
            require(out.num_rows() == std::ssize(nodes) &&
                        out.num_columns() == std::ssize(nodes),
                    "out must have a row and a column for each node.");
            metric.fill_block(nodes, out);
        },
        "metric"_a, "nodes"_a, "out"_a, release_gil());
}

} // namespace

} // namespace ncc

NB_MODULE(_core, module) {
    nanobind::set_leak_warnings(false);
    ncc::bind_ckm(module);
    ncc::bind_clustering(module);
    ncc::bind_columns(module);
    ncc::bind_construction(module);
    ncc::bind_distances(module);
    ncc::bind_fleets(module);
    ncc::bind_iterated(module);
    ncc::bind_medians(module);
    ncc::bind_partition(module);
    ncc::bind_scoring(module);
    ncc::bind_search(module);
    ncc::bind_shapes(module);
    ncc::bind_tours(module);
}
