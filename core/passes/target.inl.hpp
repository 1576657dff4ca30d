// Everything of one instruction set, gathered into its table of kernels.
#pragma once

#include <type_traits>
#include <utility>

#include "byte_sums.inl.hpp"
#include "columns.inl.hpp"
#include "combine.inl.hpp"
#include "grow.inl.hpp"
#include "moves.inl.hpp"
#include "pairs.inl.hpp"
#include "permute.inl.hpp"
#include "shrink.inl.hpp"
#include "sparse.inl.hpp"
#include "walk.inl.hpp"

namespace halfpixel::HALFPIXEL_TARGET {
namespace {

template <class E>
constexpr PairsFn pairs_of() {
    if constexpr (std::is_integral_v<E> && sizeof(E) <= 2)
        return pairs<E>;
    else
        return nullptr;
}

template <bool Fused, class E, class Acc>
constexpr PermuteFn permute_elements_of() {
    if constexpr (permutes_bytes<E, Acc>)
        return permute<Fused, E, Acc>;
    else
        return nullptr;
}

template <class E, class Acc>
constexpr ByteSumsFn byte_sums_of() {
#if HALFPIXEL_VECTOR_BYTES == 32
    if constexpr (permutes_bytes<E, Acc>) return byte_sums;
#endif
    return nullptr;
}

template <class E, class Acc, bool Fused = false>
constexpr AverageKernels average_kernels() {
    return {sizeof(E),
            sizeof(Acc),
            lanes_of<Acc>,
            {{combine<Fused, E, E, Acc>, combine<Fused, E, Acc, Acc>},
             {combine<false, Acc, E, Acc>, combine<false, Acc, Acc, Acc>}},
            {combine_two<E, Acc>, combine_two<Acc, Acc>},
            {{combine_axis<Fused, E, E, Acc>, combine_axis<Fused, E, Acc, Acc>},
             {combine_axis<false, Acc, E, Acc>, combine_axis<false, Acc, Acc, Acc>}},
            walk<Fused, E, Acc>,
            shrink<Fused, E, Acc>,
            convert_row<E, Acc, Acc>,
            convert_row<Acc, E, Acc>,
            permute<Fused, Acc, Acc>,
            permute_elements_of<Fused, E, Acc>(),
            byte_sums_of<E, Acc>(),
            grow<E, Acc>,
            pairs_of<E>(),
            columns<Fused, Acc>,
            scalar<Fused, Acc>,
            sparse<Acc>};
}

template <class E>
AverageKernels either(int acc_bits) {
    return acc_bits == 64 ? average_kernels<E, double>() : average_kernels<E, float>();
}

template <class E>
AverageKernels either_of_bytes(int acc_bits, bool fused) {
    return fused && acc_bits == 32 ? average_kernels<E, float, true>() : either<E>(acc_bits);
}

AverageKernels average(Element element, int acc_bits, bool fused) {
    switch (element) {
        case Element::bool8:
            return either<Bool8>(acc_bits);
        case Element::uint8:
            return either_of_bytes<std::uint8_t>(acc_bits, fused);
        case Element::int8:
            return either_of_bytes<std::int8_t>(acc_bits, fused);
        case Element::uint16:
            return either<std::uint16_t>(acc_bits);
        case Element::int16:
            return either<std::int16_t>(acc_bits);
        case Element::uint32:
            return average_kernels<std::uint32_t, double>();
        case Element::int32:
            return average_kernels<std::int32_t, double>();
        case Element::uint64:
            return average_kernels<std::uint64_t, double>();
        case Element::int64:
            return average_kernels<std::int64_t, double>();
        case Element::float16:
            return average_kernels<Half, float>();
        case Element::bfloat16:
            return average_kernels<BFloat16, float>();
        case Element::float32:
            return average_kernels<float, float>();
        case Element::float64:
            return average_kernels<double, double>();
    }
    return average_kernels<float, float>();
}

constexpr Kernels table(const char* name) {
    return {name, average, gather, shuffle, copy, depth_to_space, space_to_depth, stream_fence};
}

}  // namespace
}  // namespace halfpixel::HALFPIXEL_TARGET
