#pragma once
// Which code belongs to which symbol of the host: the registrations of a program before its main begins.

#include "gpu/runtime/interface.hpp"

#include <string_view>

namespace assay::gpu {

/// Null where nothing is registered.
const KernelRow *kernel_of(const void *host_function);
/// The same in another module, whose identity is that of the kernel's own with `suffix` behind it.
const KernelRow *kernel_of(const void *host_function, std::string_view suffix);
/// The variables of one such module get the content of those of another one.
void copy_variables(const void *host_function, std::string_view from_suffix, std::string_view to_suffix);
const MemoryRow *variable_of(const void *host_variable);

/// The content of the fat binary of the kernel's file behind its identity; may be empty.
std::string_view device_code_of(const void *host_function);

} // namespace assay::gpu
