// A row of moved units cut into blocks of 16 bytes, each a permutation of a window of the input row.
#pragma once

#include <vector>

#include "../passes/tables.hpp"
#include "axis_table.hpp"

namespace halfpixel {

struct ShuffleBlocks {
    ShuffleTable table{};
    std::vector<i64> window;
    std::vector<std::int32_t> pattern;
    std::vector<std::uint8_t> index;
};

// A table of one tap an output, units of `unit` bytes. False for rows shorter than a window, and where the outputs of
// some block lie too far apart.
bool build_shuffle_blocks(const AxisTable& axis, i64 unit, ShuffleBlocks& blocks);

}  // namespace halfpixel
