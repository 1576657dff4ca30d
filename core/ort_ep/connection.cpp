#include "connection.hpp"

#include <cstdio>

#include "gate.hpp"
#include "ort_tables.hpp"

namespace halfpixel::ort {
namespace {

Connection connected{};

std::int32_t refuse_closed(const Message& message) {
    std::snprintf(message.text, std::size_t(message.capacity), "%s", connected.closed_message);
    return fail;
}

}  // namespace

const Connection& connection() { return connected; }

std::int32_t open_node(NodeRequest& request) {
    const Visit visit(python_gate());
    return visit ? connected.open_node(&request) : refuse_closed(request.message);
}

std::int32_t make_plan(PlanRequest& request) {
    const Visit visit(python_gate());
    return visit ? connected.make_plan(&request) : refuse_closed(request.message);
}

void release(std::int64_t token) {
    if (const Visit visit(python_gate()); visit) connected.release(token);
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
extern "C" __attribute__((visibility("default"))) void halfpixel_ort_close() { halfpixel::ort::python_gate().close(); }
