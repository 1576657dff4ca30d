#define HALFPIXEL_TARGET x86_64_v2
#define HALFPIXEL_VECTOR_BYTES 16
#include "../passes/target.inl.hpp"

#include "isa.hpp"

namespace halfpixel {

const Kernels& kernels_x86_64_v2() {
    static constexpr Kernels kernels = HALFPIXEL_TARGET::table("x86-64-v2");
    return kernels;
}

}  // namespace halfpixel
