#pragma once

#include "arrays.h"
#include "clustering/priority.h"
#include "metric.h"
#include "random.h"
#include "search/links.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

// How Python's arrays reach C++: without a copy, and of exactly the type and
// number of axes that a signature names. An array of another type is refused;
// a read-only one fits `const` alone. A class that keeps a view names
// `nanobind::keep_alive` in its binding.

namespace nanobind::detail {

template <class T>
struct type_caster<std::span<T>> {
    using Array = ndarray<T, numpy, ndim<1>, c_contig, device::cpu>;
    using Inner = make_caster<Array>;
    NB_TYPE_CASTER(std::span<T>, Inner::Name)

    bool from_python(handle src, uint8_t, cleanup_list* cleanup) noexcept {
        if (!inner.from_python(src, 0, cleanup))
            return false;
        value = {inner.value.data(), inner.value.size()};
        return true;
    }

    Inner inner;
};

template <class T>
struct type_caster<ncc::MatrixView<T>> {
    using Array = ndarray<T, numpy, ndim<2>, c_contig, device::cpu>;
    using Inner = make_caster<Array>;
    NB_TYPE_CASTER(ncc::MatrixView<T>, Inner::Name)

    bool from_python(handle src, uint8_t, cleanup_list* cleanup) noexcept {
        if (!inner.from_python(src, 0, cleanup))
            return false;
        const Array& array = inner.value;
        value = {array.data(), static_cast<int64_t>(array.shape(0)),
                 static_cast<int64_t>(array.shape(1))};
        return true;
    }

    Inner inner;
};

// A numpy.random.Generator.
template <>
struct type_caster<ncc::NumpyGenerator> {
    NB_TYPE_CASTER(ncc::NumpyGenerator, const_name("numpy.random.Generator"))

    bool from_python(handle src, uint8_t, cleanup_list*) noexcept {
        try {
            capsule bits =
                cast<capsule>(src.attr("bit_generator").attr("capsule"));
            value = ncc::NumpyGenerator(
                static_cast<const ncc::BitGenerator*>(bits.data()));
            return true;
        } catch (...) {
            PyErr_Clear();
            return false;
        }
    }
};

// The named tuple of problems/distances.py.
template <>
struct type_caster<ncc::Metric> {
    NB_TYPE_CASTER(ncc::Metric,
                   const_name("ncc_routing.problems.distances.Metric"))
    using View = make_caster<ncc::MatrixView<const double>>;

    bool from_python(handle src, uint8_t flags,
                     cleanup_list* cleanup) noexcept {
        try {
            // The tuple keeps the arrays alive, and the caller keeps it.
            if (!coords.from_python(object(src.attr("coords")), flags,
                                    cleanup) ||
                !matrix.from_python(object(src.attr("matrix")), flags,
                                    cleanup))
                return false;
            value.coords = coords.value;
            value.matrix = matrix.value;
            const int64_t size = value.matrix.num_rows();
            if (value.coords.num_columns() != 2 ||
                value.matrix.num_columns() != size)
                return false;
            const object rule = src.attr("rounding");
            value.rounding = {cast<int64_t>(rule.attr("kind")),
                              cast<double>(rule.attr("scale")),
                              cast<double>(rule.attr("shift"))};
            return true;
        } catch (...) {
            PyErr_Clear();
            return false;
        }
    }

    View coords;
    View matrix;
};

// The named tuple of clustering/priority.py.
template <>
struct type_caster<ncc::clustering::PriorityFormula> {
    NB_TYPE_CASTER(
        ncc::clustering::PriorityFormula,
        const_name("ncc_routing.clustering.priority.PriorityFormula"))

    bool from_python(handle src, uint8_t flags,
                     cleanup_list* cleanup) noexcept {
        try {
            const auto weight = [&](const char* name) {
                return cast<double>(src.attr(name));
            };
            if (!neighbours.from_python(object(src.attr("neighbours")), flags,
                                        cleanup) ||
                !affinity.from_python(object(src.attr("affinity")), flags,
                                      cleanup))
                return false;
            value = {neighbours.value,          affinity.value,
                     weight("far_affinity"),    weight("affinity_weight"),
                     weight("ratio_weight"),    weight("depot_weight"),
                     weight("distance_weight"), weight("detour_weight")};
            return true;
        } catch (...) {
            PyErr_Clear();
            return false;
        }
    }

    make_caster<ncc::MatrixView<const int32_t>> neighbours;
    make_caster<ncc::MatrixView<const double>> affinity;
};

} // namespace nanobind::detail

namespace ncc {

namespace nb = nanobind;

// For loops that touch no Python object: other threads run meanwhile.
using release_gil = nb::call_guard<nb::gil_scoped_release>;

// An array for Python that owns the values.
template <class T>
nb::ndarray<nb::numpy, T, nb::ndim<1>> to_array(std::vector<T> values) {
    auto* kept = new std::vector<T>(std::move(values));
    const nb::capsule owner(kept, [](void* data) noexcept {
        delete static_cast<std::vector<T>*>(data);
    });
    return {kept->data(), {kept->size()}, owner};
}

inline auto to_arrays(search::RouteList list) {
    return std::make_tuple(to_array(std::move(list.nodes)),
                           to_array(std::move(list.starts)));
}

// A read-only array in the memory of a bound object, which it keeps alive.
template <class T>
auto view_of(std::span<const T> values, nb::handle owner) {
    return nb::ndarray<nb::numpy, const T, nb::ndim<1>>(
        values.data(), {values.size()}, owner);
}

template <class T>
auto view_of(MatrixView<const T> matrix, nb::handle owner) {
    return nb::ndarray<nb::numpy, const T, nb::ndim<2>>(
        matrix.data(),
        {static_cast<std::size_t>(matrix.num_rows()),
         static_cast<std::size_t>(matrix.num_columns())},
        owner);
}

// The owner of a copy of values, for an array of Python.
template <class T>
nb::capsule capsule_of(std::span<const T> values) {
    auto copy = std::make_unique<T[]>(values.size());
    std::ranges::copy(values, copy.get());
    return {copy.release(),
            [](void* memory) noexcept { delete[] static_cast<T*>(memory); }};
}

// An array of its own, for what a bound object goes on changing.
template <class T>
auto copy_of(std::span<const T> values) {
    const nb::capsule owner = capsule_of(values);
    return nb::ndarray<nb::numpy, T, nb::ndim<1>>(owner.data(),
                                                  {values.size()}, owner);
}

template <class T>
auto copy_of(MatrixView<const T> matrix) {
    const nb::capsule owner = capsule_of(std::span<const T>(matrix.values()));
    return nb::ndarray<nb::numpy, T, nb::ndim<2>>(
        owner.data(),
        {static_cast<std::size_t>(matrix.num_rows()),
         static_cast<std::size_t>(matrix.num_columns())},
        owner);
}

// What a property reads: a copy of what a method returns, or a view of a
// member.
template <class Class, class Values>
auto copying(Values (Class::*read)() const) {
    return [read](const Class& self) { return copy_of((self.*read)()); };
}

template <class Class, class Values>
auto viewing(Values Class::* member) {
    return [member](nb::handle_t<Class> self) {
        return view_of(nb::cast<const Class&>(self).*member, self);
    };
}

} // namespace ncc
