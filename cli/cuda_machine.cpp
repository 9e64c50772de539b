#include "cli/cuda_machine.hpp"

#include "cli/installation.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <vector>

namespace assay::cli {

namespace fs = std::filesystem;

std::optional<fs::path> find_cuda_toolkit() {
  std::vector<fs::path> places;
  for (const char *variable : {"CUDA_PATH", "CUDA_HOME"})
    if (const char *value = std::getenv(variable); value && *value != '\0')
      places.emplace_back(value);
  places.push_back(plugin_file().parent_path().parent_path().parent_path() / "cuda"); // build/cuda beside build/release
  places.emplace_back("/usr/local/cuda");
  std::error_code ignored;
  for (const fs::path &place : places)
    if (fs::exists(place / "nvvm/libdevice/libdevice.10.bc", ignored))
      return place;
  return std::nullopt;
}

fs::path find_cuda_libraries() {
  const std::optional<fs::path> toolkit = find_cuda_toolkit();
  std::error_code ignored;
  for (const char *folder : {"include/cccl", "include"})
    if (toolkit && fs::exists(*toolkit / folder / "thrust/version.h", ignored))
      return *toolkit / folder;
  return {};
}

std::string why_no_device() {
  void *driver = ::dlopen("libcuda.so.1", RTLD_NOW);
  if (!driver)
    return "NVIDIA's driver (libcuda.so.1) is not installed";
  auto *initialise = reinterpret_cast<int (*)(unsigned)>(::dlsym(driver, "cuInit"));
  auto *count_devices = reinterpret_cast<int (*)(int *)>(::dlsym(driver, "cuDeviceGetCount"));
  int count = 0;
  const bool is_there = initialise && count_devices && initialise(0) == 0 && count_devices(&count) == 0 && count > 0;
  return is_there ? "" : "the driver lists no device";
}

} // namespace assay::cli
