// Pass P's tables: an axis cut into blocks of one vector of outputs.
#pragma once

#include <cstdint>
#include <vector>

#include "../passes/tables.hpp"
#include "axis_table.hpp"

namespace halfpixel {

template <class Acc>
struct PermuteBlocks {
    PermuteTable table{};
    i64 least_input = 0;  // a shorter input row (in elements) must be padded to this length before it is read

    std::vector<i64> window;
    std::vector<std::int32_t> pattern;
    std::vector<std::int32_t> index;
    std::vector<Acc> weights;
    std::vector<Acc> initial;
    std::vector<BlockKind> kind;
};

// False when the outputs of some block lie too far apart for two vector windows.
template <class Acc>
bool build_permute_blocks(const AxisTable& axis, i64 channels, i64 lanes, PermuteBlocks<Acc>& blocks);

}  // namespace halfpixel
