#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace ncc {

// Refuses arguments of Python, for whom this is a ValueError.
inline void require(bool holds, const char* rule) {
    if (!holds)
        throw std::invalid_argument(rule);
}

} // namespace ncc

// Holds what the code claims in a debug build, and costs nothing otherwise.
#ifdef NCC_DEBUG
#define NCC_CHECK(claim)                                                      \
    do {                                                                      \
        if (!(claim)) {                                                       \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #claim);  \
            std::abort();                                                     \
        }                                                                     \
    } while (false)

namespace ncc {

// Whether two costs differ by no more than rounding errors.
inline bool is_close(double a, double b) {
    return std::abs(a - b) <= 1e-6 * std::max(1.0, std::abs(a));
}

} // namespace ncc
#else
#define NCC_CHECK(claim) static_cast<void>(0)
#endif
