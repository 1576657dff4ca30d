// Pass I's tables: a literal, and which axes have none.
#include "../plan/pair_blocks.hpp"

#include <algorithm>

#include "check.hpp"

namespace halfpixel {
namespace {

AxisTable linear(i64 in, i64 out, Line line) { return filter_table(in, out, line, FilterRule{}, false); }
AxisTable half_pixel(i64 in, i64 out) { return linear(in, out, {2 * in, in - out, 2 * out}); }

bool have_pairs(const AxisTable& down, const AxisTable& across, i64 channels, i64 element_size) {
    PairBlocks blocks;
    return build_pair_blocks(down, across, channels, element_size, blocks);
}

HALFPIXEL_TEST(pairs_of_doubled_bytes) {
    PairBlocks blocks;
    CHECK(build_pair_blocks(half_pixel(3, 6), half_pixel(20, 40), 1, 1, blocks));
    CHECK(blocks.table.blocks == 2);
    CHECK(blocks.table.bytes == 40);
    // Outputs 0 to 7 take samples 0 to 4; output 0 takes sample 0 alone.
    const std::vector<std::uint8_t> index = {0, 1, 0, 1, 0, 1, 1, 2, 1, 2, 2, 3, 2, 3, 3, 4};
    const std::vector<std::uint8_t> weights = {4, 0, 3, 1, 1, 3, 3, 1, 1, 3, 3, 1, 1, 3, 3, 1};
    CHECK(std::equal(index.begin(), index.end(), blocks.index.begin()));
    CHECK(std::equal(weights.begin(), weights.end(), blocks.weights.begin()));
    // The second part holds outputs 16 to 23, from sample 7 on, but windows end with the row.
    CHECK(std::equal(blocks.window.begin(), blocks.window.begin() + 4, std::vector<i64>{0, 4, 3, 4}.begin()));
    // Two bits behind the point are there after the sums across: five more.
    CHECK(blocks.top == std::vector<i64>{0, 0, 0, 1, 1, 1});
    CHECK(blocks.down_integers == std::vector<std::int16_t>{32, 0, 24, 8, 8, 24, 24, 8, 8, 24, 0, 32});
}

HALFPIXEL_TEST(pairs_need_exact_sums_and_near_taps) {
    const AxisTable x2 = half_pixel(30, 60), x4 = half_pixel(30, 120), x8 = half_pixel(30, 240);
    CHECK(have_pairs(x2, x2, 1, 1));
    CHECK(have_pairs(x2, x4, 3, 1));
    CHECK(have_pairs(x4, x4, 4, 1));
    CHECK(have_pairs(x8, x4, 4, 1));
    CHECK(!have_pairs(x8, x8, 1, 1));  // 8 bits behind the point
    CHECK(have_pairs(x8, x8, 1, 2));
    CHECK(have_pairs(x2, x2, 4, 2));
    CHECK(!have_pairs(x2, x2, 5, 2));  // the taps of four outputs reach over more than eight samples
    CHECK(!have_pairs(x2, x2, 9, 1));
    CHECK(!have_pairs(x2, half_pixel(30, 90), 1, 1));  // thirds
    CHECK(!have_pairs(half_pixel(30, 90), x2, 1, 1));
    CHECK(!have_pairs(x2, half_pixel(12, 24), 1, 1));  // shorter than a window
    CHECK(!have_pairs(half_pixel(1, 2), x2, 1, 1));    // no pair of rows
    const Line beyond{1, -4, 2};
    CHECK(!have_pairs(filter_table(30, 60, beyond, FilterRule{}, true), x2, 1, 1));  // outputs without taps
    FilterRule cubic;
    cubic.filter = Filter::cubic;
    CHECK(!have_pairs(x2, filter_table(30, 60, {60, -30, 120}, cubic, false), 1, 1));
}

}  // namespace
}  // namespace halfpixel
