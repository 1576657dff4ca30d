// The table of integer sums of bytes: a literal, and which axes have none.
#include "../plan/byte_sum_blocks.hpp"

#include <algorithm>

#include "check.hpp"

namespace halfpixel {
namespace {

AxisTable half_pixel(Filter filter, double cubic_a, i64 in, i64 out) {
    FilterRule rule;
    rule.filter = filter;
    rule.cubic_a = cubic_a;
    return filter_table(in, out, {2 * in, in - out, 2 * out}, rule, false);
}

bool have_sums(const AxisTable& axis, i64 channels) {
    ByteSumBlocks blocks;
    return build_byte_sum_blocks(axis, channels, false, blocks);
}

HALFPIXEL_TEST(integer_sums_of_doubled_bytes) {
    ByteSumBlocks blocks;
    CHECK(build_byte_sum_blocks(half_pixel(Filter::cubic, -0.75, 24, 48), 1, false, blocks));
    CHECK(blocks.table.blocks == 6);
    CHECK(blocks.table.steps == 2);
    CHECK(blocks.table.scale == 1.0f / 256);
    // Output 8 lies a quarter of a sample before sample 4 and takes samples 2 to 5; output 9 takes samples 3 to 6.
    CHECK(blocks.window[2] == 2);
    const i64 at = blocks.pattern[1] * 2 * 32, none = 0x80;
    const std::vector<std::uint8_t> first = {0, none, 1, none, 1, none, 2, none}, second = {2, none, 3, none};
    CHECK(std::equal(first.begin(), first.end(), blocks.index.begin() + at));
    CHECK(std::equal(second.begin(), second.end(), blocks.index.begin() + at + 32));
    const std::vector<std::int16_t> weights = {-9, 67, -27, 225}, others = {225, -27, 67, -9};
    CHECK(std::equal(weights.begin(), weights.end(), blocks.weights.begin() + at / 2));
    CHECK(std::equal(others.begin(), others.end(), blocks.weights.begin() + at / 2 + 16));
}

HALFPIXEL_TEST(integer_sums_lie_in_the_high_half_with_a_sign) {
    ByteSumBlocks blocks;
    CHECK(build_byte_sum_blocks(half_pixel(Filter::linear, 0, 24, 48), 1, true, blocks));
    CHECK(blocks.table.scale == 1.0f / 1024);
    CHECK(blocks.index[0] == 0x80 && blocks.index[1] == 0);
}

HALFPIXEL_TEST(integer_sums_need_exact_weights_and_near_taps) {
    CHECK(have_sums(half_pixel(Filter::cubic, -0.75, 20, 40), 4));
    CHECK(!have_sums(half_pixel(Filter::cubic, -0.75, 20, 40), 5));
    CHECK(!have_sums(half_pixel(Filter::cubic, -0.6, 20, 40), 1));
    CHECK(!have_sums(half_pixel(Filter::linear, 0, 20, 60), 1));
    CHECK(!have_sums(half_pixel(Filter::linear, 0, 15, 30), 1));  // shorter than a window
}

}  // namespace
}  // namespace halfpixel
