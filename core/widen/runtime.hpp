#pragma once
// The functions that widened code calls, by name and address, for whoever links it.

#include <string_view>
#include <utility>
#include <vector>

namespace assay::widen {

std::vector<std::pair<std::string_view, void *>> runtime_symbols();

} // namespace assay::widen
