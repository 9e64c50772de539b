#pragma once
// Makes a failing program as small as it gets while it fails in the same way.

#include "cli/fuzz_trial.hpp"

#include <chrono>

namespace assay::cli {

struct FuzzFailure {
  gen::programs::Program program;
  unsigned level = 0;
  FuzzOutcome outcome;
};

/// Deterministic as long as the budget is not used up.
FuzzFailure shrink(FuzzBench &bench, FuzzFailure failure, std::chrono::seconds budget);

} // namespace assay::cli
