// Pass W's plan: a run of outputs of a shrinking axis as segments of input rows with the same open outputs.
#pragma once

#include <vector>

#include "../passes/tables.hpp"
#include "axis_table.hpp"

namespace halfpixel {

// Whether outputs open and close in order, none of them is empty, no tap between others is 0, and at most
// walk_most_open are open at a time.
bool can_walk(const AxisTable& axis);

template <class Acc>
struct Walk {
    std::vector<WalkSegment> segments;
    std::vector<Acc> weights;
    WalkTable table() const { return {segments.data(), i64(segments.size()), weights.data()}; }
};

// Outputs [begin, end); `weights` are the axis's, in the accumulator type.
template <class Acc>
void plan_walk(const AxisTable& axis, const Acc* weights, i64 begin, i64 end, Walk<Acc>& walk);

}  // namespace halfpixel
