#pragma once
// Optimises a retargeted module and makes an object file of it.

#include <string>

namespace llvm {
class Module;
}

namespace assay::gpu {

/// The bytes of the object file, for the processor that this runs on.
std::string object_of(llvm::Module &module);

} // namespace assay::gpu
