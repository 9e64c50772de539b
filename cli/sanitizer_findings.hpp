#pragma once
// Reports of AddressSanitizer, LeakSanitizer and UndefinedBehaviorSanitizer as findings with a place each.

#include <string>
#include <vector>

namespace assay::cli {

struct SanitizerFinding {
  std::string what;     ///< `stack-buffer-overflow, READ of size 8`, `signed integer overflow: ...`
  std::string place;    ///< `f.c:4:87`; empty: not known.
  std::string function; ///< `fwddiffe.f`; empty: not known.
  friend bool operator==(const SanitizerFinding &, const SanitizerFinding &) = default;
};

/// In their order, each place once.
std::vector<SanitizerFinding> sanitizer_findings(const std::string &output);

/// Without the map of shadow bytes and its legend.
std::string without_shadow_map(const std::string &output);

} // namespace assay::cli
