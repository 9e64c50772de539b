#pragma once
// A source file that exists for one test.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace assay::test {

class ScratchFile {
public:
  ScratchFile(const std::string &name, const std::string &text) {
    std::string pattern = (std::filesystem::temp_directory_path() / "assay-test-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    path = folder_ / name;
    std::ofstream(path) << text;
  }
  ~ScratchFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  ScratchFile(const ScratchFile &) = delete;
  ScratchFile &operator=(const ScratchFile &) = delete;

  std::filesystem::path path;

private:
  std::filesystem::path folder_;
};

} // namespace assay::test
