#pragma once

#include <nanobind/nanobind.h>

// One submodule of ncc_routing._core each; bound beside what they bind.
namespace ncc {

void bind_ckm(nanobind::module_& module);
void bind_clustering(nanobind::module_& module);
void bind_columns(nanobind::module_& module);
void bind_construction(nanobind::module_& module);
void bind_fleets(nanobind::module_& module);
void bind_iterated(nanobind::module_& module);
void bind_medians(nanobind::module_& module);
void bind_partition(nanobind::module_& module);
void bind_scoring(nanobind::module_& module);
void bind_routes(nanobind::module_& module);
void bind_search(nanobind::module_& module);
void bind_shapes(nanobind::module_& module);
void bind_tours(nanobind::module_& module);

} // namespace ncc
