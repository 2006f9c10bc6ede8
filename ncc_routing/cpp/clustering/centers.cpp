#include "clustering/centers.h"

#include <array>
#include <numeric>
#include <utility>

namespace ncc::clustering {

namespace {

// An index with probability by its share of the mass, whose sum is `total`.
int64_t draw(std::span<const double> mass, double total, NumpyGenerator& rng) {
    if (total <= 0.0)
        return rng.below(std::ssize(mass));
    double left = rng.unit() * total;
    for (int64_t i = 0; i < std::ssize(mass); ++i) {
        left -= mass[i];
        if (left < 0.0)
            return i;
    }
    return std::ssize(mass) - 1;
}

void choose_heaviest(const Points& points, MatrixView<double> centers,
                     std::span<int64_t> order) {
    std::iota(order.begin(), order.end(), int64_t{0});
    std::ranges::stable_sort(order, [&](int64_t i, int64_t j) {
        return points.weights[i] > points.weights[j];
    });
    for (int64_t k = 0; k < centers.num_rows(); ++k)
        copy_point(points.coords, order[k], centers, k);
}

// Sets a row of `sums` to the sum of the coordinates of each cluster, and to
// the number of its members as last entry; a depot is a member of all.
void add_members(MatrixView<const double> coords,
                 std::span<const double> depot,
                 std::span<const int64_t> labels, MatrixView<double> sums) {
    const int64_t num_dims = coords.num_columns();
    for (int64_t k = 0; k < sums.num_rows(); ++k) {
        for (int64_t d = 0; d < num_dims; ++d)
            sums(k, d) = depot.empty() ? 0.0 : depot[d];
        sums(k, num_dims) = depot.empty() ? 0.0 : 1.0;
    }
    for (int64_t i = 0; i < std::ssize(labels); ++i) {
        if (labels[i] < 0)
            continue;
        const std::span<const double> place = coords.row(i);
        const std::span<double> row = sums.row(labels[i]);
        for (int64_t d = 0; d < num_dims; ++d)
            row[d] += place[d];
        row[num_dims] += 1.0;
    }
}

MatrixView<double> sums_in(Workspace& work, int64_t num_clusters,
                           int64_t num_dims) {
    NCC_CHECK(std::ssize(work.sums) >= num_clusters * (num_dims + 1));
    return {work.sums.data(), num_clusters, num_dims + 1};
}

} // namespace

void fill_squares(MatrixView<const double> coords, int64_t first,
                  std::span<const double> place, std::span<double> squares) {
    const int64_t size = std::ssize(squares);
    NCC_CHECK(first + size <= coords.num_rows());
    NCC_CHECK(std::ssize(place) == coords.num_columns());
    if (coords.num_columns() != 2) {
        for (int64_t a = 0; a < size; ++a)
            squares[a] = square(coords.row(first + a), place);
        return;
    }
    const double* const row = coords.data() + 2 * first;
    const double x = place[0];
    const double y = place[1];
    for (int64_t a = 0; a < size; ++a) {
        const double dx = row[2 * a] - x;
        const double dy = row[2 * a + 1] - y;
        squares[a] = dx * dx + dy * dy;
    }
}

void seed_centers(Seeding rule, const Points& points,
                  MatrixView<double> centers, Workspace& work,
                  NumpyGenerator& rng) {
    const int64_t size = points.size();
    NCC_CHECK(std::ssize(work.values) >= size);
    if (rule == Seeding::TopWeights) {
        choose_heaviest(points, centers,
                        std::span(work.queue).first(points.weights.size()));
        return;
    }
    const auto mass = std::span(work.values).first(points.weights.size());
    std::ranges::fill(mass, 1.0);
    double total = static_cast<double>(size);
    for (int64_t k = 0; k < centers.num_rows(); ++k) {
        const int64_t chosen = draw(mass, total, rng);
        copy_point(points.coords, chosen, centers, k);
        if (rule == Seeding::Random) {
            total -= mass[chosen];
            mass[chosen] = 0.0;
            continue;
        }
        const std::span<const double> center = centers.row(k);
        total = 0.0;
        std::array<double, block_size> reach;
        for (int64_t first = 0; first < size; first += block_size) {
            const int64_t width = std::min(block_size, size - first);
            fill_squares(points.coords, first, center,
                         std::span(reach).first(width));
            for (int64_t a = 0; a < width; ++a) {
                const int64_t i = first + a;
                if (rule == Seeding::Ckm)
                    reach[a] *= points.weights[i];
                if (k == 0 || reach[a] < mass[i])
                    mass[i] = reach[a];
                total += mass[i];
            }
        }
    }
}

void find_medoids(MatrixView<const double> coords,
                  MatrixView<const double> centers,
                  std::span<int64_t> medoids) {
    const int64_t size = coords.num_rows();
    for (int64_t k = 0; k < centers.num_rows(); ++k) {
        const std::span<const double> center = centers.row(k);
        double best = infinity;
        std::array<double, block_size> reach;
        for (int64_t first = 0; first < size; first += block_size) {
            const int64_t width = std::min(block_size, size - first);
            fill_squares(coords, first, center, std::span(reach).first(width));
            for (int64_t a = 0; a < width; ++a)
                if (reach[a] < best) {
                    best = reach[a];
                    medoids[k] = first + a;
                }
        }
    }
}

double update_centers(MatrixView<const double> coords,
                      std::span<const double> depot,
                      std::span<const int64_t> labels,
                      MatrixView<double> centers, Workspace& work) {
    const int64_t num_dims = coords.num_columns();
    const auto sums = sums_in(work, centers.num_rows(), num_dims);
    add_members(coords, depot, labels, sums);
    const double least = depot.empty() ? 0.0 : 1.0;
    double moved = 0.0;
    for (int64_t k = 0; k < centers.num_rows(); ++k) {
        const double count = sums(k, num_dims);
        if (!(count > least))
            continue;
        double reach = 0.0;
        for (int64_t d = 0; d < num_dims; ++d) {
            const double old =
                std::exchange(centers(k, d), sums(k, d) / count);
            const double gap = centers(k, d) - old;
            reach += gap * gap;
        }
        moved += reach;
    }
    return moved;
}

double inertia_of(MatrixView<const double> coords,
                  std::span<const int64_t> labels, int64_t num_clusters,
                  Workspace& work) {
    const int64_t num_dims = coords.num_columns();
    const auto sums = sums_in(work, num_clusters, num_dims);
    add_members(coords, {}, labels, sums);
    for (int64_t k = 0; k < num_clusters; ++k)
        for (int64_t d = 0; d < num_dims; ++d)
            if (sums(k, num_dims) > 0.0)
                sums(k, d) /= sums(k, num_dims);
    double total = 0.0;
    for (int64_t i = 0; i < std::ssize(labels); ++i)
        total += square(coords.row(i),
                        sums.row(labels[i]).first(coords.row(i).size()));
    return total;
}

} // namespace ncc::clustering
