#pragma once

#include "bench/kernel.hpp"

#include <string>

namespace assay::bench {

/// Inputs and a direction for a kernel, the same ones in every run.
Problem make_problem(const Kernel &kernel);

/// Compares the gradient, the directional derivative and a finite difference with each other. Empty when they agree,
/// else a sentence.
std::string disagreement(const Kernel &kernel);

} // namespace assay::bench
