// Pass W's plan for a run of outputs of a shrinking axis.
#pragma once

#include <vector>

#include "../passes/tables.hpp"
#include "axis_table.hpp"

namespace halfpixel {

// The most outputs that one input row belongs to. 0 where pass W can't do the axis: an output is empty, a weight
// between others is 0, outputs do not begin and end in order, or too many are open at a time.
i64 open_outputs(const AxisTable& axis);

template <class Acc>
struct Walk {
    std::vector<i64> rows;
    std::vector<Acc> weights;
    WalkTable table{};
};

// Outputs [begin, end) of those up to `last`; `weights` are the axis's, in the accumulator type; `open` is
// open_outputs(axis). resumes: the walk before ended at `begin`. The table's carry is the caller's.
template <class Acc>
void plan_walk(const AxisTable& axis, const Acc* weights, i64 open, i64 begin, i64 end, i64 last, bool resumes,
               Walk<Acc>& walk);

// The most rows from the end of one output to the end of the next.
i64 longest_step(const WalkTable& walk);

}  // namespace halfpixel
