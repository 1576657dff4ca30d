#include "average.hpp"

#include <algorithm>
#include <cmath>

#include "../isa/isa.hpp"
#include "average_run.hpp"

namespace halfpixel {
namespace {

// float32 sums of 8-bit samples stay within 1e-4 of the exact value up to about this many taps in all.
constexpr double float_taps_of_bytes = 64;

double whole_taps(const AxisTables& tables) {
    double taps = 0;
    for (const auto& [axis, table] : tables) taps += double(table->whole_taps);
    return taps;
}

// Whether float32 sums of 16-bit integers are exact, as they are for x2 and other dyadic weights. Then they have the
// bits of float64 sums.
bool are_sums_exact(const AxisTables& tables) {
    constexpr int mantissa = 24;
    double needed = 16;
    for (const auto& [axis, table] : tables)
        needed += fraction_bits(*table, mantissa) + std::log2(largest_gain(*table));
    return needed <= mantissa;
}

// 16-bit integers need more bits than a float32 sum keeps.
int accumulator_bits(Element element, const AxisTables& tables) {
    switch (element) {
        case Element::uint16:
        case Element::int16:
            return are_sums_exact(tables) ? 32 : 64;
        case Element::bool8:
        case Element::uint8:
        case Element::int8:
            return whole_taps(tables) > float_taps_of_bytes ? 64 : 32;
        default:
            return 32;
    }
}

// Weights of 8-bit elements lie on a grid, so that a target without fused multiply-add can reproduce one exactly.
constexpr double fused_grid = double(i64(1) << 40);

// Half to even. In the sum with `shift` the last bit is one of the grid.
float on_fused_grid(double weight) {
    constexpr double shift = 3 << 11, most = 1 << 11;
    const double rounded =
        std::fabs(weight) < most ? (weight + shift) - shift : std::nearbyint(weight * fused_grid) / fused_grid;
    return float(std::copysign(rounded, weight));
}

// The first shrinking axis of 8-bit elements is the pass that reads them all, whatever the memory order, the
// instruction set or the window: it is the fused one. Where a window leaves that axis untouched there is nothing to
// add.
i64 fused_level(const Levels& levels, const AxisTables& tables, Element element, std::size_t acc_size) {
    if (acc_size != 4 || (element != Element::uint8 && element != Element::int8)) return -1;
    i64 first = -1;
    bool touched = false;
    for (const auto& [axis, table] : tables) {
        if (!table->shrinking || (first >= 0 && axis > first)) continue;
        first = axis;
        touched = !table->identity;
    }
    return touched && first < i64(levels.levels.size()) ? first : -1;
}

// Pass W spares the conversion of a row for each of its outputs, at the price of reading many rows at once: a loss
// where nothing is converted. It may multiply by 0, which floating-point elements do not allow.
bool pays_to_walk(Element element) {
    switch (element) {
        case Element::bool8:
        case Element::uint8:
        case Element::int8:
        case Element::uint16:
        case Element::int16:
            return true;
        default:
            return false;
    }
}

}  // namespace

AverageProgram::AverageProgram(std::vector<i64> in_shape, const AxisTables& tables, Element element)
    : levels_(std::move(in_shape), tables) {
    const int acc_bits = accumulator_bits(element, tables);
    kernels_ = active_kernels().average(element, acc_bits, false);
    fused_kernels_ = active_kernels().average(element, acc_bits, true);
    fused_level_ = fused_level(levels_, tables, element, kernels_.acc_size);
    same_type_ = element == Element::float32 || element == Element::float64;
    if (levels_.is_copy()) return;
    if (kernels_.acc_size == 4)
        prepare<float>(element);
    else
        prepare<double>(element);
    prepare_pairs();
    prepare_byte_sums(element);
    operations_ = double(levels_.out_elements()) * (1.0 + whole_taps(tables));
    for (const Level& level : levels_.levels)
        if (level.table && level.table->shrinking)
            operations_ *= double(level.in_size) / double(std::max<i64>(1, level.out_size));
}

template <class Acc>
void AverageProgram::prepare(Element element) {
    const i64 count = i64(levels_.levels.size());
    taps_.resize(count);
    walks_.resize(count);
    in_strides_.resize(count);
    out_strides_.resize(count);
    i64 in_stride = levels_.inner * i64(sizeof(Acc)), out_stride = in_stride;
    for (i64 l = count - 1; l >= 0; --l) {
        const Level& level = levels_.levels[l];
        in_strides_[l] = in_stride;
        out_strides_[l] = out_stride;
        in_stride *= level.in_size;
        out_stride *= level.out_size;
        if (!level.table) continue;
        const AxisTable& t = *level.table;
        const void* weights;
        if constexpr (sizeof(Acc) == 4) {
            weights = t.rounded.data();
            if (l == fused_level_) {
                fused_weights_.resize(t.weights.size());
                std::ranges::transform(t.weights, fused_weights_.begin(), on_fused_grid);
                weights = fused_weights_.data();
            }
        } else {
            weights = t.weights.data();
        }
        walks_[l] = t.shrinking && pays_to_walk(element) ? open_outputs(t) : 0;
        taps_[l] = {t.first.data(), t.count.data(), t.offset.data(), weights, t.max_taps, t.has_gaps};
    }
    if (levels_.inner < kernels_.lanes) prepare_horizontal<Acc>();
}

template <class Acc>
void AverageProgram::prepare_horizontal() {
    const Level& level = levels_.levels[levels_.last()];
    const AxisTable& table = *level.table;
    const i64 outputs = level.out_size * std::max<i64>(1, table.max_taps);
    if (outputs * 6 < level.in_size) {
        horizontal_ = Horizontal::scalar;
        return;
    }
    PermuteBlocks<Acc>* blocks;
    if constexpr (sizeof(Acc) == 4)
        blocks = &float_blocks_;
    else
        blocks = &double_blocks_;
    if (level.out_size > 0 && build_permute_blocks(table, levels_.inner, kernels_.lanes, *blocks)) {
        horizontal_ = Horizontal::permute;
        permute_ = blocks->table;
        least_input_ = blocks->least_input;
        batch_ = 4;
        return;
    }
    horizontal_ = Horizontal::columns;
    batch_ = kernels_.lanes;
    if (walks_[levels_.last()] > 0) prepare_across<Acc>();
}

template <class Acc>
void AverageProgram::prepare_across() {
    const i64 level = levels_.last(), open = walks_[level];
    const AxisTable& table = *levels_.levels[level].table;
    const auto plan = [&](auto& walk) {
        const Acc* weights = static_cast<const Acc*>(taps_[level].weights);
        plan_walk(table, weights, open, 0, table.out_size, table.out_size, false, walk);
        longest_step_ = longest_step(walk.table);
    };
    if constexpr (sizeof(Acc) == 4)
        plan(float_across_);
    else
        plan(double_across_);
}

void AverageProgram::prepare_pairs() {
    const i64 last = levels_.last();
    if (!kernels_.pairs || last < 1 || levels_.out_elements() == 0) return;
    const Level &across = levels_.levels[last], &down = levels_.levels[last - 1];
    if (!down.table || down.table->shrinking || across.table->shrinking) return;
    has_pairs_ = build_pair_blocks(*down.table, *across.table, levels_.inner, i64(kernels_.element_size), pairs_);
}

void AverageProgram::prepare_byte_sums(Element element) {
    const Level& last = levels_.levels[levels_.last()];
    if (!kernels_.byte_sums || horizontal_ != Horizontal::permute || last.table->shrinking) return;
    has_byte_sums_ = build_byte_sum_blocks(*last.table, levels_.inner, element == Element::int8, byte_sums_);
}

void AverageProgram::run(const char* in, const i64* in_strides, char* out, const i64* out_strides, int threads) const {
    AverageRun(*this, in, in_strides, out, out_strides, threads).execute();
}

}  // namespace halfpixel
