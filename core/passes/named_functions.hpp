#pragma once
// Functions of this program that generated code calls: by name and address, for whoever links it.

#include <string_view>
#include <utility>
#include <vector>

namespace assay {

using NamedFunction = std::pair<std::string_view, void *>;
using NamedFunctions = std::vector<NamedFunction>;

template <class Function>
NamedFunction named_function(std::string_view name, Function *function) {
  return {name, reinterpret_cast<void *>(function)};
}

} // namespace assay
