#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ncc::clustering {

// Orders items by keys, the smallest first and equal ones as they come. The
// keys travel along, so that no comparison leaves the cache.
class Ranking {
public:
    struct Entry {
        double key;
        int64_t item;
    };

    template <class Key>
    const std::vector<Entry>& sort(int64_t count, Key key_of) {
        entries_.resize(count);
        for (int64_t i = 0; i < count; ++i)
            entries_[i] = {key_of(i), i};
        std::ranges::stable_sort(entries_, {}, &Entry::key);
        return entries_;
    }

private:
    std::vector<Entry> entries_;
};

} // namespace ncc::clustering
