// The element types that are averaged, as the kernels see them. Sizes are those of the array's elements.
#pragma once

#include <cstdint>

namespace halfpixel {

struct Bool8 {
    std::uint8_t byte;
};
struct Half {
    std::uint16_t bits;
};
struct BFloat16 {
    std::uint16_t bits;
};

}  // namespace halfpixel
