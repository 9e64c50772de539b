#pragma once
// The functions that widened code calls.

#include "core/passes/named_functions.hpp"

namespace assay::widen {

NamedFunctions runtime_symbols();

} // namespace assay::widen
