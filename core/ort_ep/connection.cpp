#include "connection.hpp"

#include <pthread.h>

#include <atomic>
#include <cstdio>

#include "ort_tables.hpp"

namespace halfpixel::ort {
namespace {

Connection connected{};

// Never destroyed: sessions may outlive static objects. A child after fork starts with nobody inside.
std::atomic<Gate*> current_gate{nullptr};

Gate& gate() {
    static const bool registered = [] {
        current_gate = new Gate;
        pthread_atfork(nullptr, nullptr, [] { current_gate = new Gate; });
        return true;
    }();
    (void)registered;
    return *current_gate;
}

class Visit {
  public:
    Visit() : gate_(gate()), inside_(gate_.enter()) {}
    ~Visit() {
        if (inside_) gate_.leave();
    }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;
    explicit operator bool() const { return inside_; }

  private:
    Gate& gate_;
    const bool inside_;
};

std::int32_t refuse_closed(const Message& message) {
    std::snprintf(message.text, std::size_t(message.capacity), "%s", connected.closed_message);
    return fail;
}

}  // namespace

bool Gate::enter() {
    std::lock_guard lock(mutex_);
    if (closed_) return false;
    ++inside_;
    return true;
}

void Gate::leave() {
    std::lock_guard lock(mutex_);
    if (--inside_ == 0) left_.notify_all();
}

void Gate::close() {
    std::unique_lock lock(mutex_);
    closed_ = true;
    left_.wait(lock, [&] { return inside_ == 0; });
}

const Connection& connection() { return connected; }

std::int32_t open_node(NodeRequest& request) {
    const Visit visit;
    return visit ? connected.open_node(&request) : refuse_closed(request.message);
}

std::int32_t make_plan(PlanRequest& request) {
    const Visit visit;
    return visit ? connected.make_plan(&request) : refuse_closed(request.message);
}

void release(std::int64_t token) {
    if (const Visit visit; visit) connected.release(token);
}

}  // namespace halfpixel::ort

// Called once by Python before the library is registered; false if the two were not built from the same sources.
extern "C" __attribute__((visibility("default"))) bool halfpixel_ort_connect(
    const halfpixel::ort::Connection* connection) {
    if (connection->size != sizeof(halfpixel::ort::Connection) ||
        connection->host->version < halfpixel::host_interface_version)
        return false;
    halfpixel::ort::connected = *connection;
    return true;
}

// Called by Python when the interpreter ends, without its lock: no call of the planner is under way afterwards.
extern "C" __attribute__((visibility("default"))) void halfpixel_ort_close() { halfpixel::ort::gate().close(); }
