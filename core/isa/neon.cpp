#define HALFPIXEL_TARGET aarch64_neon
#define HALFPIXEL_VECTOR_BYTES 16
#include "../passes/target.inl.hpp"

#include "isa.hpp"

namespace halfpixel {

const Kernels& kernels_aarch64_neon() {
    static constexpr Kernels kernels = HALFPIXEL_TARGET::table("neon");
    return kernels;
}

}  // namespace halfpixel
