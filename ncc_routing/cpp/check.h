#pragma once

#include <cstdio>
#include <cstdlib>

// Holds what the code claims in a debug build, and costs nothing otherwise.
#ifdef NCC_DEBUG
#define NCC_CHECK(claim)                                                      \
    do {                                                                      \
        if (!(claim)) {                                                       \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #claim);  \
            std::abort();                                                     \
        }                                                                     \
    } while (false)
#else
#define NCC_CHECK(claim) static_cast<void>(0)
#endif
