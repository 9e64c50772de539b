#pragma once
// The run-time library of flang, which programs of Fortran call.

#include <filesystem>
#include <optional>

namespace llvm {
class Module;
}

namespace assay::jit {

/// The prefix of its functions' names.
inline constexpr const char *fortran_runtime_prefix = "_Fortran";

bool calls_fortran_runtime(const llvm::Module &module);

/// The archive of the flang of this version; nothing where it is not installed.
std::optional<std::filesystem::path> find_fortran_runtime();

} // namespace assay::jit
