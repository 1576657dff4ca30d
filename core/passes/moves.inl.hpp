// Moves: nearest, DepthToSpace, SpaceToDepth. Elements pass untouched, whatever they are.
#pragma once

#include "kernels.hpp"
#include "simd.inl.hpp"

namespace halfpixel::HALFPIXEL_TARGET {
namespace {

struct Unit16 {
    std::uint64_t low, high;
};

// Calls f with a zero of the integer type of that width; wider units are moved byte by byte by the caller.
template <class F>
inline bool with_unit(i64 unit, const F& f) {
    switch (unit) {
        case 1:
            f(std::uint8_t{});
            return true;
        case 2:
            f(std::uint16_t{});
            return true;
        case 4:
            f(std::uint32_t{});
            return true;
        case 8:
            f(std::uint64_t{});
            return true;
        case 16:
            f(Unit16{});
            return true;
        default:
            return false;
    }
}

void gather(const void* src, void* dst, const i64* index, i64 n, i64 unit) {
    const bool done = with_unit(unit, [=](auto zero) {
        using T = decltype(zero);
        const T* from = static_cast<const T*>(src);
        T* to = static_cast<T*>(dst);
        for (i64 i = 0; i < n; ++i) to[i] = from[index[i]];
    });
    if (done) return;
    for (i64 i = 0; i < n; ++i)
        std::memcpy(static_cast<char*>(dst) + i * unit, static_cast<const char*>(src) + index[i] * unit, unit);
}

void copy(const void* src, void* dst, i64 bytes, bool stream) {
    if (!stream || bytes < 4 * vector_bytes) {
        std::memcpy(dst, src, bytes);
        return;
    }
    constexpr int N = vector_bytes;
    const auto* from = static_cast<const std::uint8_t*>(src);
    auto* to = static_cast<std::uint8_t*>(dst);
    i64 x = unaligned_head<std::uint8_t, N>(to);
    std::memcpy(to, from, x);
    for (; x + N <= bytes; x += N) stream_vector<std::uint8_t, N>(to + x, load_vector<std::uint8_t, N>(from + x));
    std::memcpy(to + x, from + x, bytes - x);
}

// dst[w * blocksize + j] = rows[j][w]: one row of the spatial side from a row of each channel that feeds it.
template <class T, int B>
inline void interleave(const T* const* rows, T* dst, i64 width, i64 blocksize) {
    const i64 b = B ? B : blocksize;
    for (i64 w = 0; w < width; ++w)
        for (i64 j = 0; j < b; ++j) dst[w * b + j] = rows[j][w];
}

template <class T, int B>
inline void deinterleave(const T* src, T* const* rows, i64 width, i64 blocksize) {
    const i64 b = B ? B : blocksize;
    for (i64 w = 0; w < width; ++w)
        for (i64 j = 0; j < b; ++j) rows[j][w] = src[w * b + j];
}

// The channel of the deep side that holds column j, row i of the blocks of spatial channel c.
inline i64 deep_channel(const RearrangeShape& s, i64 c, i64 i, i64 j) {
    const i64 spatial = s.channels / (s.blocksize * s.blocksize);
    return s.crd ? (c * s.blocksize + i) * s.blocksize + j : (i * s.blocksize + j) * spatial + c;
}

// Row pointers of a block row, at most this many at a time: blocksize itself is unbounded.
constexpr i64 row_group = 16;

template <class T, bool ToSpace>
inline void rearrange_row(const char* deep, char* space, i64 deep_row, const RearrangeShape& s, i64 n, i64 c, i64 i) {
    const i64 plane = s.height * s.width * i64(sizeof(T)), b = s.blocksize;
    const auto deep_at = [&](i64 j) {
        return deep + (n * s.channels + deep_channel(s, c, i, j)) * plane + deep_row * s.width * i64(sizeof(T));
    };
    if (b <= row_group) {
        const T* rows[row_group];
        for (i64 j = 0; j < b; ++j) rows[j] = reinterpret_cast<const T*>(deep_at(j));
        T* line = reinterpret_cast<T*>(space);
        const auto mutable_rows = const_cast<T* const*>(reinterpret_cast<const T* const*>(rows));
        switch (b) {
            case 2:
                return ToSpace ? interleave<T, 2>(rows, line, s.width, b)
                               : deinterleave<T, 2>(line, mutable_rows, s.width, b);
            case 3:
                return ToSpace ? interleave<T, 3>(rows, line, s.width, b)
                               : deinterleave<T, 3>(line, mutable_rows, s.width, b);
            case 4:
                return ToSpace ? interleave<T, 4>(rows, line, s.width, b)
                               : deinterleave<T, 4>(line, mutable_rows, s.width, b);
            default:
                return ToSpace ? interleave<T, 0>(rows, line, s.width, b)
                               : deinterleave<T, 0>(line, mutable_rows, s.width, b);
        }
    }
    for (i64 j = 0; j < b; ++j) {
        T* row = const_cast<T*>(reinterpret_cast<const T*>(deep_at(j)));
        T* line = reinterpret_cast<T*>(space);
        for (i64 w = 0; w < s.width; ++w) ToSpace ? void(line[w * b + j] = row[w]) : void(row[w] = line[w * b + j]);
    }
}

template <bool ToSpace>
inline void rearrange(const char* deep, char* space, const RearrangeShape& s, i64 unit, i64 begin, i64 end) {
    with_unit(unit, [&](auto zero) {
        using T = decltype(zero);
        const i64 spatial = s.channels / (s.blocksize * s.blocksize);
        const i64 line = s.width * s.blocksize * i64(sizeof(T));
        for (i64 plane = begin; plane < end; ++plane)
            for (i64 h = 0; h < s.height; ++h)
                for (i64 i = 0; i < s.blocksize; ++i)
                    rearrange_row<T, ToSpace>(deep, space + ((plane * s.height + h) * s.blocksize + i) * line, h, s,
                                              plane / spatial, plane % spatial, i);
    });
}

void depth_to_space(const void* src, void* dst, const RearrangeShape& shape, i64 unit, i64 begin, i64 end, bool) {
    rearrange<true>(static_cast<const char*>(src), static_cast<char*>(dst), shape, unit, begin, end);
}

void space_to_depth(const void* src, void* dst, const RearrangeShape& shape, i64 unit, i64 begin, i64 end, bool) {
    rearrange<false>(static_cast<const char*>(dst), const_cast<char*>(static_cast<const char*>(src)), shape, unit,
                     begin, end);
}

}  // namespace
}  // namespace halfpixel::HALFPIXEL_TARGET
