#pragma once

#include "host_interface.hpp"

namespace halfpixel {

// The functions by which other hosts make and run maps; they live as long as the process.
const HostInterface& host_interface();

}  // namespace halfpixel
