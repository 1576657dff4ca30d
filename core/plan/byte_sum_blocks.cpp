#include "byte_sum_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace halfpixel {
namespace {

constexpr i64 window_bytes = 16, half_block = byte_sum_block / 2;
constexpr std::uint8_t none = 0x80;

// The least k with every weight a multiple of 2^-k, where sums of bytes with those multiples need no more than the 24
// bits of a float and the weights fit 16 bits; -1 where there is none.
int exact_bits(const AxisTable& axis) {
    constexpr int most = 15, mantissa = 24;
    const int bits = fraction_bits(axis, most);
    const double gain = largest_gain(axis);
    const bool fits = std::ldexp(gain, bits + 8) <= std::ldexp(1.0, mantissa) && std::ldexp(gain, bits) <= 32767.0;
    return bits <= most && fits ? bits : -1;
}

struct Pattern {
    std::vector<std::uint8_t> index;
    std::vector<std::int16_t> weights;
    auto operator<=>(const Pattern&) const = default;
};

}  // namespace

bool build_byte_sum_blocks(const AxisTable& axis, i64 channels, bool is_signed, ByteSumBlocks& blocks) {
    const i64 length = axis.out_size * channels, in_length = axis.in_size * channels;
    const int bits = exact_bits(axis);
    if (bits < 0 || length < byte_sum_block || in_length < window_bytes) return false;
    const i64 count = (length + byte_sum_block - 1) / byte_sum_block, steps = std::max<i64>(1, (axis.max_taps + 1) / 2);
    blocks = {};
    std::map<Pattern, std::int32_t> known;
    for (i64 b = 0; b < count; ++b) {
        const i64 begin = std::min(b * byte_sum_block, length - byte_sum_block);
        Pattern pattern{std::vector<std::uint8_t>(steps * byte_sum_bytes, none),
                        std::vector<std::int16_t>(steps * byte_sum_bytes / 2, 0)};
        for (i64 half = 0; half < 2; ++half) {
            const i64 from = begin + half * half_block;
            i64 low = in_length;
            for (i64 i = from; i < from + half_block; ++i)
                if (axis.count[i / channels] > 0)
                    low = std::min(low, axis.first[i / channels] * channels + i % channels);
            const i64 window = std::min(low, in_length - window_bytes);
            blocks.window.push_back(window);
            for (i64 i = from; i < from + half_block; ++i)
                for (i64 t = 0, o = i / channels; t < axis.count[o]; ++t) {
                    const i64 position = (axis.first[o] + t) * channels + i % channels - window;
                    if (position >= window_bytes) return false;
                    const i64 word = t / 2 * 16 + (i - begin) * 2 + t % 2;
                    pattern.index[2 * word + is_signed] = std::uint8_t(position);
                    pattern.weights[word] = std::int16_t(std::ldexp(axis.weights[axis.offset[o] + t], bits));
                }
        }
        const auto [place, is_new] = known.try_emplace(pattern, std::int32_t(known.size()));
        blocks.pattern.push_back(place->second);
        if (!is_new) continue;
        blocks.index.insert(blocks.index.end(), pattern.index.begin(), pattern.index.end());
        blocks.weights.insert(blocks.weights.end(), pattern.weights.begin(), pattern.weights.end());
    }
    blocks.table = {count,
                    length,
                    steps,
                    float(std::ldexp(1.0, -bits - (is_signed ? 8 : 0))),
                    blocks.window.data(),
                    blocks.pattern.data(),
                    blocks.index.data(),
                    blocks.weights.data()};
    return true;
}

}  // namespace halfpixel
