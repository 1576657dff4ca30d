#include "permute_blocks.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace halfpixel {
namespace {

// One vector of outputs, not yet compared with the blocks before it.
template <class Acc>
struct Block {
    i64 window = 0;
    std::vector<std::int32_t> index;
    std::vector<Acc> weights;  // taps x lanes
    std::vector<Acc> initial;
    BlockKind kind = BlockKind::plain;

    // Of all that a pattern is made of, bit by bit.
    std::uint64_t hash() const {
        std::uint64_t h = std::uint64_t(kind);
        const auto add = [&h](const auto& values) {
            const char* bytes = reinterpret_cast<const char*>(values.data());
            for (std::size_t i = 0, size = values.size() * sizeof(values[0]); i < size; i += 4) {
                std::uint32_t word;
                std::memcpy(&word, bytes + i, 4);
                h = (h ^ word) * 0x9E3779B97F4A7C15u;
                h ^= h >> 32;
            }
        };
        add(index);
        add(weights);
        add(initial);
        return h;
    }

    bool is_pattern(const PermuteBlocks<Acc>& blocks, std::int32_t pattern) const {
        const auto same = [pattern](const auto& own, const auto& all) {
            return !std::memcmp(own.data(), all.data() + pattern * own.size(), own.size() * sizeof(own[0]));
        };
        return kind == blocks.kind[pattern] && same(index, blocks.index) && same(weights, blocks.weights) &&
               same(initial, blocks.initial);
    }
};

template <class Acc>
class BlockBuilder {
  public:
    BlockBuilder(const AxisTable& axis, i64 channels, i64 lanes)
        : axis_(axis), channels_(channels), lanes_(lanes), taps_(std::max<i64>(axis.max_taps, 1)) {
        out_length_ = axis.out_size * channels;
        in_length_ = axis.in_size * channels;
    }

    i64 taps() const { return taps_; }
    i64 least_input(i64 windows) const { return windows * lanes_ + (taps_ - 1) * channels_; }

    i64 span(i64 begin) const {
        i64 lo = in_length_, hi = 0;
        each_lane(begin, [&](i64, i64 o, i64 c) {
            lo = std::min(lo, position_of(o, c));
            hi = std::max(hi, position_of(o, c));
        });
        return hi - lo + 1;
    }

    void build(i64 begin, i64 windows, Block<Acc>& block) const {
        i64 lo = in_length_;
        each_lane(begin, [&](i64, i64 o, i64 c) { lo = std::min(lo, position_of(o, c)); });
        const i64 last_window = std::max<i64>(0, in_length_ - least_input(windows));
        block.window = std::min(lo, last_window);
        block.index.assign(lanes_, 0);
        block.weights.assign(taps_ * lanes_, Acc(0));
        block.initial.assign(lanes_, Acc(-0.0));
        block.kind = BlockKind::plain;
        each_lane(begin, [&](i64 lane, i64 o, i64 c) { set_lane(block, lane, o, c); });
        if (block.kind != BlockKind::plain) return;
        if (windows == 2 && channels_ == 1 && halves(block)) block.kind = BlockKind::halving;
        if (windows == 1 && is_parted(block)) block.kind = BlockKind::parted;
    }

  private:
    // Calls f(lane, output, channel). Lanes past the end of a row shorter than a vector repeat the last element; nobody
    // reads them.
    template <class F>
    void each_lane(i64 begin, const F& f) const {
        i64 o = begin / channels_, c = begin % channels_;
        for (i64 lane = 0; lane < lanes_; ++lane) {
            f(lane, o, c);
            if (begin + lane + 1 < out_length_ && ++c == channels_) {
                c = 0;
                ++o;
            }
        }
    }

    // A padded row keeps every window in bounds: a lane whose taps would pass the end starts earlier, with zeros first.
    i64 start_of(i64 output) const { return std::max<i64>(0, std::min(axis_.first[output], axis_.in_size - taps_)); }

    // The element that an output's first tap reads.
    i64 position_of(i64 output, i64 channel) const { return start_of(output) * channels_ + channel; }

