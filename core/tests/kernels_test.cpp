// Kernels called directly: stores past the caches, and conversions of float16, bfloat16 and integers.
#include <cmath>
#include <cstring>
#include <limits>

#include "../isa/isa.hpp"
#include "check.hpp"

namespace halfpixel {
namespace {

constexpr Element all_elements[] = {Element::bool8,  Element::uint8,   Element::int8,     Element::uint16,
                                    Element::int16,  Element::uint32,  Element::int32,    Element::uint64,
                                    Element::int64,  Element::float16, Element::bfloat16, Element::float32,
                                    Element::float64};

// Accumulators 0.5, 1.5, ... as bytes: halves round, and every value fits every element type.
std::vector<char> halves(i64 n, std::size_t acc_size) {
    std::vector<char> bytes(n * acc_size);
    for (i64 i = 0; i < n; ++i) {
        const double value = double(i % 100) + 0.5;
        const float narrow = float(value);
        std::memcpy(bytes.data() + i * acc_size, acc_size == 4 ? static_cast<const void*>(&narrow) : &value, acc_size);
    }
    return bytes;
}

// A row of n elements, written `offset` elements into a buffer; what lies around it must stay as it was.
std::vector<char> stored(const AverageKernels& kernels, i64 n, i64 offset, bool stream) {
    const std::vector<char> sums = halves(n, kernels.acc_size);
    std::vector<char> buffer((offset + n + 3) * kernels.element_size, char(0x5a));
    kernels.store(sums.data(), buffer.data() + offset * kernels.element_size, n, stream);
    return buffer;
}

std::vector<char> combined(const AverageKernels& kernels, i64 n, i64 offset, bool stream) {
    const std::vector<char> sums = halves(n, kernels.acc_size);
    const void* rows[] = {sums.data(), sums.data()};
    const float narrow[] = {0.25f, 0.75f};
    const double wide[] = {0.25, 0.75};
    std::vector<char> buffer((offset + n + 3) * kernels.element_size, char(0x5a));
    kernels.combine[1][0](rows, kernels.acc_size == 4 ? static_cast<const void*>(narrow) : wide, 2, 0,
                          buffer.data() + offset * kernels.element_size, n, stream);
    return buffer;
}

HALFPIXEL_TEST(streamed_rows_are_plain_rows_at_every_address) {
    for (const Element element : all_elements) {
        const AverageKernels kernels = active_kernels().average(element, 32, false);
        for (const i64 n : {1, 3, 15, 16, 17, 63, 64, 65, 200})
            for (i64 offset = 0; offset < 70; offset += 3) {
                CHECK(stored(kernels, n, offset, true) == stored(kernels, n, offset, false));
                CHECK(combined(kernels, n, offset, true) == combined(kernels, n, offset, false));
            }
    }
}

HALFPIXEL_TEST(streamed_copies_are_plain_copies) {
    std::vector<char> from(2000);
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = char(i * 7);
    for (const i64 bytes : {0, 1, 255, 256, 257, 1000})
        for (i64 offset = 0; offset < 70; offset += 7) {
            std::vector<char> to(2000, char(0x5a));
            active_kernels().copy(from.data() + 5, to.data() + offset, bytes, true);
            CHECK(std::memcmp(to.data() + offset, from.data() + 5, bytes) == 0);
            CHECK(to[offset + bytes] == char(0x5a));
        }
}

HALFPIXEL_TEST(two_outputs_of_the_same_rows) {
    std::vector<float> upper(300), lower(300);
    for (int i = 0; i < 300; ++i) {
        upper[i] = float(i % 97);
        lower[i] = float(i % 89 * 2);
    }
    const void* rows[] = {upper.data(), lower.data()};
    const float weights[] = {0.25f, 0.75f}, weights2[] = {0.875f, 0.125f};
    for (const bool stream : {false, true})
        for (const i64 n : {1, 31, 32, 33, 127, 300})
            for (const i64 offset : {0, 1, 16, 32, 63}) {
                std::vector<std::uint8_t> to(1024 + 128, 0x5a);
                std::uint8_t *first = to.data() + offset, *second = first + 512;
                active_kernels()
                    .average(Element::uint8, 32, false)
                    .combine_two[0](rows, weights, weights2, 2, first, second, n, stream);
                bool right = true;
                for (i64 i = 0; i < n; ++i) {
                    right &= first[i] == std::nearbyint(0.25 * upper[i] + 0.75 * lower[i]);
                    right &= second[i] == std::nearbyint(0.875 * upper[i] + 0.125 * lower[i]);
                }
                CHECK(right);
                CHECK(first[n] == 0x5a && second[n] == 0x5a && (offset == 0 || first[-1] == 0x5a));
            }
}

// 75 outputs that lie apart, backwards as well; output 40 has one tap and output 71 none.
template <class Acc>
bool sparse_is_exact(Element element, i64 channels, bool backwards) {
    constexpr i64 out_size = 75, in_size = 600, rows = 9;
    std::vector<i64> first, count, offset;
    std::vector<Acc> weights;
    for (i64 o = 0; o < out_size; ++o) {
        first.push_back((backwards ? out_size - 1 - o : o) * 8 + o % 3);
        count.push_back(o == 40 ? 1 : o == 71 ? 0 : 2);
        offset.push_back(i64(weights.size()));
        for (i64 t = 0; t < count[o]; ++t) weights.push_back(Acc(1 + o % 4 + 2 * t) / 8);
    }
    const std::vector<i64> top = {1, 4, 7}, pairs = {2, 2, 2}, at = {0, 2, 4};
    const std::vector<Acc> down_weights = {Acc(0.25), Acc(0.75), Acc(0.5), Acc(0.5), Acc(0.875), Acc(0.125)};
    const TapTable down{top.data(), pairs.data(), at.data(), down_weights.data(), 2, false};
    const TapTable across{first.data(), count.data(), offset.data(), weights.data(), 2, false};
    std::vector<Acc> x(rows * in_size * channels), y(2 * out_size * channels + 1, Acc(-1));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = Acc(i * 37 % 1009);
    active_kernels()
        .average(element, 32, false)
        .sparse(x.data(), in_size * channels * i64(sizeof(Acc)), down, 1, 3, y.data(),
                out_size * channels * i64(sizeof(Acc)), out_size, channels, across);
    const auto sample = [&](i64 row, i64 column, i64 c) { return double(x[(row * in_size + column) * channels + c]); };
    bool right = y.back() == Acc(-1);
    for (i64 r = 0; r < 2; ++r)
        for (i64 o = 0; o < out_size; ++o)
            for (i64 c = 0; c < channels; ++c) {
                double expected = 0;
                for (i64 t = 0; t < count[o]; ++t)
                    for (i64 d = 0; d < 2; ++d)
                        expected += double(weights[offset[o] + t]) * double(down_weights[2 * (r + 1) + d]) *
                                    sample(top[r + 1] + d, first[o] + t, c);
                right &= double(y[(r * out_size + o) * channels + c]) == expected;
            }
    return right;
}

HALFPIXEL_TEST(outputs_that_lie_apart_are_made_from_their_samples) {
    for (const i64 channels : {1, 2, 3})
        for (const bool backwards : {false, true}) {
            CHECK(sparse_is_exact<float>(Element::float32, channels, backwards));
            CHECK(sparse_is_exact<double>(Element::float64, channels, backwards));
        }
}

double half_value(std::uint16_t bits) {
    const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    const double magnitude = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
    return bits & 0x8000 ? -magnitude : magnitude;
}

std::vector<std::uint16_t> narrowed(Element element, const std::vector<float>& values) {
    std::vector<std::uint16_t> bits(values.size());
    active_kernels().average(element, 32, false).store(values.data(), bits.data(), i64(values.size()), false);
    return bits;
}

HALFPIXEL_TEST(float16_widens_exactly_and_narrows_back) {
    std::vector<std::uint16_t> bits;
    for (int b = 0; b < 65536; ++b)
        if ((b >> 10 & 31) != 31) bits.push_back(std::uint16_t(b));
    std::vector<float> wide(bits.size());
    active_kernels().average(Element::float16, 32, false).load(bits.data(), wide.data(), i64(bits.size()), false);
    bool exact = true;
    for (std::size_t i = 0; i < bits.size(); ++i) exact &= double(wide[i]) == half_value(bits[i]);
    CHECK(exact);
    CHECK(narrowed(Element::float16, wide) == bits);
}

HALFPIXEL_TEST(float16_rounds_ties_to_even) {
    std::vector<float> ties, above, below;
    std::vector<std::uint16_t> even, next, here;
    for (int b = 0; b < 0x7bff; ++b) {
        const float middle = float((half_value(std::uint16_t(b)) + half_value(std::uint16_t(b + 1))) / 2);
        ties.push_back(middle);
        even.push_back(std::uint16_t(b + (b & 1)));
        above.push_back(std::nextafter(middle, 1e9f));
        next.push_back(std::uint16_t(b + 1));
        below.push_back(std::nextafter(middle, -1e9f));
        here.push_back(std::uint16_t(b));
    }
    CHECK(narrowed(Element::float16, ties) == even);
    CHECK(narrowed(Element::float16, above) == next);
    CHECK(narrowed(Element::float16, below) == here);
}

HALFPIXEL_TEST(float16_ends) {
    const float infinity = std::numeric_limits<float>::infinity();
    const auto bits =
        narrowed(Element::float16, {65519.0f, 65520.0f, infinity, -infinity, -0.0f, 1e-30f, std::nanf("")});
    CHECK(bits[0] == 0x7bff);
    CHECK(bits[1] == 0x7c00);
    CHECK(bits[2] == 0x7c00);
    CHECK(bits[3] == 0xfc00);
    CHECK(bits[4] == 0x8000);
    CHECK(bits[5] == 0);
    CHECK((bits[6] & 0x7e00) == 0x7e00);
}

HALFPIXEL_TEST(bfloat16_rounds_ties_to_even) {
    // 1 + 2^-8 lies between 1 and 1 + 2^-7; 1 + 3 * 2^-8 between 1 + 2^-7 and 1 + 2^-6.
    const auto bits =
        narrowed(Element::bfloat16, {1.00390625f, 1.01171875f, 1.0f, 3.4e38f, std::nanf(""), -1.00390625f});
    CHECK(bits[0] == 0x3f80);
    CHECK(bits[1] == 0x3f82);
    CHECK(bits[2] == 0x3f80);
    CHECK(bits[3] == 0x7f80);
    CHECK((bits[4] & 0x7fc0) == 0x7fc0);
    CHECK(bits[5] == 0xbf80);
}

template <class E>
std::vector<E> rounded(Element element, const std::vector<double>& values) {
    std::vector<E> result(values.size());
    active_kernels().average(element, 64, false).store(values.data(), result.data(), i64(values.size()), false);
    return result;
}

HALFPIXEL_TEST(integers_round_half_to_even_and_saturate) {
    const std::vector<double> values = {0.5, 1.5, -0.5, -1.5, 2.5, 1e30, -1e30, 254.5, 255.5};
    CHECK(rounded<std::uint8_t>(Element::uint8, values) == std::vector<std::uint8_t>{0, 2, 0, 0, 2, 255, 0, 254, 255});
    CHECK(rounded<std::int8_t>(Element::int8, values) == std::vector<std::int8_t>{0, 2, 0, -2, 2, 127, -128, 127, 127});
    CHECK(rounded<std::int64_t>(Element::int64, values) ==
          std::vector<std::int64_t>{0, 2, 0, -2, 2, std::numeric_limits<std::int64_t>::max(),
                                    std::numeric_limits<std::int64_t>::min(), 254, 256});
    CHECK(rounded<std::uint64_t>(Element::uint64, values) ==
          std::vector<std::uint64_t>{0, 2, 0, 0, 2, std::numeric_limits<std::uint64_t>::max(), 0, 254, 256});
    CHECK(rounded<std::uint32_t>(Element::uint32, {4294967295.4, 4294967295.6, 2147483648.5}) ==
          std::vector<std::uint32_t>{4294967295u, 4294967295u, 2147483648u});
}

// As many values as a vector of results has, again and again.
template <class E>
bool narrow_to(Element element, const std::vector<float>& values, const std::vector<E>& expected) {
    std::vector<float> sums;
    for (int i = 0; i < 131; ++i) sums.push_back(values[i % values.size()]);
    std::vector<E> result(sums.size());
    active_kernels().average(element, 32, false).store(sums.data(), result.data(), i64(sums.size()), false);
    for (std::size_t i = 0; i < result.size(); ++i)
        if (result[i] != expected[i % expected.size()]) return false;
    return true;
}

HALFPIXEL_TEST(integers_round_float_sums_half_to_even_and_saturate) {
    const std::vector<float> values = {0.5f, 1.5f, -0.5f, -1.5f, 126.5f, 1e30f, -1e30f, 3e9f, -3e9f, 300.5f, -200.0f};
    CHECK(narrow_to<std::uint8_t>(Element::uint8, values, {0, 2, 0, 0, 126, 255, 0, 255, 0, 255, 0}));
    CHECK(narrow_to<std::int8_t>(Element::int8, values, {0, 2, 0, -2, 126, 127, -128, 127, -128, 127, -128}));
    CHECK(narrow_to<std::uint16_t>(Element::uint16, values, {0, 2, 0, 0, 126, 65535, 0, 65535, 0, 300, 0}));
    CHECK(narrow_to<std::int16_t>(Element::int16, values, {0, 2, 0, -2, 126, 32767, -32768, 32767, -32768, 300, -200}));
}

}  // namespace
}  // namespace halfpixel
