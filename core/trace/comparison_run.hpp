#pragma once
// One run of a program that records its comparisons (comparisons.hpp) on this thread:
//
//   ComparisonRun run;
//   run.program = entry;
//   ComparisonRun::enter(slots);
//   run.comparisons();    // in order, the first of them
//   run.summaries();      // of all of them, by site

#include "core/passes/named_functions.hpp"
#include <array>
#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::trace {

struct Comparison {
  std::uint32_t site = 0;
  double left = 0, right = 0; ///< Integers beyond 2^53 are rounded.
  bool outcome = false;
};

/// The comparisons of one site in a run.
struct ComparisonSummary {
  /// Those with one outcome.
  struct Side {
    std::size_t count = 0;
    double left = 0, right = 0; ///< Of the one whose operands were closest; NaNs are far from all.
  };
  std::array<Side, 2> sides; ///< By the outcome.
};

class ComparisonRun {
public:
  static constexpr std::size_t most_kept = 1U << 12U;

  ComparisonRun();
  ~ComparisonRun();
  ComparisonRun(const ComparisonRun &) = delete;
  ComparisonRun &operator=(const ComparisonRun &) = delete;

  using Entry = void (*)(void **slots);
  Entry program = nullptr;
  /// Calls the program of the current run.
  static void enter(void **slots);

  /// A program that compares more often is left where it is, and nothing of it is cleaned up.
  std::size_t most_counted = std::size_t{1} << 24U;

  const std::vector<Comparison> &comparisons() const { return comparisons_; }
  /// By the number of the site; those behind the end were not reached.
  const std::vector<ComparisonSummary> &summaries() const { return summaries_; }
  std::size_t count() const { return count_; }
  bool was_cut_short() const { return was_cut_short_; }

  // What follows is for the program.

  static ComparisonRun *current();
  void note(const Comparison &comparison);

private:
  ComparisonRun *outer_;
  std::vector<Comparison> comparisons_;
  std::vector<ComparisonSummary> summaries_;
  std::size_t count_ = 0;
  bool was_cut_short_ = false;
  std::jmp_buf way_out_ = {};
};

/// The functions that recording programs call, by name.
NamedFunctions comparison_symbols();

} // namespace assay::trace
