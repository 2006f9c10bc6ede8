#pragma once

// Compiles a function once more for processors with AVX2 and AVX-512, and lets
// the loader choose. The numbers stay the same: vectors are wider, but sums
// are not regrouped. CMakeLists.txt names the files that use it as well: for
// .ci/numeric they are compiled without.
#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) &&        \
    defined(__GNUC__) && !defined(__clang__) && !defined(NCC_SANITIZE) &&     \
    !defined(NCC_NO_CLONES)
#define NCC_TARGET_CLONES                                                     \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3",          \
                                 "arch=x86-64-v2", "default")))
#else
#define NCC_TARGET_CLONES
#endif
