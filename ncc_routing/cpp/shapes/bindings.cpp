#include "bindings.h"
#include "casters.h"
#include "shapes/hulls.h"

#include <algorithm>

namespace ncc {

void bind_shapes(nb::module_& module) {
    using namespace nb::literals;
    using namespace shapes;
    nb::module_ m = module.def_submodule("shapes");

    nb::class_<HullTable>(m, "HullTable")
        .def(
            "__init__",
            [](HullTable* self, MatrixView<const double> places, double unit) {
                require(places.num_columns() == 2 && unit >= 0.0,
                        "places must have two columns, and unit be at least "
                        "0.");
                new (self) HullTable{places, unit};
            },
            nb::kw_only(), "places"_a, "unit"_a, nb::keep_alive<1, 2>());

    m.def(
        "find_inside_other_hulls",
        [](MatrixView<const double> places, std::span<const uint32_t> nodes,
           std::span<const int64_t> starts, std::span<bool> is_inside) {
            require(places.num_columns() == 2 &&
                        std::ssize(is_inside) == places.num_rows(),
                    "places must have two columns, and is_inside be of each "
                    "node.");
            require(all_below(nodes, is_inside.size()) && !starts.empty() &&
                        starts.front() == 0 &&
                        starts.back() == std::ssize(nodes) &&
                        std::is_sorted(starts.begin(), starts.end()),
                    "nodes and starts must be routes.");
            find_inside_other_hulls(places, nodes, starts, is_inside);
        },
        "places"_a, "nodes"_a, "starts"_a, "is_inside"_a, release_gil());
}

} // namespace ncc
