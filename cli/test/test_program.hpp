#pragma once

#include <string>

namespace assay::cli::test {

/// A program that tests are about, in cli/test/programs.
inline std::string program(const std::string &name) {
  return std::string(ASSAY_PROGRAMS) + "/" + name;
}

} // namespace assay::cli::test
