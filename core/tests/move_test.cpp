// Moves: nearest along any axes, DepthToSpace and SpaceToDepth, for every unit.
#include "../run/move.hpp"

#include <complex>
#include <cstdint>

#include "../isa/isa.hpp"
#include "check.hpp"

namespace halfpixel {
namespace {

template <class T>
std::vector<T> counting(i64 count) {
    std::vector<T> x(std::size_t(count), T{});
    for (i64 i = 0; i < count; ++i) x[i] = T(i % 251);
    return x;
}

std::vector<i64> strides_of(const std::vector<i64>& shape, i64 size) {
    std::vector<i64> strides(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0; size *= shape[axis]) strides[axis] = size;
    return strides;
}

// (2, 3, 5, in) to (2, 3, 12, out): asymmetric, floor. Rows have their exact length, so that a sanitizer sees a read or
// a write beside them.
template <class T>
bool nearest_copies(i64 in, i64 out, int threads) {
    const Line rows{5, 0, 12}, columns{in, 0, out};
    const auto row_table = std::make_shared<AxisTable>(nearest_table(5, 12, rows, Rounding::floor, false));
    const auto column_table = std::make_shared<AxisTable>(nearest_table(in, out, columns, Rounding::floor, false));
    const MoveProgram program({2, 3, 5, in}, {{2, row_table}, {3, column_table}}, sizeof(T));
    const std::vector<T> x = counting<T>(2 * 3 * 5 * in);
    std::vector<T> y(2 * 3 * 12 * out);
    program.run(reinterpret_cast<const char*>(x.data()), strides_of({2, 3, 5, in}, sizeof(T)).data(),
                reinterpret_cast<char*>(y.data()), strides_of({2, 3, 12, out}, sizeof(T)).data(), threads);
    for (i64 plane = 0; plane < 6; ++plane)
        for (i64 i = 0; i < 12; ++i)
            for (i64 j = 0; j < out; ++j)
                if (y[(plane * 12 + i) * out + j] != x[(plane * 5 + i * 5 / 12) * in + j * in / out]) return false;
    return true;
}

// Short rows, whole blocks, a last block that overlaps, blocks of one and of two windows, and samples too far apart.
template <class T>
bool nearest_copies_rows(int threads) {
    for (const auto& [in, out] :
         {std::pair<i64, i64>{7, 4}, {33, 66}, {32, 64}, {40, 91}, {37, 37}, {64, 32}, {47, 30}, {90, 17}, {200, 13}})
        if (!nearest_copies<T>(in, out, threads)) return false;
    return true;
}

HALFPIXEL_TEST(nearest_copies_every_unit) {
    CHECK(nearest_copies_rows<std::uint8_t>(1) && nearest_copies_rows<std::uint8_t>(3));
    CHECK(nearest_copies_rows<std::uint16_t>(1));
    CHECK(nearest_copies_rows<std::uint32_t>(1));
    CHECK(nearest_copies_rows<std::uint64_t>(1));
    CHECK(nearest_copies_rows<std::complex<double>>(1));
}

HALFPIXEL_TEST(depth_to_space_of_one_block) {
    // Eight channels of one pixel, blocksize 2: two channels of 2 x 2.
    const std::vector<std::uint16_t> x = {0, 1, 2, 3, 4, 5, 6, 7};
    std::vector<std::uint16_t> y(8);
    const auto run = [&](bool crd) {
        run_depth_to_space(reinterpret_cast<const char*>(x.data()), reinterpret_cast<char*>(y.data()),
                           {1, 8, 1, 1, 2, crd}, 2, 1);
        return y;
    };
    CHECK(run(false) == std::vector<std::uint16_t>{0, 2, 4, 6, 1, 3, 5, 7});
    CHECK(run(true) == x);
}

template <class T>
bool round_trip(i64 blocksize, bool crd, int threads) {
    const RearrangeShape shape{2, 3 * blocksize * blocksize, 5, 9, blocksize, crd};
    const std::vector<T> x = counting<T>(shape.batch * shape.channels * shape.height * shape.width);
    std::vector<T> space(x.size()), back(x.size());
    run_depth_to_space(reinterpret_cast<const char*>(x.data()), reinterpret_cast<char*>(space.data()), shape, sizeof(T),
                       threads);
    run_space_to_depth(reinterpret_cast<const char*>(space.data()), reinterpret_cast<char*>(back.data()), shape,
                       sizeof(T), threads);
    return back == x && (blocksize == 1 || space != x);
}

HALFPIXEL_TEST(space_to_depth_undoes_depth_to_space) {
    for (i64 blocksize : {1, 2, 3, 4, 5})
        for (bool crd : {false, true}) {
            CHECK(round_trip<std::uint8_t>(blocksize, crd, 1));
            CHECK(round_trip<std::uint16_t>(blocksize, crd, 1));
            CHECK(round_trip<std::uint32_t>(blocksize, crd, 3));
            CHECK(round_trip<std::uint64_t>(blocksize, crd, 1));
            CHECK(round_trip<std::complex<double>>(blocksize, crd, 1));
        }
}

// Row r, column q of a block is channel (r * b + q) * C + c in DCR, (c * b + r) * b + q in CRD, of C channels c.
template <class T>
std::vector<T> in_space(const std::vector<T>& deep, const RearrangeShape& s) {
    const i64 b = s.blocksize, block = b * b, spatial = s.channels / block;
    std::vector<T> space(deep.size());
    for (i64 n = 0; n < s.batch; ++n)
        for (i64 channel = 0; channel < s.channels; ++channel) {
            const i64 c = s.crd ? channel / block : channel % spatial;
            const i64 place = s.crd ? channel % block : channel / spatial;
            for (i64 h = 0; h < s.height; ++h)
                for (i64 w = 0; w < s.width; ++w) {
                    const i64 row = h * b + place / b, column = w * b + place % b;
                    space[((n * spatial + c) * s.height * b + row) * s.width * b + column] =
                        deep[((n * s.channels + channel) * s.height + h) * s.width + w];
                }
        }
    return space;
}

// By the kernels themselves, which write past the caches when they are given a buffer.
template <class T>
bool moves_as_defined(const RearrangeShape& s, bool stream) {
    const i64 planes = s.batch * s.channels / (s.blocksize * s.blocksize);
    const std::vector<T> deep = counting<T>(s.batch * s.channels * s.height * s.width);
    std::vector<T> space(deep.size()), back(deep.size());
    std::vector<char> memory(rearrange_buffer(s, sizeof(T)));
    void* buffer = stream ? memory.data() : nullptr;
    active_kernels().depth_to_space(deep.data(), space.data(), s, sizeof(T), 0, planes, buffer);
    active_kernels().space_to_depth(space.data(), back.data(), s, sizeof(T), 0, planes, buffer);
    active_kernels().fence();
    return space == in_space(deep, s) && back == deep;
}

HALFPIXEL_TEST(rearrangements_move_every_element_to_its_place) {
    for (const i64 blocksize : {2, 3})
        for (const i64 width : {1, 15, 16, 31, 32, 41, 65})
            for (const i64 height : {3, 40})  // some lines, and more than the buffer has room for
                for (const bool crd : {false, true})
                    for (const bool stream : {false, true}) {
                        const RearrangeShape shape{2, 3 * blocksize * blocksize, height, width, blocksize, crd};
                        CHECK(moves_as_defined<std::uint8_t>(shape, stream));
                        CHECK(moves_as_defined<std::uint16_t>(shape, stream));
                        CHECK(moves_as_defined<std::uint32_t>(shape, stream));
                        CHECK(moves_as_defined<std::uint64_t>(shape, stream));
                        CHECK(moves_as_defined<std::complex<double>>(shape, stream));
                    }
}

}  // namespace
}  // namespace halfpixel
