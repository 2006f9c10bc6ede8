#include "scoring/geometry.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace ncc::scoring {

namespace {

constexpr float tiny = 1e-9F;
constexpr float limit = 6.0F; // as in scoring/features.py

// The logarithm of a ratio, cut at both ends.
float log_ratio(float top, float bottom) {
    const float value = std::log((top + tiny) / (bottom + tiny));
    return std::min(std::max(value, -limit), limit);
}

} // namespace

void fill_lengths(MatrixView<const float> places, std::span<const float> depot,
                  MatrixView<const float> axis, std::span<const float> local,
                  std::span<const float> scales,
                  std::span<const int64_t> medoids,
                  MatrixView<const int64_t> listed, MatrixView<float> lengths,
                  MatrixView<float> features) {
    const int64_t size = listed.num_columns();
    for (int64_t i = 0; i < size; ++i) {
        const float ax = axis(i, 0);
        const float ay = axis(i, 1);
        const float scale = local[i];
        float nearest = std::numeric_limits<float>::infinity();
        for (int64_t c = 0; c < listed.num_rows(); ++c) {
            const int64_t m = medoids[listed(c, i)];
            const float dx = places(m, 0) - places(i, 0);
            const float dy = places(m, 1) - places(i, 1);
            const float length = std::sqrt(dx * dx + dy * dy);
            lengths(c, i) = length;
            nearest = std::min(nearest, length);
            const float near = depot[i];
            const float far = depot[m];
            const std::span<float> row = features.row(c * size + i);
            row[0] = std::log(1.0F + length / scale);
            row[1] = log_ratio(length, local[m]);
            row[2] = std::asinh((ax * dx + ay * dy) / scale);
            row[3] = std::asinh(std::abs(ax * dy - ay * dx) / scale);
            row[4] = ax * axis(m, 0) + ay * axis(m, 1);
            row[5] = std::abs(ax * axis(m, 1) - ay * axis(m, 0));
            row[6] = (near + far - length) / (near + far + tiny);
            row[8] = std::asinh((near + length - far) / scale);
            row[9] = std::asinh((far + length - near) / scale);
            row[10] = log_ratio(length, scales[1]);
        }
        for (int64_t c = 0; c < listed.num_rows(); ++c)
            features(c * size + i, 11) = (lengths(c, i) - nearest) / scales[0];
    }
}

void fill_loads(std::span<const float> shares, int64_t num_centers,
                MatrixView<const int64_t> listed,
                MatrixView<const float> lengths, MatrixView<float> features) {
    const int64_t num_listed = listed.num_rows();
    const int64_t size = listed.num_columns();
    std::vector<float> nearest_loads(num_centers, 0.0F);
    std::vector<int64_t> starts(num_centers + 1, 0);
    std::vector<char> is_nearest(num_listed * size, 0);
    for (int64_t i = 0; i < size; ++i)
        for (int64_t c = 0; c < num_listed; ++c) {
            ++starts[listed(c, i) + 1];
            int64_t rank = 0;
            for (int64_t b = 0; b < num_listed; ++b)
                rank += lengths(b, i) < lengths(c, i) ||
                        (lengths(b, i) == lengths(c, i) && b < c);
            const int64_t pair = c * size + i;
            features(pair, 7) = shares[i];
            features(pair, num_lengths + 3) =
                0.125F * static_cast<float>(rank);
            if (rank == 0) {
                is_nearest[pair] = 1;
                nearest_loads[listed(c, i)] += shares[i];
            }
        }
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    std::vector<int64_t> ends(starts.begin(), starts.end() - 1);
    std::vector<int64_t> pairs(num_listed * size);
    for (int64_t pair = 0; pair < num_listed * size; ++pair)
        pairs[ends[listed.values()[pair]]++] = pair;
    const std::span<const float> keys = lengths.values();
    for (int64_t k = 0; k < num_centers; ++k) {
        const std::span<int64_t> own{pairs.data() + starts[k],
                                     pairs.data() + starts[k + 1]};
        std::ranges::stable_sort(
            own, [=](int64_t a, int64_t b) { return keys[a] < keys[b]; });
        float load = 0.0F;
        float claimed = 0.0F;
        for (const int64_t pair : own) {
            const float share = shares[pair % size];
            load += share;
            if (is_nearest[pair])
                claimed += share;
            const std::span<float> row = features.row(pair);
            row[num_lengths] = std::log(1.0F + load);
            row[num_lengths + 1] = std::log(1.0F + nearest_loads[k]);
            row[num_lengths + 2] = std::log(1.0F + claimed);
        }
    }
}

} // namespace ncc::scoring
