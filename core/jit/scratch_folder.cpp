#include "core/jit/scratch_folder.hpp"

#include "core/jit/bad_request.hpp"
#include <cstdlib>
#include <fmt/format.h>

namespace assay::jit {

ScratchFolder::ScratchFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "assay-XXXXXX").string();
  if (!mkdtemp(pattern.data()))
    throw BadRequest(fmt::format("cannot make a folder under {}", std::filesystem::temp_directory_path().string()));
  path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

} // namespace assay::jit
