#pragma once
// Specs in which integers are drawn or computed, and extents follow from them, become specs with numbers alone.

#include "core/jit/signature.hpp"

#include <functional>

namespace assay::jit {

/// Whether anything is to be drawn, computed or chosen from several points.
bool is_open(const ArgumentSpec &spec);

/// Chooses the value of an integer parameter, which is at `index`, from `low` to `high`. Of a set these are the ends,
/// and the member next to the chosen number counts.
using ChooseInteger = std::function<std::int64_t(std::size_t index, std::int64_t low, std::int64_t high)>;

/// One choice of all integers; each `;` list is taken at its `point`, the last where it has fewer. Nothing where a
/// range is empty for this choice. Ranges of arrays stay, with numbers as their ends: their elements are drawn at each
/// point. Throws BadRequest where a name is unknown or depends on itself, or an extent is negative or too large.
std::optional<std::vector<ArgumentSpec>> resolve_arguments(const FunctionSignature &function,
                                                           const std::vector<ArgumentSpec> &specs, std::size_t point,
                                                           const ChooseInteger &choose);

/// Of the parameters that formulas may name.
std::vector<std::string> integer_names(const FunctionSignature &function);

} // namespace assay::jit
