// Strings are no memory that a map could read: the map moves their numbers, and the strings follow.
#pragma once

#include <functional>
#include <vector>

#include "ort_tables.hpp"

namespace halfpixel::ort {

// run applies a map of 64-bit integers.
void move_strings(const Value& in, std::int64_t in_elements, Value& out, const std::vector<std::int64_t>& out_shape,
                  const std::function<void(const void*, void*)>& run);

}  // namespace halfpixel::ort
