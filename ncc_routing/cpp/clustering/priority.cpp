#include "clustering/priority.h"

#include "clustering/centers.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ncc::clustering {

namespace {

// Added to a distance that is divided by: a point may be a center.
constexpr double tiny = 1e-9;

// Sets what affinities add to the priorities for a medoid.
void add_affinities(const PriorityFormula& formula, const TableRows& rows,
                    int64_t medoid, std::span<double> scores) {
    const bool is_whole = rows.row_of.empty();
    std::ranges::fill(scores, formula.affinity_weight * formula.far_affinity);
    scores[medoid] = 0.0;
    const int64_t row = is_whole ? medoid : rows.row_of[medoid];
    for (int64_t a = 0; a < formula.neighbours.num_columns(); ++a) {
        int64_t i = formula.neighbours(row, a);
        if (!is_whole)
            i = rows.point_of[i];
        if (i >= 0)
            scores[i] = formula.affinity_weight * formula.affinity(row, a);
    }
}

} // namespace

void score(const PriorityFormula& formula, const TableRows& rows,
           const Points& points, std::span<const double> depot,
           MatrixView<const double> centers, std::span<const int64_t> medoids,
           Workspace& work, MatrixView<double> scores) {
    const int64_t size = points.size();
    const bool has_depot = !depot.empty();
    const bool has_ratio = formula.ratio_weight != 0.0;
    NCC_CHECK(scores.num_columns() == size);
    NCC_CHECK(std::ssize(work.values) >= size);
    const std::span<double> to_depot = work.values;
    if (has_depot)
        for (int64_t i = 0; i < size; ++i)
            to_depot[i] = distance(points.coords.row(i), depot);
    for (int64_t k = 0; k < centers.num_rows(); ++k) {
        const std::span<const double> center = centers.row(k);
        const std::span<double> out = scores.row(k);
        if (formula.uses_affinity())
            add_affinities(formula, rows, medoids[k], out);
        const double back = has_depot ? distance(center, depot) : 0.0;
        for (int64_t first = 0; first < size; first += block_size) {
            const int64_t width = std::min(block_size, size - first);
            std::array<double, block_size> length;
            fill_squares(points.coords, first, center,
                         std::span(length).first(width));
            for (int64_t a = 0; a < width; ++a)
                length[a] = std::sqrt(length[a]);
            for (int64_t a = 0; a < width; ++a) {
                const int64_t i = first + a;
                double value = -formula.distance_weight * length[a];
                if (has_ratio)
                    value += formula.ratio_weight * points.weights[i] /
                             (length[a] + tiny);
                if (has_depot) {
                    value += formula.depot_weight * to_depot[i];
                    value -= formula.detour_weight *
                             (to_depot[i] + length[a] - back);
                }
                out[i] = value + (formula.uses_affinity() ? out[i] : 0.0);
            }
        }
    }
}

} // namespace ncc::clustering
