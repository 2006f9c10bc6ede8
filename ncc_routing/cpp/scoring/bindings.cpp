#include "bindings.h"
#include "casters.h"
#include "scoring/decoder.h"
#include "scoring/geometry.h"

namespace ncc {

namespace {

template <class A, class B>
bool have_one_shape(const A& a, const B& b) {
    return a.num_rows() == b.num_rows() && a.num_columns() == b.num_columns();
}

} // namespace

void bind_scoring(nb::module_& module) {
    using namespace nb::literals;
    using namespace scoring;
    nb::module_ m = module.def_submodule("scoring");
    m.attr("NUM_FEATURES") = num_features;

    m.def(
        "decode",
        [](MatrixView<const float> own, MatrixView<const float> other,
           MatrixView<const float> between, std::span<const float> weight,
           MatrixView<const int64_t> listed, MatrixView<const float> seen,
           MatrixView<float> scores) {
            const int64_t width = std::ssize(weight);
            require(own.num_columns() == width &&
                        other.num_columns() == width &&
                        between.num_columns() == width,
                    "own, other and between must be as wide as weight.");
            require(have_one_shape(listed, scores) &&
                        listed.num_columns() == other.num_rows() &&
                        all_below(listed.values(),
                                  static_cast<std::size_t>(own.num_rows())),
                    "listed and scores must hold centers for each point.");
            require(seen.num_columns() == between.num_rows() &&
                        (between.empty() ||
                         seen.num_rows() ==
                             listed.num_rows() * listed.num_columns()),
                    "seen must have a row for each point and center.");
            decode(own, other, between, weight, listed, seen, scores);
        },
        "own"_a, "other"_a, "between"_a, "weight"_a, "listed"_a, "seen"_a,
        "scores"_a, release_gil());

    m.def(
        "fill_lengths",
        [](MatrixView<const float> places, std::span<const float> depot,
           MatrixView<const float> axis, std::span<const float> local,
           std::span<const float> scales, std::span<const int64_t> medoids,
           MatrixView<const int64_t> listed, MatrixView<float> lengths,
           MatrixView<float> features) {
            const int64_t n = std::ssize(depot);
            require(places.num_rows() == n && places.num_columns() == 2 &&
                        axis.num_rows() == n && axis.num_columns() == 2 &&
                        std::ssize(local) == n && scales.size() == 2,
                    "places, axis and local must be as many as customers.");
            require(all_below(medoids, depot.size()) &&
                        all_below(listed.values(), medoids.size()) &&
                        listed.num_columns() == n &&
                        have_one_shape(listed, lengths),
                    "listed and lengths must hold centers for each customer.");
            require(features.num_rows() == listed.num_rows() * n &&
                        features.num_columns() == num_features,
                    "features must have a row for each customer and center.");
            fill_lengths(places, depot, axis, local, scales, medoids, listed,
                         lengths, features);
        },
        "places"_a, "depot"_a, "axis"_a, "local"_a, "scales"_a, "medoids"_a,
        "listed"_a, "lengths"_a, "features"_a, release_gil());

    m.def(
        "fill_loads",
        [](std::span<const float> shares, int64_t num_centers,
           MatrixView<const int64_t> listed, MatrixView<const float> lengths,
           MatrixView<float> features) {
            require(num_centers >= 0 &&
                        all_below(listed.values(),
                                  static_cast<std::size_t>(num_centers)) &&
                        listed.num_columns() == std::ssize(shares) &&
                        have_one_shape(listed, lengths),
                    "listed and lengths must hold centers for each customer.");
            require(features.num_rows() ==
                            listed.num_rows() * listed.num_columns() &&
                        features.num_columns() == num_features,
                    "features must have a row for each customer and center.");
            fill_loads(shares, num_centers, listed, lengths, features);
        },
        "shares"_a, "num_centers"_a, "listed"_a, "lengths"_a, "features"_a,
        release_gil());
}

} // namespace ncc
