#include "gate.hpp"

#include <pthread.h>

#include <atomic>

namespace halfpixel::ort {

bool Gate::enter() {
    const std::lock_guard lock(mutex_);
    if (closed_) return false;
    ++inside_;
    return true;
}

void Gate::leave() {
    const std::lock_guard lock(mutex_);
    if (--inside_ == 0) left_.notify_all();
}

void Gate::close() {
    std::unique_lock lock(mutex_);
    closed_ = true;
    left_.wait(lock, [&] { return inside_ == 0; });
}

namespace {

std::atomic<Gate*> current_gate{nullptr};

}  // namespace

Gate& python_gate() {
    static const bool registered = [] {
        current_gate = new Gate;
        pthread_atfork(nullptr, nullptr, [] { current_gate = new Gate; });
        return true;
    }();
    (void)registered;
    return *current_gate;
}

}  // namespace halfpixel::ort
