#define HALFPIXEL_TARGET x86_64_v3
#define HALFPIXEL_VECTOR_BYTES 32
#include "../passes/target.inl.hpp"

#include "isa.hpp"

namespace halfpixel {

const Kernels& kernels_x86_64_v3() {
    static constexpr Kernels kernels = HALFPIXEL_TARGET::table("x86-64-v3");
    return kernels;
}

}  // namespace halfpixel
