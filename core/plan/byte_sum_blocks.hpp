// The table of pass P of bytes by integer sums.
#pragma once

#include <cstdint>
#include <vector>

#include "../passes/tables.hpp"
#include "axis_table.hpp"

namespace halfpixel {

struct ByteSumBlocks {
    ByteSumTable table{};
    std::vector<i64> window;
    std::vector<std::int32_t> pattern;
    std::vector<std::uint8_t> index;
    std::vector<std::int16_t> weights;
};

// False unless sums of the weights with bytes are exact in float and in the pass's integers, a row of either side fills
// a block and a window, and the taps of half a block lie close enough.
bool build_byte_sum_blocks(const AxisTable& axis, i64 channels, bool is_signed, ByteSumBlocks& blocks);

}  // namespace halfpixel