    void set_lane(Block<Acc>& block, i64 lane, i64 o, i64 channel) const {
        const i64 start = start_of(o), count = axis_.count[o];
        block.index[lane] = std::int32_t(position_of(o, channel) - block.window);
        const i64 shift = count ? axis_.first[o] - start : 0;
        for (i64 t = 0; t < count; ++t)
            block.weights[(t + shift) * lanes_ + lane] = Acc(axis_.weights[axis_.offset[o] + t]);
        for (i64 t = 0; t < taps_; ++t)
            if (block.weights[t * lanes_ + lane] == Acc(0)) block.kind = BlockKind::masked;
        if (count == 0) block.initial[lane] = Acc(0);
    }

    bool halves(const Block<Acc>& block) const {
        for (i64 lane = 0; lane < lanes_; ++lane) {
            if (block.index[lane] != 2 * lane) return false;
            for (i64 t = 0; t < taps_; ++t)
                if (block.weights[t * lanes_ + lane] != block.weights[t * lanes_]) return false;
        }
        return true;
    }

    bool is_parted(const Block<Acc>& block) const {
        constexpr i64 part = piece_bytes / i64(sizeof(Acc));
        for (auto from = block.index.begin(); from + part <= block.index.end(); from += part) {
            const auto [least, most] = std::minmax_element(from, from + part);
            if (*most - *least >= part) return false;
        }
        return lanes_ > part;
    }

    const AxisTable& axis_;
    i64 channels_, lanes_, taps_, out_length_, in_length_;
};

}  // namespace

template <class Acc>
bool build_permute_blocks(const AxisTable& axis, i64 channels, i64 lanes, PermuteBlocks<Acc>& blocks) {
    const BlockBuilder<Acc> builder(axis, channels, lanes);
    const i64 length = axis.out_size * channels;
    const i64 count = (length + lanes - 1) / lanes;
    const auto begin_of = [&](i64 b) { return std::max<i64>(0, std::min(b * lanes, length - lanes)); };
    i64 span = 0;
    for (i64 b = 0; b < count; ++b) {
        span = std::max(span, builder.span(begin_of(b)));
        if (span > 2 * lanes) return false;
    }
    const bool wide = span > lanes;
    const i64 windows = wide ? 2 : 1;
    blocks = {};
    blocks.least_input = builder.least_input(windows);
    blocks.window.reserve(std::size_t(count));
    blocks.pattern.reserve(std::size_t(count));
    // Patterns by their hashes, each in the first free place from there on.
    std::vector<std::int32_t> known(std::bit_ceil(std::size_t(2 * count)), -1);
    Block<Acc> block;
    i64 repeats = 0;
    for (i64 b = 0; b < count; ++b) {
        builder.build(begin_of(b), windows, block);
        std::size_t place = block.hash() & (known.size() - 1);
        while (known[place] >= 0 && !block.is_pattern(blocks, known[place])) place = (place + 1) & (known.size() - 1);
        const bool is_new = known[place] < 0;
        if (is_new) known[place] = std::int32_t(blocks.kind.size());
        const std::int32_t pattern = known[place];
        repeats += b > 0 && blocks.pattern.back() == pattern;
        blocks.window.push_back(block.window);
        blocks.pattern.push_back(pattern);
        if (!is_new) continue;
        blocks.index.insert(blocks.index.end(), block.index.begin(), block.index.end());
        blocks.weights.insert(blocks.weights.end(), block.weights.begin(), block.weights.end());
        blocks.initial.insert(blocks.initial.end(), block.initial.begin(), block.initial.end());
        blocks.kind.push_back(block.kind);
    }
    blocks.table = {count,
                    length,
                    builder.taps(),
                    channels,
                    blocks.window.data(),
                    blocks.pattern.data(),
                    blocks.index.data(),
                    blocks.weights.data(),
                    blocks.initial.data(),
                    blocks.kind.data(),
                    2 * repeats > count,
                    wide};
    return true;
}

template bool build_permute_blocks(const AxisTable&, i64, i64, PermuteBlocks<float>&);
template bool build_permute_blocks(const AxisTable&, i64, i64, PermuteBlocks<double>&);

}  // namespace halfpixel
