#pragma once
// The numbers of a compiled function and of one of its derivatives (core/trace), as the gradient check sees them.

#include "cli/check_request.hpp"
#include "core/jit/program.hpp"
#include <assay/testing/trace.hpp>

#include <functional>

namespace assay::cli {

class JitTracer : public testutils::Tracer {
public:
  /// Compiles; throws SubjectError where that cannot be done. `request` and `program` must outlive it. `before` and
  /// `after` are called around all that could crash.
  JitTracer(const CheckRequest &request, jit::Program &program, const testutils::Combination &combination,
            std::function<void()> before, std::function<void()> after);

  const std::vector<testutils::TraceSite> &sites() const override { return sites_; }
  testutils::PrimalOutcome evaluate(const testutils::Arguments &inputs, const testutils::Values &amounts,
                                    testutils::Trace &trace) override;
  testutils::DerivativeOutcome differentiate(const testutils::DerivativeRequest &request,
                                             testutils::Trace &trace) override;

private:
  const CheckRequest &request_;
  jit::Program &program_;
  std::function<void()> before_, after_;
  jit::TracedDerivative compiled_;
  std::vector<testutils::TraceSite> sites_;
  std::size_t usual_count_ = 0; ///< Of the numbers of the first run.
};

} // namespace assay::cli
