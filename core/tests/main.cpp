// Runs every case. Status 77 tells CTest that this machine lacks the instruction set that HALFPIXEL_ISA asks for.
#include <algorithm>
#include <cstdlib>

#include "../isa/isa.hpp"
#include "check.hpp"

int main() {
    const std::vector<std::string> isas = halfpixel::available_isas();
    const char* forced = std::getenv("HALFPIXEL_ISA");
    if (forced != nullptr && std::find(isas.begin(), isas.end(), forced) == isas.end()) {
        std::printf("this machine lacks %s\n", forced);
        return 77;
    }
    for (const halfpixel::tests::Case& test : halfpixel::tests::cases()) {
        const int before = halfpixel::tests::failures();
        test.body();
        if (halfpixel::tests::failures() != before) std::printf("FAILED %s\n", test.name);
    }
    std::printf("%zu cases, %d failures, %s\n", halfpixel::tests::cases().size(), halfpixel::tests::failures(),
                halfpixel::active_kernels().name);
    return halfpixel::tests::failures() == 0 ? 0 : 1;
}
