#pragma once
// Whose code a function is, by its linkage name.

#include <string_view>

namespace assay {

/// In the namespaces `std` and `__gnu_cxx`; the readable name of a template's instance begins with its result's type.
inline bool is_of_standard_library(std::string_view linkage_name) {
  if (!linkage_name.starts_with("_ZN"))
    return linkage_name.starts_with("_ZS");
  linkage_name.remove_prefix(linkage_name.starts_with("_ZNK") ? 4 : 3);
  return linkage_name.starts_with("S") || linkage_name.starts_with("9__gnu_cxx");
}

} // namespace assay
