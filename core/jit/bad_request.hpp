#pragma once
// A request that cannot be served: nothing is wrong with a gradient, nothing was checked.

#include <stdexcept>
#include <string>
#include <utility>

namespace assay::jit {

/// `what()` is one line that says why and what would work; `details` may hold a compiler's own messages.
struct BadRequest : std::runtime_error {
  explicit BadRequest(const std::string &line, std::string details = {})
      : std::runtime_error(line), details(std::move(details)) {}
  std::string details;
};

} // namespace assay::jit
