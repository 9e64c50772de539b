#include "cli/installation.hpp"

namespace assay::cli {

namespace {

namespace fs = std::filesystem;

fs::path binary_directory() {
  return fs::read_symlink("/proc/self/exe").parent_path();
}

/// In an installation what stands beside `bin`, in a build tree what stands in the sources.
fs::path first_existing(const fs::path &installed, const fs::path &source) {
  std::error_code ignored;
  const fs::path here = binary_directory();
  const fs::path candidate = (here / installed).lexically_normal();
  return fs::exists(candidate, ignored) ? candidate : (here / ASSAY_SOURCE_FROM_BINARY / source).lexically_normal();
}

} // namespace

fs::path include_directory() {
  return first_existing(fs::path("..") / ASSAY_INSTALL_INCLUDE / "assay", "core/include/assay").parent_path();
}

fs::path examples_directory() {
  return first_existing(fs::path("..") / ASSAY_INSTALL_DATA / "assay/examples", "examples");
}

fs::path mutation_directory() {
  return first_existing(fs::path("..") / ASSAY_INSTALL_DATA / "assay/mutation", "suites/mutation");
}

fs::path plugin_file() {
  std::error_code ignored;
  const fs::path installed =
      (binary_directory() / ".." / ASSAY_INSTALL_LIBRARIES / "assay-plugin.so").lexically_normal();
  return fs::exists(installed, ignored) ? installed : binary_directory().parent_path() / "lib/assay-plugin.so";
}

std::optional<fs::path> frontend_file() {
  std::error_code ignored;
  const fs::path file = plugin_file().parent_path() / "assay-frontend.so";
  return fs::exists(file, ignored) ? std::optional(file) : std::nullopt;
}

fs::path library(const std::string &name) {
  std::error_code ignored;
  const std::string file = "libassay-" + name + ".a";
  const fs::path installed = (binary_directory() / ".." / ASSAY_INSTALL_LIBRARIES / file).lexically_normal();
  return fs::exists(installed, ignored) ? installed : binary_directory().parent_path() / "lib" / file;
}

std::optional<fs::path> build_directory() {
  std::error_code ignored;
  const fs::path candidate = binary_directory().parent_path();
  if (fs::exists(candidate / "CTestTestfile.cmake", ignored))
    return candidate;
  return std::nullopt;
}

} // namespace assay::cli
