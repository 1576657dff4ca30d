// What the provider and the planner say to each other. The planner is Python's: it knows operators, versions and
// attributes; this library hands it what a node holds and gets the address of a map for one shape.
//
// Plain C, written twice: here and in src/halfpixel/onnxruntime/bridge.py.
#pragma once

#include <cstdint>

#include "../run/host_interface.hpp"

namespace halfpixel::ort {

enum AttributeKind : std::int32_t { int_kind, float_kind, string_kind, ints_kind, floats_kind };

struct AttributeName {
    const char* name;
    std::int32_t kind;
};

// One operator in the versions first_version to last_version.
struct OperatorEntry {
    const char* op_type;
    std::int32_t first_version, last_version;
    std::int64_t attribute_count;
    const AttributeName* attributes;
};

struct AttributeValue {
    const char* name;
    std::int32_t kind;
    std::int64_t count;  // of numbers, or of the bytes of a string
    const void* data;    // int64, float or char
};

struct Tensor {
    std::int32_t element_type = 0;  // 0: the input is absent
    std::int32_t rank = 0;
    const std::int64_t* shape = nullptr;
    const void* data = nullptr;  // null for the node's data, which the planner does not look at
};

// Where the planner writes why it refuses, ended by a zero.
struct Message {
    char* text;
    std::int64_t capacity;
};

// Both functions return 0 or the StatusCode of a refusal.
struct NodeRequest {
    std::int32_t entry, attribute_count;
    const AttributeValue* attributes;
    Message message;
    std::int64_t node;  // the answer: a token
};

struct PlanRequest {
    std::int64_t node;
    std::int32_t input_count;
    const Tensor* inputs;
    Message message;
    std::int64_t* out_shape;  // the answer: as many lengths as the data has
    const void* map;          // for strings: a map of 64-bit indices
    std::int64_t plan;        // a token; the map lives until it is released
};

struct Connection {
    std::int64_t size;  // sizeof(Connection)
    const char* provider_name;
    const char* version;
    const char* closed_message;
    const HostInterface* host;
    std::int64_t entry_count;
    const OperatorEntry* entries;
    std::int32_t (*open_node)(NodeRequest*);
    std::int32_t (*make_plan)(PlanRequest*);
    void (*release)(std::int64_t token);
};

const Connection& connection();

// Return 0, or the StatusCode of a refusal whose text is in the message.
std::int32_t open_node(NodeRequest& request);
std::int32_t make_plan(PlanRequest& request);
void release(std::int64_t token);

}  // namespace halfpixel::ort
