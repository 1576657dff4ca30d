#include "walk.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace halfpixel {
namespace {

i64 end_of(const AxisTable& axis, i64 output) { return axis.first[output] + axis.count[output]; }

}  // namespace

i64 open_outputs(const AxisTable& axis) {
    if (axis.has_gaps || axis.out_size == 0) return 0;
    i64 oldest = 0, open = walk_least_open;
    for (i64 o = 0; o < axis.out_size; ++o) {
        if (axis.count[o] == 0) return 0;
        if (o > 0 && (axis.first[o] < axis.first[o - 1] || end_of(axis, o) < end_of(axis, o - 1))) return 0;
        while (end_of(axis, oldest) <= axis.first[o]) ++oldest;
        open = std::max(open, o - oldest + 1);
    }
    return open <= walk_most_open ? open : 0;
}

template <class Acc>
void plan_walk(const AxisTable& axis, const Acc* weights, i64 open, i64 begin, i64 end, i64 last, bool resumes,
               Walk<Acc>& walk) {
    const i64 first_row = resumes ? end_of(axis, begin - 1) : axis.first[begin];
    walk.rows.assign(std::size_t((end - begin) * (open + 1)), 0);
    walk.weights.resize(std::size_t((end_of(axis, end - 1) - first_row) * open));
    i64* counts = walk.rows.data();
    Acc* to = walk.weights.data();
    i64 row = first_row;
    std::array<i64, walk_most_open> shifts{};  // of the outputs from o on: from a row to the weight that it has there
    for (i64 o = begin; o < end; ++o, counts += open + 1) {
        for (i64 k = 0; k < open && o + k < last; ++k) shifts[k] = axis.offset[o + k] - axis.first[o + k];
        const auto takes = [&](i64 output) { return output < last && axis.first[output] <= row; };
        for (i64 takers = 0; row < end_of(axis, o); ++row) {
            while (takers < open && takes(o + takers)) ++takers;
            const i64 counted = open <= walk_whole_open ? open : takers;
            ++counts[counted];
            for (i64 k = 0; k < takers; ++k) *to++ = weights[row + shifts[k]];
            for (i64 k = takers; k < counted; ++k) *to++ = Acc(0);
        }
    }
    walk.weights.resize(std::size_t(to - walk.weights.data()));
    walk.table = {first_row, walk.rows.data(), end - begin, open, walk.weights.data(), nullptr, 0, resumes};
}

i64 longest_step(const WalkTable& walk) {
    i64 longest = 0;
    for (i64 o = 0; o < walk.outputs; ++o) {
        const i64* rows = walk.rows + o * (walk.open + 1);
        longest = std::max(longest, std::accumulate(rows, rows + walk.open + 1, i64(0)));
    }
    return longest;
}

template void plan_walk(const AxisTable&, const float*, i64, i64, i64, i64, bool, Walk<float>&);
template void plan_walk(const AxisTable&, const double*, i64, i64, i64, i64, bool, Walk<double>&);

}  // namespace halfpixel
