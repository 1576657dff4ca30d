#include "shuffle_blocks.hpp"

#include <algorithm>
#include <array>

namespace halfpixel {
namespace {

constexpr i64 block_bytes = 16;
constexpr i64 compared_patterns = 16;  // most rows repeat a few patterns; others keep one for each block

using Index = std::array<std::uint8_t, block_bytes>;

std::int32_t pattern_of(const Index& index, std::vector<std::uint8_t>& known) {
    const i64 count = i64(known.size()) / block_bytes;
    for (i64 p = count - 1; p >= std::max<i64>(0, count - compared_patterns); --p)
        if (std::equal(index.begin(), index.end(), known.begin() + p * block_bytes)) return std::int32_t(p);
    known.insert(known.end(), index.begin(), index.end());
    return std::int32_t(count);
}

}  // namespace

bool build_shuffle_blocks(const AxisTable& axis, i64 unit, ShuffleBlocks& blocks) {
    const i64 length = axis.out_size * unit, in_length = axis.in_size * unit;
    if (length < block_bytes || in_length < 2 * block_bytes) return false;
    const auto source_of = [&](i64 byte) { return axis.first[byte / unit] * unit + byte % unit; };
    const i64 count = (length + block_bytes - 1) / block_bytes;
    const auto begin_of = [&](i64 b) { return std::min(b * block_bytes, length - block_bytes); };
    std::vector<i64> lowest(count);
    i64 span = 0;
    for (i64 b = 0; b < count; ++b) {
        i64 low = in_length, high = 0;
        for (i64 byte = begin_of(b); byte < begin_of(b) + block_bytes; ++byte) {
            low = std::min(low, source_of(byte));
            high = std::max(high, source_of(byte));
        }
        lowest[b] = low;
        span = std::max(span, high - low + 1);
    }
    if (span > 2 * block_bytes) return false;
    const bool wide = span > block_bytes;
    blocks = {};
    for (i64 b = 0; b < count; ++b) {
        const i64 window = std::min(lowest[b], in_length - (wide ? 2 : 1) * block_bytes);
        Index index;
        for (i64 byte = 0; byte < block_bytes; ++byte)
            index[byte] = std::uint8_t(source_of(begin_of(b) + byte) - window);
        blocks.window.push_back(window);
        blocks.pattern.push_back(pattern_of(index, blocks.index));
    }
    blocks.table = {count, length, blocks.window.data(), blocks.pattern.data(), blocks.index.data(), wide};
    return true;
}

}  // namespace halfpixel
