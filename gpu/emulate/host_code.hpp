#pragma once
// Optimises a retargeted module and makes an object file of it.

#include <string>

namespace llvm {
class Module;
}

namespace assay::gpu {

enum class Speed : unsigned char {
  of_code,       ///< The code is optimised.
  of_compilation ///< It is translated as it is.
};

/// The bytes of the object file, for the processor that this runs on.
std::string object_of(llvm::Module &module, Speed speed = Speed::of_code);

} // namespace assay::gpu
