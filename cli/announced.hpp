#pragma once

#include <functional>

namespace assay::cli {

/// Calls `before` and, at its end, `after`, around code that may end the process. Both outlive it; either may be empty.
class Announced {
public:
  Announced(const std::function<void()> &before, const std::function<void()> &after) : after_(after) {
    if (before)
      before();
  }
  ~Announced() {
    if (after_)
      after_();
  }
  Announced(const Announced &) = delete;
  Announced &operator=(const Announced &) = delete;

private:
  const std::function<void()> &after_;
};

} // namespace assay::cli
