#pragma once
// A module of device code, differentiated or not, becomes a module for the host that runs under `gpu/runtime`.
//
// Steps: instructions of the device's own are stripped (strip_target), accesses are announced where asked (access_log),
// special registers become reads of the running thread's context and functions of the device those of the host
// (device_calls), barriers and warp operations become calls of the runtime with their source line (block_operations),
// and each kernel gets functions by which the runtime runs it and a row in a table (kernel_entries). Address spaces
// stay: the host has the same addresses in all of them.

#include "gpu/runtime/launch.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace assay::gpu {

/// Code that cannot be emulated, in one sentence.
struct NotEmulated : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A kernel with one parameter, an array of pointers, that becomes a function of the host that launches it.
struct HostEntry {
  std::string kernel; ///< And the name of the function.
  Launch launch;
};

enum class AccessLog {
  absent,
  present,     ///< The whole program is watched.
  for_a_watch, ///< Launches are watched while something asks for it.
};

struct RetargetOptions {
  std::string identity; ///< By which the program registers the module, or the name of the entries in messages.
  AccessLog access_log = AccessLog::absent; ///< Whether the runtime hears of each access: then it finds races.
  std::vector<HostEntry> entries = {};
};

/// The table is the symbol `assay_gpu_module`; unless there are entries, a constructor registers it. Throws
/// NotEmulated.
void retarget(llvm::Module &module, const RetargetOptions &options);

} // namespace assay::gpu
