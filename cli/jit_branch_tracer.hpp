#pragma once
// The comparisons of a compiled function and of its derivatives (core/trace), as the gradient check sees them.

#include "cli/jit_calls.hpp"
#include <assay/testing/branches.hpp>

#include <functional>

namespace assay::cli {

class JitBranchTracer : public testutils::BranchTracer {
public:
  /// `code` was compiled for derivatives of these combinations, in their order. `request`, `signature` and `program`
  /// must outlive the tracer.
  JitBranchTracer(const CheckRequest &request, const testutils::Signature &signature, const jit::Program &program,
                  jit::RecordedComparisons code, std::vector<testutils::Combination> combinations);

  const std::vector<testutils::BranchSite> &sites() const override { return sites_; }
  std::optional<testutils::BranchTrace> trace(const testutils::Arguments &inputs) override;
  std::optional<testutils::BranchTrace> trace_other_calls(const testutils::Arguments &inputs) override;

private:
  /// False where there were too many.
  bool record(jit::Entry entry, const std::function<void(jit::Entry)> &call, testutils::BranchTrace &trace);
  bool record_other_calls(std::size_t index, const testutils::Arguments &inputs, testutils::BranchTrace &trace);
  testutils::DerivativeRequest request_for(const testutils::Combination &combination,
                                           const testutils::Arguments &inputs) const;

  const CheckRequest &request_;
  const testutils::Signature &signature_;
  const jit::Program &program_;
  jit::RecordedComparisons code_;
  std::vector<testutils::Combination> combinations_;
  std::vector<testutils::BranchSite> sites_;
  std::size_t usual_count_ = 0; ///< Of the comparisons of the first call.
};

} // namespace assay::cli
