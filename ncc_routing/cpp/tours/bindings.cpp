#include "bindings.h"
#include "casters.h"
#include "tours/routes.h"

#include <algorithm>
#include <optional>

#include <nanobind/stl/optional.h>

namespace ncc {

void bind_tours(nb::module_& module) {
    using namespace nb::literals;
    using namespace tours;
    nb::module_ m = module.def_submodule("tours");

    m.def(
        "route_members",
        [](const Metric& metric, std::span<int64_t> members,
           std::span<const int64_t> offsets, int64_t kicks_per_node,
           std::optional<NumpyGenerator> rng, std::span<double> costs) {
            require(offsets.size() == costs.size() + 1 && offsets[0] >= 0 &&
                        std::ranges::is_sorted(offsets) &&
                        offsets.back() <= std::ssize(members),
                    "offsets must be the ends of as many parts of members as "
                    "there are costs.");
            require(all_below(std::span<const int64_t>(members),
                              metric.num_nodes()),
                    "members must be customers.");
            NumpyGenerator source = rng.value_or(NumpyGenerator());
            route_members(metric, members, offsets, rng ? kicks_per_node : 0,
                          source, costs);
        },
        "metric"_a, "members"_a, "offsets"_a, "kicks_per_node"_a,
        "rng"_a.none(), "costs"_a, release_gil());
}

} // namespace ncc
