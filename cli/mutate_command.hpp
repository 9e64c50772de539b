#pragma once
// `assay mutate`: plants faults in derivatives or in rules, one at a time, and tells how many of them the gradient
// check finds.

#include "cli/check_command.hpp"
#include "cli/mutant.hpp"

namespace assay::cli {

struct MutateArguments {
  /// Without a file: the shipped examples and the programs of the mutation suite.
  CheckArguments check;
  enum class Where { derivatives, rules, registered } where = Where::derivatives;
  unsigned budget = 0; ///< How many mutants are drawn; 0: all.
  bool rest = false;   ///< Those that are not drawn.
  std::optional<jit::FaultClass> kind;
  std::string only; ///< One mutant, by its id; empty: all.
  std::optional<std::filesystem::path> report;
  double at_least = 0.99;
  unsigned jobs = 1;
};

/// Throws jit::BadRequest where nothing can be planted.
ExitCode run_mutate(const MutateArguments &arguments);

} // namespace assay::cli
