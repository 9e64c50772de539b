#pragma once
// The kernels of CUDA sources as machine code of the host: clang writes the device code, differentiated by the plugin,
// which is retargeted to the host.

#include "core/jit/scratch_folder.hpp"
#include "gpu/emulate/retarget.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace assay::cli {

/// Files of one source between its compilation and its linking.
class Intermediate {
public:
  Intermediate(const jit::ScratchFolder &scratch, const std::filesystem::path &source, std::size_t number);
  std::string file(const std::string &suffix) const;
  /// By which the code of the host names its kernels: what stands where a fat binary would.
  std::string identity() const;
  /// The file with that name, for the compilation of the code of the host.
  std::string write_identity() const;

private:
  const jit::ScratchFolder &scratch_;
  std::string stem_;
};

/// The compiler with the flags of both sides, to be called in `directory`; empty: here.
std::vector<std::string> cuda_compiler(const std::string &level, const std::vector<std::string> &flags,
                                       const std::filesystem::path &directory = {});

/// The device code of `file`, differentiated, as bitcode. Throws jit::BadRequest.
std::string device_code(const std::vector<std::string> &compiler, const std::filesystem::path &file,
                        const Intermediate &intermediate);

/// Object files of the host with the kernels of `file`, their names. `compiler` is of cuda_compiler(). Throws
/// jit::BadRequest.
std::vector<std::filesystem::path> compile_kernels(const std::vector<std::string> &compiler,
                                                   const std::filesystem::path &file, const Intermediate &intermediate,
                                                   gpu::AccessLog log);

} // namespace assay::cli
