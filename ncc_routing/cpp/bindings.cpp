#include "bindings.h"

NB_MODULE(_core, module) {
    nanobind::set_leak_warnings(false);
    ncc::bind_construction(module);
    ncc::bind_genetic(module);
    ncc::bind_scoring(module);
}
