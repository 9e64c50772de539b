#pragma once
// The code of kernels that a compiled test may name, beside the plain code of their file: watched, and in wide
// arithmetic (gpu/runtime/kernel_tests.hpp).

#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace assay::cli {

/// Whether the differentiated device code of a file has such kernels.
bool has_tested_kernels(const llvm::Module &module);

/// The bytes of an object file for each kind of code. `identity` is that of the plain module.
std::vector<std::string> tested_code_of(const llvm::Module &module, const std::string &identity);

} // namespace assay::cli
