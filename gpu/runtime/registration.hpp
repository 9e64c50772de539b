#pragma once
// Which code belongs to which symbol of the host: what a program registers before its main begins.

#include "gpu/runtime/interface.hpp"

#include <string_view>

namespace assay::gpu {

/// Null where nothing is registered.
const KernelRow *kernel_of(const void *host_function);
const MemoryRow *variable_of(const void *host_variable);

/// What the fat binary of the kernel's file holds behind its identity; empty where nothing is.
std::string_view device_code_of(const void *host_function);

} // namespace assay::gpu
