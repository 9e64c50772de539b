#include "core/jit/cuda_flags.hpp"

#include "core/jit/bad_request.hpp"
#include "core/jit/scratch_folder.hpp"
#include "llvm/Support/Program.h"

#include <array>
#include <fmt/format.h>
#include <fstream>
#include <optional>

namespace assay::jit {

namespace {

/// Beside an installed clang; empty where they are not.
std::filesystem::path usual_resource_folder(const std::string &compiler) {
  std::error_code failure;
  const std::filesystem::path program = std::filesystem::canonical(compiler, failure);
  std::filesystem::path folder =
      program.parent_path().parent_path() / "lib" / "clang" / std::to_string(LLVM_VERSION_MAJOR);
  return !failure && std::filesystem::exists(folder / "include" / "cuda_wrappers", failure) ? folder
                                                                                            : std::filesystem::path();
}

/// Where clang's own headers are; it finds them from where it lies itself, and is only asked where that is unusual.
std::string resource_folder(const std::string &compiler) {
  if (const std::filesystem::path usual = usual_resource_folder(compiler); !usual.empty())
    return usual.string();
  const ScratchFolder scratch;
  const std::string output = scratch.file("resources");
  const std::array<std::optional<llvm::StringRef>, 3> redirects{llvm::StringRef(), llvm::StringRef(output),
                                                                llvm::StringRef()};
  const std::array<llvm::StringRef, 2> words{compiler, "-print-resource-dir"};
  std::string failure;
  if (llvm::sys::ExecuteAndWait(compiler, words, std::nullopt, redirects, 0, 0, &failure) != 0)
    throw BadRequest(fmt::format("{} could not run: {}", compiler, failure));
  std::string folder;
  std::ifstream stream(output);
  std::getline(stream, folder);
  return folder;
}

} // namespace

std::vector<std::string> cuda_flags(const std::string &compiler, const std::filesystem::path &headers,
                                    const std::filesystem::path &libraries) {
  std::vector<std::string> flags{"-x",
                                 "cuda",
                                 "--cuda-gpu-arch=sm_80",
                                 "-nocudainc",
                                 "-nocudalib",
                                 "--cuda-feature=+ptx80",
                                 "-Xclang",
                                 "-target-sdk-version=12.8",
                                 "-Wno-unknown-cuda-version",
                                 "-Wno-unused-command-line-argument",
                                 "-std=c++20",
                                 "-isystem",
                                 resource_folder(compiler) + "/include/cuda_wrappers",
                                 "-isystem",
                                 (headers / "assay" / "cuda").string(),
                                 "-I" + headers.string(),
                                 "-include",
                                 "cuda_runtime.h"};
  // The library's types of 16 bits are not those of <assay/cuda/cuda_fp16.h>.
  if (!libraries.empty())
    flags.insert(flags.end(), {"-isystem", libraries.string(), "-DTHRUST_DEVICE_SYSTEM=4",
                               "-DCCCL_DISABLE_FP16_SUPPORT", "-DCCCL_DISABLE_BF16_SUPPORT"});
  return flags;
}

} // namespace assay::jit
