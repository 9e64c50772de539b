#pragma once
// The report of a run of `assay mutate`, on the console and as JSON lines.

#include "cli/console.hpp"
#include "cli/load_functions.hpp"
#include "cli/mutant.hpp"

namespace assay::cli {

struct MutationTotals {
  std::size_t killed = 0, same_code = 0, same_numbers = 0, survived = 0, not_planted = 0;

  std::size_t planted() const { return killed + same_code + same_numbers + survived; }
  /// Of the mutants that are not equivalent.
  double score() const;
};

MutationTotals totals_of(const std::vector<JudgedMutant> &mutants);

void show_mutants(Console &console, const std::vector<JudgedMutant> &mutants,
                  const std::deque<FunctionToCheck> &functions);

/// mutants.jsonl in `folder`. Throws BadRequest where that cannot be written.
void write_mutants(const std::filesystem::path &folder, const std::vector<JudgedMutant> &mutants,
                   const std::deque<FunctionToCheck> &functions);

} // namespace assay::cli
