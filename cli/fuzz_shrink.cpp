#include "cli/fuzz_shrink.hpp"

#include "generators/programs/shrink.hpp"

#include <algorithm>

namespace assay::cli {

namespace {

namespace programs = gen::programs;

/// Candidates are compiled together; a compiler that crashes shows only one of them.
std::size_t batch_size(const FuzzOutcome &outcome) {
  const bool in_compiler = outcome.verdict == FuzzVerdict::diagnostic ||
                           outcome.verdict == FuzzVerdict::compiler_crash ||
                           outcome.verdict == FuzzVerdict::compiler_timeout;
  return in_compiler ? 3 : 8;
}

class Shrinker {
public:
  Shrinker(FuzzBench &bench, FuzzFailure failure, std::chrono::seconds budget)
      : bench_(bench), failure_(std::move(failure)), deadline_(std::chrono::steady_clock::now() + budget) {}

  FuzzFailure run() {
    edits_ = programs::edits_of(failure_.program);
    std::size_t fruitless = 0;
    while (fruitless < edits_.size() && std::chrono::steady_clock::now() < deadline_) {
      const std::size_t before = next_;
      const std::vector<programs::Program> candidates = next_candidates(edits_.size() - fruitless);
      fruitless += seen_;
      if (candidates.empty() || !adopt_one(candidates))
        continue;
      edits_ = programs::edits_of(failure_.program);
      next_ = std::min(before, edits_.size() - 1);
      fruitless = 0;
    }
    return std::move(failure_);
  }

private:
  std::vector<programs::Program> next_candidates(std::size_t most_edits) {
    std::vector<programs::Program> candidates;
    seen_ = 0;
    while (seen_ < most_edits && candidates.size() < batch_size(failure_.outcome)) {
      if (auto candidate = programs::apply(edits_[next_], failure_.program))
        candidates.push_back(std::move(*candidate));
      next_ = (next_ + 1) % edits_.size();
      ++seen_;
    }
    return candidates;
  }

  bool adopt_one(const std::vector<programs::Program> &candidates) {
    bench_.prepare(candidates);
    const std::vector<FuzzOutcome> outcomes = bench_.test(failure_.level);
    const programs::Program *best = nullptr;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const bool same =
          outcomes[i].verdict == failure_.outcome.verdict && outcomes[i].kind() == failure_.outcome.kind();
      if (same && (!best || programs::size_of(candidates[i]) < programs::size_of(*best)))
        best = &candidates[i];
    }
    if (best) {
      failure_.outcome = outcomes[static_cast<std::size_t>(best - candidates.data())];
      failure_.program = *best;
    }
    return best != nullptr;
  }

  FuzzBench &bench_;
  FuzzFailure failure_;
  std::chrono::steady_clock::time_point deadline_;
  std::vector<programs::Edit> edits_;
  std::size_t next_ = 0, seen_ = 0;
};

} // namespace

FuzzFailure shrink(FuzzBench &bench, FuzzFailure failure, std::chrono::seconds budget) {
  return Shrinker(bench, std::move(failure), budget).run();
}

} // namespace assay::cli
