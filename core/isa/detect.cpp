#include <cstdlib>
#include <stdexcept>

#include "isa.hpp"

namespace halfpixel {
namespace {

std::vector<const Kernels*> available_kernels() {
    std::vector<const Kernels*> found;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("x86-64-v4")) found.push_back(&kernels_x86_64_v4());
    if (__builtin_cpu_supports("x86-64-v3")) found.push_back(&kernels_x86_64_v3());
    if (__builtin_cpu_supports("x86-64-v2")) found.push_back(&kernels_x86_64_v2());
#elif defined(__aarch64__)
    found.push_back(&kernels_aarch64_neon());
#endif
    return found;
}

const Kernels& chosen_kernels() {
    const std::vector<const Kernels*> found = available_kernels();
    if (found.empty())
        throw std::runtime_error("this processor lacks x86-64-v2 (SSE4.2), the least that halfpixel is built for");
    const char* forced = std::getenv("HALFPIXEL_ISA");
    if (forced == nullptr || *forced == 0) return *found.front();
    std::string names;
    for (const Kernels* kernels : found) {
        if (std::string(kernels->name) == forced) return *kernels;
        names += (names.empty() ? "" : ", ") + std::string(kernels->name);
    }
    throw std::runtime_error("HALFPIXEL_ISA=" + std::string(forced) + " is not one of " + names);
}

}  // namespace

std::vector<std::string> available_isas() {
    std::vector<std::string> names;
    for (const Kernels* kernels : available_kernels()) names.push_back(kernels->name);
    return names;
}

const Kernels& active_kernels() {
    static const Kernels& kernels = chosen_kernels();
    return kernels;
}

}  // namespace halfpixel
