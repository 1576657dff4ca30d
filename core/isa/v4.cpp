#define HALFPIXEL_TARGET x86_64_v4
#define HALFPIXEL_VECTOR_BYTES 64
#include "../passes/target.inl.hpp"

#include "isa.hpp"

namespace halfpixel {

const Kernels& kernels_x86_64_v4() {
    static constexpr Kernels kernels = HALFPIXEL_TARGET::table("x86-64-v4");
    return kernels;
}

}  // namespace halfpixel
