// The gate before Python: who is inside when it closes is waited for, nobody comes in afterwards.
#include "../ort_ep/gate.hpp"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "check.hpp"
#include "child.hpp"

namespace halfpixel::ort {
namespace {

HALFPIXEL_TEST(a_closed_gate_lets_nobody_in) {
    Gate gate;
    {
        const Visit one(gate), two(gate);
        CHECK(one && two);
    }
    gate.close();
    const Visit late(gate);
    CHECK(!late);
    gate.close();  // the one who was not let in did not count as leaving
}

HALFPIXEL_TEST(closing_waits_for_those_inside) {
    Gate gate;
    std::atomic<bool> entered{false}, leaving{false};
    std::thread visitor([&] {
        const Visit visit(gate);
        entered = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        leaving = true;
    });
    while (!entered) std::this_thread::yield();
    gate.close();
    CHECK(leaving);
    visitor.join();
}

HALFPIXEL_TEST(a_forked_child_has_a_gate_with_nobody_inside) {
    const Visit visit(python_gate());
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        python_gate().close();
        _exit(0);
    }
    CHECK(tests::ends_well(child));
}

}  // namespace
}  // namespace halfpixel::ort
