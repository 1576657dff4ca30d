#include "pair_blocks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>

namespace halfpixel {
namespace {

constexpr i64 part_bytes = 16;
constexpr std::array<i64, pair_parts> part_order = {0, 2, 1, 3};

// Whether every output is a mean of one or two samples.
bool takes_means(const AxisTable& table) {
    for (i64 o = 0; o < table.out_size; ++o) {
        if (table.count[o] < 1 || table.count[o] > 2) return false;
        double sum = 0.0;
        for (i64 t = 0; t < table.count[o]; ++t) {
            const double weight = table.weights[table.offset[o] + t];
            if (weight < 0.0) return false;
            sum += weight;
        }
        if (sum != 1.0) return false;
    }
    return true;
}

// Two taps for each output, the second one may weigh nothing.
struct Pair {
    i64 first;
    double weights[2];
};

Pair pair_of(const AxisTable& table, i64 output) {
    const i64 first = table.first[output];
    const double* w = table.weights.data() + table.offset[output];
    if (table.count[output] == 2) return {first, {w[0], w[1]}};
    if (first + 1 < table.in_size) return {first, {w[0], 0.0}};
    return {first - 1, {0.0, w[0]}};
}

struct Pattern {
    std::array<std::uint8_t, pair_parts * part_bytes> index, weights;
    bool operator<(const Pattern& other) const {
        return index != other.index ? index < other.index : weights < other.weights;
    }
};

class PairBuilder {
  public:
    PairBuilder(const AxisTable& across, i64 channels, i64 element_size, int bits)
        : across_(across), channels_(channels), size_(element_size), bits_(bits) {
        in_bytes_ = across.in_size * channels * size_;
    }

    // The part of the outputs from element `begin` on, into bytes `at` of the pattern. False: no window holds it.
    bool build(i64 begin, i64 at, i64& window, Pattern& pattern) const {
        const i64 outputs = part_bytes / (2 * size_);
        i64 low = in_bytes_, high = 0;
        for (i64 i = begin; i < begin + outputs; ++i) {
            low = std::min(low, byte_of(i, 0));
            high = std::max(high, byte_of(i, 1) + size_);
        }
        window = std::min(low, in_bytes_ - part_bytes);
        if (high - window > part_bytes) return false;
        for (i64 i = begin; i < begin + outputs; ++i)
            for (i64 tap = 0; tap < 2; ++tap, at += size_) {
                for (i64 byte = 0; byte < size_; ++byte)
                    pattern.index[at + byte] = std::uint8_t(byte_of(i, tap) - window + byte);
                const auto weight = std::uint16_t(std::ldexp(pair_of(across_, i / channels_).weights[tap], bits_));
                std::memcpy(pattern.weights.data() + at, &weight, size_);
            }
        return true;
    }

  private:
    i64 byte_of(i64 element, i64 tap) const {
        return ((pair_of(across_, element / channels_).first + tap) * channels_ + element % channels_) * size_;
    }

    const AxisTable& across_;
    i64 channels_, size_, in_bytes_;
    int bits_;
};

}  // namespace

bool build_pair_blocks(const AxisTable& down, const AxisTable& across, i64 channels, i64 element_size,
                       PairBlocks& blocks) {
    // Bytes: weights across are signed 8-bit integers. 16-bit elements: 24 bits of a float hold all sums.
    const int most = element_size == 1 ? pair_fraction : 8;
    if (!takes_means(across) || !takes_means(down)) return false;
    const int bits = fraction_bits(across, most), down_bits = fraction_bits(down, most);
    if (bits + down_bits > most || (element_size == 1 && bits > 6)) return false;
    const i64 bytes = across.out_size * channels * element_size;
    if (down.in_size < 2 || across.in_size < 2 || bytes < pair_block ||
        across.in_size * channels * element_size < part_bytes)
        return false;
    blocks = {};
    const PairBuilder builder(across, channels, element_size, bits);
    std::map<Pattern, std::int32_t> known;
    const i64 count = (bytes + pair_block - 1) / pair_block, part_outputs = part_bytes / (2 * element_size);
    for (i64 b = 0; b < count; ++b) {
        const i64 begin = std::min(b * pair_block, bytes - pair_block) / element_size;
        Pattern pattern;
        for (i64 place = 0; place < pair_parts; ++place) {
            i64 window;
            if (!builder.build(begin + part_order[place] * part_outputs, place * part_bytes, window, pattern))
                return false;
            blocks.window.push_back(window);
        }
        const auto [known_as, is_new] = known.try_emplace(pattern, std::int32_t(known.size()));
        blocks.pattern.push_back(known_as->second);
        if (!is_new) continue;
        blocks.index.insert(blocks.index.end(), pattern.index.begin(), pattern.index.end());
        blocks.weights.insert(blocks.weights.end(), pattern.weights.begin(), pattern.weights.end());
    }
    for (i64 o = 0; o < down.out_size; ++o) {
        const Pair pair = pair_of(down, o);
        blocks.top.push_back(pair.first);
        for (const double weight : pair.weights)
            if (element_size == 1)
                blocks.down_integers.push_back(std::int16_t(std::ldexp(weight, pair_fraction - bits)));
            else
                blocks.down_floats.push_back(float(std::ldexp(weight, -bits)));
    }
    blocks.table = {
        count,
        bytes,
        blocks.window.data(),
        blocks.pattern.data(),
        blocks.index.data(),
        blocks.weights.data(),
        blocks.top.data(),
        element_size == 1 ? static_cast<const void*>(blocks.down_integers.data()) : blocks.down_floats.data()};
    return true;
}

}  // namespace halfpixel
