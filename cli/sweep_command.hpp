#pragma once
// `assay sweep`: does the gradient check call right derivatives wrong? It runs on random functions, most of them
// smooth, some with kinks, jumps, poles and short scales at the point or beside it.

#include "cli/sweep_trial.hpp"

namespace assay::cli {

struct SweepArguments {
  SweepSettings settings;
  std::uint32_t functions = 1000; ///< Smooth ones, in each precision.
  std::uint32_t planted = 100;    ///< With each feature, in each precision.
  std::vector<gen::functions::Precision> precisions{gen::functions::Precision::real32,
                                                    gen::functions::Precision::real64};
  std::string only; ///< One function, as `smooth/double/17`; empty: all.
  unsigned jobs = 1;
};

/// Throws jit::BadRequest where nothing could be checked.
ExitCode run_sweep(const SweepArguments &arguments);

} // namespace assay::cli
