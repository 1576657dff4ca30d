#include "walk.hpp"

#include <algorithm>

namespace halfpixel {

bool can_walk(const AxisTable& axis) {
    if (axis.has_gaps) return false;
    i64 oldest = 0;  // the first output that is still open at the last one's first row
    for (i64 o = 0; o < axis.out_size; ++o) {
        if (axis.count[o] == 0) return false;
        if (o == 0) continue;
        const i64 before = o - 1;
        if (axis.first[o] < axis.first[before]) return false;
        if (axis.first[o] + axis.count[o] < axis.first[before] + axis.count[before]) return false;
        while (axis.first[oldest] + axis.count[oldest] <= axis.first[o]) ++oldest;
        if (o - oldest + 1 > walk_most_open) return false;
    }
    return true;
}

template <class Acc>
void plan_walk(const AxisTable& axis, const Acc* weights, i64 begin, i64 end, Walk<Acc>& walk) {
    walk.segments.clear();
    walk.weights.clear();
    const auto last_row = [&](i64 o) { return axis.first[o] + axis.count[o]; };
    i64 oldest = begin, next = begin;  // outputs [oldest, next) have started and not ended
    i64 row = axis.first[begin];
    while (oldest < end) {
        if (oldest == next) row = axis.first[next];
        const i64 started = next;
        while (next < end && axis.first[next] <= row) ++next;
        i64 stop = last_row(oldest);
        if (next < end) stop = std::min(stop, axis.first[next]);
        const i64 open = next - oldest;
        walk.segments.push_back({row, stop - row, oldest - begin, open, next - started, i64(walk.weights.size())});
        for (; row < stop; ++row)
            for (i64 o = oldest; o < next; ++o) walk.weights.push_back(weights[axis.offset[o] + row - axis.first[o]]);
        while (oldest < next && last_row(oldest) <= row) ++oldest;
    }
}

template void plan_walk(const AxisTable&, const float*, i64, i64, Walk<float>&);
template void plan_walk(const AxisTable&, const double*, i64, i64, Walk<double>&);

}  // namespace halfpixel
