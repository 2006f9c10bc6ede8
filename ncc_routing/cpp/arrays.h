#pragma once

#include "check.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

namespace ncc {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

// A matrix in the memory of its owner, row by row.
template <class T>
class MatrixView {
public:
    MatrixView() = default;
    MatrixView(T* data, int64_t num_rows, int64_t num_columns)
        : data_(data), num_rows_(num_rows), num_columns_(num_columns) {}

    // Whoever may write may read.
    operator MatrixView<const T>() const
        requires(!std::is_const_v<T>)
    {
        return {data_, num_rows_, num_columns_};
    }

    [[nodiscard]] int64_t num_rows() const { return num_rows_; }
    [[nodiscard]] int64_t num_columns() const { return num_columns_; }
    [[nodiscard]] bool empty() const { return num_rows_ == 0; }
    [[nodiscard]] T* data() const { return data_; }

    [[nodiscard]] std::span<T> values() const {
        return {data_, static_cast<std::size_t>(num_rows_ * num_columns_)};
    }

    T& operator()(int64_t row, int64_t column) const {
        NCC_CHECK(0 <= row && row < num_rows_);
        NCC_CHECK(0 <= column && column < num_columns_);
        return data_[row * num_columns_ + column];
    }

    [[nodiscard]] std::span<T> row(int64_t row) const {
        NCC_CHECK(0 <= row && row < num_rows_);
        return {data_ + row * num_columns_,
                static_cast<std::size_t>(num_columns_)};
    }

private:
    T* data_ = nullptr;
    int64_t num_rows_ = 0;
    int64_t num_columns_ = 0;
};

// Whether all indices are at least 0 and below a limit.
template <class T>
bool all_below(std::span<const T> indices, std::size_t limit) {
    for (const T index : indices)
        if (std::cmp_less(index, 0) || !std::cmp_less(index, limit))
            return false;
    return true;
}

} // namespace ncc
