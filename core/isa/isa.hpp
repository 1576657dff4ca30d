// Which instruction sets this build has kernels for, and which one runs.
#pragma once

#include <string>
#include <vector>

#include "../passes/kernels.hpp"

namespace halfpixel {

#if defined(__x86_64__)
const Kernels& kernels_x86_64_v2();
const Kernels& kernels_x86_64_v3();
const Kernels& kernels_x86_64_v4();
#elif defined(__aarch64__)
const Kernels& kernels_aarch64_neon();
#endif

// Best first; what this processor runs.
std::vector<std::string> available_isas();

// The kernels in use: the best available, or the one that HALFPIXEL_ISA names. Decided once, at the first call.
// Throws std::runtime_error for a name that is unknown or not available on this processor.
const Kernels& active_kernels();

}  // namespace halfpixel
