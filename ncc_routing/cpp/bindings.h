#pragma once

#include <nanobind/nanobind.h>

// One submodule of ncc_routing._core each; bound beside what they bind.
namespace ncc {

void bind_construction(nanobind::module_& module);
void bind_genetic(nanobind::module_& module);
void bind_scoring(nanobind::module_& module);

} // namespace ncc
