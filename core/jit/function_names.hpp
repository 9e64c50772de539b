#pragma once
// Finds a function by the name that its author gave it: `dot`, `physics::energy`, `scale<double>`, `f(double)`.

#include <string>
#include <string_view>
#include <vector>

namespace assay::jit {

/// `physics::energy(double*, int)` for `_ZN7physics6energyEPdi`; C names as they are; Rust's hash suffix dropped.
std::string readable_name(std::string_view linkage_name);

/// The same without parameters and, for a template, without the result's type: `physics::energy`, `scale<double>`.
std::string qualified_name(std::string_view linkage_name);

/// The linkage names among `candidates` that `name` can mean: those that it names in full, else those whose last parts
/// it is. One is a hit, several are ambiguous.
std::vector<std::string> functions_named(std::string_view name, const std::vector<std::string> &candidates);

/// The readable names closest to `name`, best first; at most three.
std::vector<std::string> names_near(std::string_view name, const std::vector<std::string> &candidates);

} // namespace assay::jit
