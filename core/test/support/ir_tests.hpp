#pragma once
// The files of a folder of core/test/ir: one for each pass, with its name.

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <filesystem>
#include <string>
#include <vector>

namespace assay::test {

/// Where files and `passes` do not belong together, said in a line for each. `folder` is one of core/test/ir.
inline std::vector<std::string> misplaced_ir_tests(const std::string &folder,
                                                   const std::vector<llvm::StringRef> &passes) {
  const std::string place = "core/test/ir/" + folder + "/";
  const std::filesystem::path root(ASSAY_IR_TESTS);
  std::vector<std::string> faults;
  for (const llvm::StringRef pass : passes)
    if (!std::filesystem::exists(root / folder / (pass.str() + ".ll")))
      faults.push_back(place + pass.str() + ".ll is missing");
  for (const auto &entry : std::filesystem::directory_iterator(root / folder))
    if (entry.path().extension() == ".ll" && !llvm::is_contained(passes, entry.path().stem().string()))
      faults.push_back(place + entry.path().filename().string() + " has the name of no pass");
  return faults;
}

} // namespace assay::test
