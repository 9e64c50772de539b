#pragma once
// A folder for files that nobody else sees.

#include <filesystem>

namespace assay::jit {

/// Lives as long as the object. Throws BadRequest where none can be made.
class ScratchFolder {
public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;
  std::string file(const char *name) const { return (path_ / name).string(); }

private:
  std::filesystem::path path_;
};

} // namespace assay::jit
