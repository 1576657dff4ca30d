// Axis tables against numbers that a person can check.
#include "../plan/axis_table.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "check.hpp"

namespace halfpixel {
namespace {

using Indices = std::vector<i64>;
using Weights = std::vector<double>;

// half_pixel with scale out / in: x = ((2 i + 1) in - out) / (2 out)
Line half_pixel(i64 in, i64 out) { return {2 * in, in - out, 2 * out}; }

FilterRule rule(Filter filter, bool antialias, i64 in, i64 out) {
    FilterRule made;
    made.filter = filter;
    made.antialias = antialias;
    made.scale = {out, in};
    return made;
}

bool close(const Weights& got, const Weights& expected) {
    if (got.size() != expected.size()) return false;
    for (std::size_t i = 0; i < got.size(); ++i)
        if (std::abs(got[i] - expected[i]) > 1e-15) return false;
    return true;
}

// All weights of output i, one per input sample.
Weights row(const AxisTable& table, i64 i) {
    Weights dense(std::size_t(table.in_size), 0.0);
    for (i64 t = 0; t < table.count[i]; ++t) dense[table.first[i] + t] += table.weights[table.offset[i] + t];
    return dense;
}

HALFPIXEL_TEST(linear_two_to_four) {
    const AxisTable table = filter_table(2, 4, half_pixel(2, 4), rule(Filter::linear, false, 2, 4), false);
    CHECK(row(table, 0) == Weights{1, 0});
    CHECK(row(table, 1) == Weights{0.75, 0.25});
    CHECK(row(table, 2) == Weights{0.25, 0.75});
    CHECK(row(table, 3) == Weights{0, 1});
    CHECK(!table.shrinking);
}

HALFPIXEL_TEST(linear_antialias_eight_to_two) {
    const AxisTable table = filter_table(8, 2, half_pixel(8, 2), rule(Filter::linear, true, 8, 2), false);
    // Triangle of half-width 4 around 1.5: 1/32 {1, 3, 5, 7, 7, 5, 3, 1} at -2 .. 5; -2 and -1 take sample 0.
    CHECK(close(row(table, 0), {9. / 32, 7. / 32, 7. / 32, 5. / 32, 3. / 32, 1. / 32, 0, 0}));
    CHECK(close(row(table, 1), {0, 0, 1. / 32, 3. / 32, 5. / 32, 7. / 32, 7. / 32, 9. / 32}));
    CHECK(table.shrinking);
}

HALFPIXEL_TEST(cubic_excluding_the_outside) {
    FilterRule keys = rule(Filter::cubic, false, 2, 4);
    const AxisTable clamped = filter_table(2, 4, half_pixel(2, 4), keys, false);
    // Keys' weights for t = 3/4, a = -3/4, in 1/256: 1.75 -> -9, 0.75 -> 67, 0.25 -> 225, 1.25 -> -27; x = -0.25 is
    // between -1, 0.
    CHECK(close(row(clamped, 0), {(-9 + 67 + 225) / 256., -27 / 256.}));
    keys.exclude_outside = true;
    const AxisTable excluding = filter_table(2, 4, half_pixel(2, 4), keys, false);
    CHECK(close(row(excluding, 0), {225. / 198, -27. / 198}));
}

HALFPIXEL_TEST(nearest_decides_ties_by_the_rounding) {
    // x2 with asymmetric coordinates: 0, 1/2, 1, 3/2.
    const Line line{1, 0, 2};
    CHECK(nearest_table(2, 4, line, Rounding::half_down, false).first == Indices{0, 0, 1, 1});
    CHECK(nearest_table(2, 4, line, Rounding::half_up, false).first == Indices{0, 1, 1, 1});
    CHECK(nearest_table(2, 4, line, Rounding::floor, false).first == Indices{0, 0, 1, 1});
    CHECK(nearest_table(2, 4, line, Rounding::ceil, false).first == Indices{0, 1, 1, 1});
}

HALFPIXEL_TEST(nearest_is_exact_where_doubles_are_not) {
    // 14 to 17, output 8: the coordinate is exactly 13/2; doubles through the scale take sample 7.
    CHECK(nearest_table(14, 17, half_pixel(14, 17), Rounding::half_down, false).first[8] == 6);
}

HALFPIXEL_TEST(extrapolated_outputs_have_no_taps) {
    // Coordinates -1, 0, 1, 2 on two samples.
    const AxisTable table = filter_table(2, 4, {1, -1, 1}, rule(Filter::linear, false, 1, 1), true);
    CHECK(table.count == Indices{0, 1, 1, 0});
    CHECK(table.inside_begin == 1);
    CHECK(table.inside_end == 3);
}

// Means of samples 0 and 1, and 1 to 2; an output without taps between them.
HALFPIXEL_TEST(taps_are_taken_as_they_are) {
    const Indices first{0, 3, 1}, count{2, 0, 2};
    const Weights weights{0.5, 0.5, 0.25, 0.75};
    const AxisTable table = taps_table(3, 3, first, count, weights);
    CHECK(row(table, 0) == Weights{0.5, 0.5, 0});
    CHECK(row(table, 1) == Weights{0, 0, 0});
    CHECK(row(table, 2) == Weights{0, 0.25, 0.75});
    CHECK(table.offset == Indices{0, 2, 2});
    CHECK(table.max_taps == 2 && !table.identity && !table.shrinking && !table.has_gaps);
    CHECK(table.inside_begin == 0 && table.inside_end == 3);
    CHECK(row(transpose(table), 1) == Weights{0.5, 0, 0.25});
    CHECK(transpose(table).rounded == std::vector<float>{0.5f, 0.5f, 0.0f, 0.25f, 0.75f});
    CHECK(taps_table(2, 1, Indices{0}, Indices{2}, Weights{0.1, 0.9}).rounded == std::vector<float>{0.1f, 0.9f});
    CHECK(taps_table(3, 1, Indices{0}, Indices{3}, Weights{1, 0, 1}).shrinking);
    CHECK(taps_table(3, 1, Indices{0}, Indices{3}, Weights{1, 0, 1}).has_gaps);
}

HALFPIXEL_TEST(taps_that_do_not_fit_are_refused) {
    const Weights two{0.5, 0.5};
    const i64 far = std::numeric_limits<i64>::max();
    const auto refused = [](i64 out_size, const Indices& first, const Indices& count, const Weights& weights) {
        CHECK_THROWS(std::invalid_argument, taps_table(3, out_size, first, count, weights));
    };
    refused(2, {0}, {2}, two);                  // an output without a first input
    refused(1, {0}, {1, 1}, two);               // a count without an output
    refused(1, {2}, {2}, two);                  // beyond the last input
    refused(1, {-1}, {2}, two);                 // before the first
    refused(1, {far}, {2}, two);                // first + count has no 64 bits
    refused(1, {0}, {-1}, {});                  // a negative count
    refused(1, {0}, {3}, two);                  // fewer weights
    refused(1, {0}, {1}, two);                  // more weights
    refused(1, {0}, {2}, {0.5, std::nan("")});  // no number
    refused(1, {0}, {2}, {0.5, HUGE_VAL});      // infinite
}

HALFPIXEL_TEST(transposed_table_has_the_columns) {
    const AxisTable table = filter_table(2, 4, half_pixel(2, 4), rule(Filter::linear, false, 2, 4), false);
    const AxisTable gradient = transpose(table);
    CHECK(gradient.in_size == 4);
    CHECK(gradient.out_size == 2);
    CHECK(row(gradient, 0) == Weights{1, 0.75, 0.25, 0});
    CHECK(row(gradient, 1) == Weights{0, 0.25, 0.75, 1});
}

HALFPIXEL_TEST(slice_renumbers_its_inputs) {
    const AxisTable table = filter_table(8, 16, half_pixel(8, 16), rule(Filter::linear, false, 8, 16), false);
    CHECK(source_range(table, 5, 8) == std::pair<i64, i64>(2, 5));
    const AxisTable window = slice(table, 5, 8, 2, 5);
    CHECK(row(window, 0) == Weights{0.75, 0.25, 0});
    CHECK(row(window, 2) == Weights{0, 0.75, 0.25});
    CHECK_THROWS(std::out_of_range, slice(table, 5, 8, 3, 5));
}

// One output of 4 inputs at a scale near 0: the filter is flat over the input, half of it lies before and half behind.
HALFPIXEL_TEST(filter_much_wider_than_the_input_rests_on_the_edges) {
    for (const Filter filter : {Filter::linear, Filter::cubic}) {
        FilterRule rule;
        rule.filter = filter;
        rule.antialias = true;
        rule.scale = {1, i128(1) << 40};
        const AxisTable table = filter_table(4, 1, {0, 3, 2}, rule, false);
        CHECK(table.count[0] == 4);
        CHECK(std::fabs(table.weights[0] - 0.5) < 1e-11 && std::fabs(table.weights[3] - 0.5) < 1e-11);
        CHECK(table.weights[1] > 0.0 && table.weights[1] < 1e-11);
    }
}

// Both sides of the limit for summing tap by tap: 2^20 and 2^20 + 1 taps in half a linear filter give nearly one table.
HALFPIXEL_TEST(integral_continues_the_sum) {
    FilterRule rule;
    rule.antialias = true;
    const Line line{0, 1 << 19, 1};  // the output lies on input sample 2^19
    rule.scale = {1, 1 << 20};
    const AxisTable summed = filter_table((1 << 19) + 3, 1, line, rule, false);
    rule.scale = {1, (1 << 20) + 1};
    const AxisTable integrated = filter_table((1 << 19) + 3, 1, line, rule, false);
    CHECK(std::fabs(summed.weights.front() - integrated.weights.front()) < 1e-6);
    CHECK(std::fabs(summed.weights.back() - integrated.weights.back()) < 1e-6);
    CHECK(std::fabs(summed.weights.front() - 0.125) < 1e-6);
    CHECK(std::fabs(summed.weights.back() - 0.5) < 1e-5);
}

}  // namespace
}  // namespace halfpixel
