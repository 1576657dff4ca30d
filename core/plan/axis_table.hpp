// One axis of a separable map as data: which input samples feed each output sample, and with which weights.
//
// Output sample i is  sum over t < count[i] of weights[offset[i] + t] * input[first[i] + t].
// Every rule about coordinates, filters and borders ends here; every pass only reads this table.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace halfpixel {

using i64 = std::int64_t;
using i128 = __int128;

// Input coordinate of output sample i, as an exact fraction: (step * i + start) / divisor, divisor > 0.
struct Line {
    i128 step = 0;
    i128 start = 0;
    i128 divisor = 1;
};

// An exact positive fraction: the scale (output samples per input sample) that widens an antialiasing filter.
struct Fraction {
    i128 numerator = 1;
    i128 denominator = 1;
};

enum class Rounding { half_down, half_up, floor, ceil };
enum class Filter { linear, cubic };

struct AxisTable {
    i64 in_size = 0;
    i64 out_size = 0;
    std::vector<i64> first;       // per output; first + count <= in_size
    std::vector<i64> count;       // per output; 0 where the output lies outside an extrapolating axis
    std::vector<i64> offset;      // per output, into weights
    std::vector<double> weights;  // taps in ascending input order; an exact 0 between others is no tap
    std::vector<float> rounded;   // weights
    i64 max_taps = 0;
    i64 whole_taps = 0;    // max_taps of the axis that this is a window of
    i64 inside_begin = 0;  // outputs [inside_begin, inside_end) have a value, the others take the fill value
    i64 inside_end = 0;
    bool shrinking = false;  // neighbouring outputs are more than one input sample apart
    bool has_gaps = false;   // some tap inside a support has weight exactly 0
    bool identity = false;   // output i is exactly input i, for all of the axis

    i64 bytes() const {
        return i64(3 * first.size() * sizeof(i64) + weights.size() * (sizeof(double) + sizeof(float)));
    }
};

struct FilterRule {
    Filter filter = Filter::linear;
    double cubic_a = -0.75;        // Keys' coefficient, cubic only
    bool antialias = false;        // widen the filter by max(1, 1 / scale) and divide by the sum of the weights
    Fraction scale;                // used by antialias only
    bool exclude_outside = false;  // taps outside the input count for nothing; the rest is renormalised
};

AxisTable nearest_table(i64 in_size, i64 out_size, const Line& line, Rounding rounding, bool extrapolate);
AxisTable filter_table(i64 in_size, i64 out_size, const Line& line, const FilterRule& rule, bool extrapolate);

// The table of a map that is no filter on a line: output i takes count[i] taps from input first[i] on, their weights
// behind those of output i - 1. Throws std::invalid_argument unless there is a first and a count for each output, every
// tap lies in the input, and every weight is finite and belongs to a tap.
AxisTable taps_table(i64 in_size, i64 out_size, std::span<const i64> first, std::span<const i64> count,
                     std::span<const double> weights);

// The table of the transposed map (the gradient): sample i of the input collects every output it fed.
AxisTable transpose(const AxisTable& table);

// The least k with every weight a multiple of 2^-k, or `most` + 1.
int fraction_bits(const AxisTable& table, int most);

// The largest factor by which an output may exceed its samples, 1 at least.
double largest_gain(const AxisTable& table);

// A window of the axis: outputs [out_begin, out_end), inputs renumbered from in_begin. Throws std::out_of_range
// when a tap of the window lies outside [in_begin, in_end).
AxisTable slice(const AxisTable& table, i64 out_begin, i64 out_end, i64 in_begin, i64 in_end);

// The smallest range of inputs that outputs [out_begin, out_end) read; (0, 0) when they read none.
std::pair<i64, i64> source_range(const AxisTable& table, i64 out_begin, i64 out_end);

}  // namespace halfpixel
