// Pass I's tables: two axes whose weights are whole multiples of a power of two.
#pragma once

#include <cstdint>
#include <vector>

#include "../passes/tables.hpp"
#include "axis_table.hpp"

namespace halfpixel {

struct PairBlocks {
    PairTable table{};
    std::vector<i64> window;
    std::vector<std::int32_t> pattern;
    std::vector<std::uint8_t> index, weights;
    std::vector<i64> top;
    std::vector<std::int16_t> down_integers;
    std::vector<float> down_floats;
};

// For elements of one or two bytes. False unless every output has one or two taps whose weights are not negative and
// add up to one, all sums are exact in the pass's types, both sides have a window or more in a row, and the outputs of
// a part lie close enough.
bool build_pair_blocks(const AxisTable& down, const AxisTable& across, i64 channels, i64 element_size,
                       PairBlocks& blocks);

}  // namespace halfpixel
