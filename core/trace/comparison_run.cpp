#include "core/trace/comparison_run.hpp"

#include <cmath>

namespace assay::trace {

static thread_local ComparisonRun *current_comparisons = nullptr;

ComparisonRun::ComparisonRun() : outer_(current_comparisons) {
  current_comparisons = this;
}

ComparisonRun::~ComparisonRun() {
  current_comparisons = outer_;
}

ComparisonRun *ComparisonRun::current() {
  return current_comparisons;
}

void ComparisonRun::enter(void **slots) {
  ComparisonRun *run = current_comparisons;
  if (setjmp(run->way_out_) == 0) // NOLINT(cert-err52-cpp): there is no way to throw through the program.
    run->program(slots);
  else
    run->was_cut_short_ = true;
}

static bool is_closer(const Comparison &comparison, const ComparisonSummary::Side &side) {
  const double distance = std::abs(comparison.left - comparison.right);
  const double known = std::abs(side.left - side.right);
  return side.count == 0 || distance < known || (std::isnan(known) && !std::isnan(distance));
}

void ComparisonRun::note(const Comparison &comparison) {
  if (comparisons_.size() < most_kept)
    comparisons_.push_back(comparison);
  if (comparison.site >= summaries_.size())
    summaries_.resize(comparison.site + 1);
  ComparisonSummary::Side &side = summaries_[comparison.site].sides[comparison.outcome ? 1 : 0];
  if (is_closer(comparison, side)) {
    side.left = comparison.left;
    side.right = comparison.right;
  }
  ++side.count;
  if (++count_ > most_counted)
    std::longjmp(way_out_, 1); // NOLINT(cert-err52-cpp)
}

namespace {

void assay_trace_comparison(std::uint32_t site, double left, double right, std::uint32_t outcome) {
  if (ComparisonRun *run = ComparisonRun::current())
    run->note({site, left, right, outcome != 0});
}

} // namespace

NamedFunctions comparison_symbols() {
  return {named_function("assay_trace_comparison", assay_trace_comparison)};
}

} // namespace assay::trace
