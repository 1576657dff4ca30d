// Weighted averages: literals, and every element type against plain sums over the tables.
#include "../run/average.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "check.hpp"

namespace halfpixel {
namespace {

Line half_pixel(i64 in, i64 out) { return {2 * in, in - out, 2 * out}; }

std::shared_ptr<const AxisTable> table_of(Filter filter, bool antialias, i64 in, i64 out) {
    FilterRule rule;
    rule.filter = filter;
    rule.antialias = antialias;
    rule.scale = {out, in};
    return std::make_shared<AxisTable>(filter_table(in, out, half_pixel(in, out), rule, false));
}

std::vector<i64> contiguous_strides(const std::vector<i64>& shape, i64 size) {
    std::vector<i64> strides(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0; size *= shape[axis]) strides[axis] = size;
    return strides;
}

i64 product(const std::vector<i64>& shape) {
    i64 count = 1;
    for (i64 length : shape) count *= length;
    return count;
}

// Buffers have exactly the array's size, so that a sanitizer sees a read or a write beside it.
template <class T>
std::vector<T> run(const AverageProgram& program, const std::vector<T>& x, int threads) {
    std::vector<T> y(std::size_t(product(program.out_shape())));
    const std::vector<i64> in = contiguous_strides(program.in_shape(), sizeof(T));
    const std::vector<i64> out = contiguous_strides(program.out_shape(), sizeof(T));
    program.run(reinterpret_cast<const char*>(x.data()), in.data(), reinterpret_cast<char*>(y.data()), out.data(),
                threads);
    return y;
}

// One axis of `x`, shape `shape`, by plain sums in double.
std::vector<double> plain(const std::vector<double>& x, std::vector<i64>& shape, i64 axis, const AxisTable& table) {
    i64 outer = 1, inner = 1;
    for (i64 i = 0; i < axis; ++i) outer *= shape[i];
    for (std::size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
    std::vector<double> y(std::size_t(outer * table.out_size * inner), 0.0);
    for (i64 o = 0; o < outer; ++o)
        for (i64 i = 0; i < table.out_size; ++i)
            for (i64 t = 0; t < table.count[i]; ++t)
                for (i64 k = 0; k < inner; ++k)
                    y[(o * table.out_size + i) * inner + k] +=
                        table.weights[table.offset[i] + t] * x[(o * table.in_size + table.first[i] + t) * inner + k];
    shape[axis] = table.out_size;
    return y;
}

template <class T>
double saturated(double value) {
    if constexpr (!std::numeric_limits<T>::is_integer) return value;
    return std::fmin(std::fmax(value, double(std::numeric_limits<T>::min())), double(std::numeric_limits<T>::max()));
}

template <class T>
std::vector<T> samples(i64 count) {
    std::vector<T> x(std::size_t(count), T(0));
    std::uint32_t state = 1;
    for (T& value : x) {
        state = state * 1664525u + 1013904223u;
        value = std::numeric_limits<T>::is_integer ? T(state >> 16) : T(state >> 8) / T(1 << 20) - T(8);
    }
    return x;
}

struct Geometry {
    std::vector<i64> shape;
    std::vector<std::pair<i64, i64>> axes;  // axis, output length
};

// Channels first and last, growing, shrinking and both, lengths around the widths of vectors.
const std::vector<Geometry>& geometries() {
    static const std::vector<Geometry> all = {
        {{7}, {{0, 19}}},
        {{33}, {{0, 5}}},
        {{2, 3, 17, 35}, {{2, 34}, {3, 70}}},
        {{1, 2, 37, 41}, {{2, 11}, {3, 13}}},
        {{1, 19, 23, 3}, {{1, 9}, {2, 50}}},
        {{1, 40, 21, 4}, {{1, 7}, {2, 9}}},
        {{5, 6, 7}, {{0, 9}, {1, 4}, {2, 15}}},
        {{3, 1, 67}, {{1, 4}, {2, 66}}},
        {{2, 9, 64}, {{1, 18}}},
        {{1, 70, 90}, {{1, 141}, {2, 301}}},  // more rows and columns than pass FP takes at a time
        {{2, 34, 15, 3}, {{1, 47}, {2, 40}}},
        {{2, 40, 61}, {{1, 7}, {2, 9}}},  // most columns are skipped
        {{2, 40, 640}, {{1, 7}, {2, 71}}},
        {{1, 30, 64, 3}, {{1, 11}, {2, 10}}},
        {{3, 25, 57, 2}, {{1, 25}, {2, 8}}},
        {{2, 40, 200}, {{1, 20}, {2, 100}}},  // by one half
        {{3, 5, 150}, {{2, 75}}},
        {{3, 5, 150}, {{2, 300}}},  // rows alone, most blocks alike
        {{6, 40, 3}, {{1, 80}}},    // only rows, of dyadic weights
        {{5, 33}, {{1, 66}}},
        // More outputs than a walk has at a time, and more columns than lie between its two halves.
        {{1, 83, 310, 4}, {{1, 21}, {2, 64}}},
        {{1, 61, 420, 3}, {{1, 37}, {2, 90}}},
        {{2, 47, 901}, {{1, 13}, {2, 200}}},
        {{1, 33, 350, 5}, {{1, 19}, {2, 70}}},
    };
    return all;
}

template <class T>
bool agrees(Element element, Filter filter, bool antialias, const Geometry& geometry, double tolerance) {
    AxisTables tables;
    for (const auto& [axis, out] : geometry.axes)
        tables.emplace_back(axis, table_of(filter, antialias, geometry.shape[axis], out));
    const AverageProgram program(geometry.shape, tables, element);
    const std::vector<T> x = samples<T>(product(geometry.shape));
    const std::vector<T> y = run(program, x, 1);
    if (std::memcmp(y.data(), run(program, x, 3).data(), y.size() * sizeof(T)) != 0) return false;

    std::vector<double> expected(x.begin(), x.end());
    std::vector<i64> shape = geometry.shape;
    for (const auto& [axis, table] : tables) expected = plain(expected, shape, axis, *table);
    for (std::size_t i = 0; i < y.size(); ++i)
        if (std::abs(double(y[i]) - saturated<T>(expected[i])) > tolerance) return false;
    return true;
}

// An integer is the nearest one, or the neighbour within 1e-4 of a tie.
template <class T>
bool agrees_everywhere(Element element, double tolerance = 0.5 + 1e-4) {
    for (const Geometry& geometry : geometries())
        for (Filter filter : {Filter::linear, Filter::cubic})
            for (bool antialias : {false, true})
                if (!agrees<T>(element, filter, antialias, geometry, tolerance)) return false;
    return true;
}

// Floating-point samples reach from -8 to 8.
HALFPIXEL_TEST(float32_agrees_with_plain_sums) { CHECK(agrees_everywhere<float>(Element::float32, 2e-5)); }
HALFPIXEL_TEST(float64_agrees_with_plain_sums) { CHECK(agrees_everywhere<double>(Element::float64, 1e-13)); }
HALFPIXEL_TEST(uint8_agrees_with_plain_sums) { CHECK(agrees_everywhere<std::uint8_t>(Element::uint8)); }
HALFPIXEL_TEST(int8_agrees_with_plain_sums) { CHECK(agrees_everywhere<std::int8_t>(Element::int8)); }
HALFPIXEL_TEST(uint16_agrees_with_plain_sums) { CHECK(agrees_everywhere<std::uint16_t>(Element::uint16)); }
HALFPIXEL_TEST(int16_agrees_with_plain_sums) { CHECK(agrees_everywhere<std::int16_t>(Element::int16)); }
HALFPIXEL_TEST(int32_agrees_with_plain_sums) { CHECK(agrees_everywhere<std::int32_t>(Element::int32)); }
HALFPIXEL_TEST(uint32_agrees_with_plain_sums) { CHECK(agrees_everywhere<std::uint32_t>(Element::uint32)); }
HALFPIXEL_TEST(int64_agrees_with_plain_sums) { CHECK(agrees_everywhere<std::int64_t>(Element::int64)); }
HALFPIXEL_TEST(uint64_agrees_with_plain_sums) { CHECK(agrees_everywhere<std::uint64_t>(Element::uint64)); }

// Sums of dyadic weights are exact in double too: every result is known to the last bit.
template <class T>
bool is_exact(Element element, std::vector<i64> shape, i64 scale, bool centred, int threads) {
    AxisTables tables;
    for (const i64 axis : {1, 2}) {
        const i64 in = shape[axis], out = in * scale;
        const Line line = centred ? half_pixel(in, out) : Line{in, 0, out};
        tables.emplace_back(axis, std::make_shared<AxisTable>(filter_table(in, out, line, FilterRule{}, false)));
    }
    const AverageProgram program(shape, tables, element);
    const std::vector<T> x = samples<T>(product(shape));
    const std::vector<T> y = run(program, x, threads);
    std::vector<double> expected(x.begin(), x.end());
    for (const auto& [axis, table] : tables) expected = plain(expected, shape, axis, *table);
    for (std::size_t i = 0; i < y.size(); ++i)
        if (double(y[i]) != std::nearbyint(expected[i])) return false;
    return true;
}

template <class T>
bool is_exact_everywhere(Element element) {
    for (const i64 channels : {1, 2, 3, 4, 5, 8, 9})
        for (const i64 width : {2, 15, 16, 21, 37, 64})
            for (const i64 scale : {2, 4, 8})
                for (const bool centred : {false, true})
                    if (!is_exact<T>(element, {2, 7, width, channels}, scale, centred, 1)) return false;
    return true;
}

HALFPIXEL_TEST(uint8_grows_exactly) { CHECK(is_exact_everywhere<std::uint8_t>(Element::uint8)); }
HALFPIXEL_TEST(int8_grows_exactly) { CHECK(is_exact_everywhere<std::int8_t>(Element::int8)); }
HALFPIXEL_TEST(uint16_grows_exactly) { CHECK(is_exact_everywhere<std::uint16_t>(Element::uint16)); }
HALFPIXEL_TEST(int16_grows_exactly) { CHECK(is_exact_everywhere<std::int16_t>(Element::int16)); }

// Larger than what is kept in the caches; rows of 6048 bytes are multiples of 16 bytes, rows of 6018 are not.
HALFPIXEL_TEST(large_bytes_grow_exactly) {
    CHECK(is_exact<std::uint8_t>(Element::uint8, {1, 1051, 1008, 3}, 2, true, 1));
    CHECK(is_exact<std::uint8_t>(Element::uint8, {1, 1051, 1003, 3}, 2, true, 2));
}

// So large that whole rows are combined from a ring.
HALFPIXEL_TEST(large_bytes_agree_with_plain_sums) {
    const Geometry aligned{{1051, 2016, 3}, {{0, 2102}, {1, 4032}}}, unaligned{{1051, 1201, 3}, {{0, 2102}, {1, 4003}}};
    CHECK(agrees<std::uint8_t>(Element::uint8, Filter::cubic, false, aligned, 0.5 + 1e-4));
    CHECK(agrees<std::int8_t>(Element::int8, Filter::cubic, false, unaligned, 0.5 + 1e-4));
}

HALFPIXEL_TEST(two_by_two_to_four_by_four) {
    const auto table = table_of(Filter::linear, false, 2, 4);
    const AverageProgram program({2, 2}, {{0, table}, {1, table}}, Element::float32);
    const std::vector<float> expected = {1,   1.25, 1.75, 2,   1.5, 1.75, 2.25, 2.5,
                                         2.5, 2.75, 3.25, 3.5, 3,   3.25, 3.75, 4};
    CHECK(run<float>(program, {1, 2, 3, 4}, 1) == expected);
}

HALFPIXEL_TEST(integers_round_half_to_even_and_saturate) {
    const AverageProgram halved({4}, {{0, table_of(Filter::linear, false, 4, 2)}}, Element::uint8);
    CHECK(run<std::uint8_t>(halved, {0, 1, 2, 3}, 1) == std::vector<std::uint8_t>{0, 2});
    const AverageProgram doubled({4}, {{0, table_of(Filter::cubic, false, 4, 8)}}, Element::uint8);
    // 0: -27/256 * 255 is below 0. 58: 255 * 58/256. 197: 255 * 198/256.
    const std::vector<std::uint8_t> expected = {0, 58, 197, 255, 255, 255, 255, 255};
    CHECK(run<std::uint8_t>(doubled, {0, 255, 255, 255}, 1) == expected);
}

HALFPIXEL_TEST(a_sample_without_weight_does_not_spread) {
    const float infinity = std::numeric_limits<float>::infinity();
    const AverageProgram program({2}, {{0, table_of(Filter::linear, false, 2, 4)}}, Element::float32);
    const std::vector<float> y = run<float>(program, {1, infinity}, 1);
    CHECK(y[0] == 1);
    CHECK(y[1] == infinity);
}

HALFPIXEL_TEST(float16_and_bfloat16_round_to_nearest_even) {
    const auto table = table_of(Filter::linear, false, 2, 1);
    // float16: the mean of 1 and 1 + 2^-10 is half-way and goes to the even 1; of 1 + 2^-10 and 1 + 2^-9 to 1 + 2^-9.
    const AverageProgram half({2}, {{0, table}}, Element::float16);
    CHECK(run<std::uint16_t>(half, {0x3C00, 0x3C01}, 1)[0] == 0x3C00);
    CHECK(run<std::uint16_t>(half, {0x3C01, 0x3C02}, 1)[0] == 0x3C02);
    const AverageProgram brain({2}, {{0, table}}, Element::bfloat16);
    CHECK(run<std::uint16_t>(brain, {0x3F80, 0x3F81}, 1)[0] == 0x3F80);
    CHECK(run<std::uint16_t>(brain, {0x3F81, 0x3F82}, 1)[0] == 0x3F82);
}

HALFPIXEL_TEST(bool_is_true_from_one_half_up) {
    const AverageProgram program({2}, {{0, table_of(Filter::linear, false, 2, 4)}}, Element::bool8);
    CHECK(run<std::uint8_t>(program, {0, 1}, 1) == std::vector<std::uint8_t>{0, 0, 1, 1});
    const AverageProgram mean({2}, {{0, table_of(Filter::linear, false, 2, 1)}}, Element::bool8);
    CHECK(run<std::uint8_t>(mean, {0, 1}, 1) == std::vector<std::uint8_t>{1});
}

}  // namespace
}  // namespace halfpixel
