#include "cli/jit_calls.hpp"

#include "cli/primal_call.hpp"

namespace assay::cli {

testutils::PrimalOutcome call_function(const CheckRequest &request, const jit::Program &program, jit::Entry entry,
                                       const testutils::Arguments &inputs) {
  PrimalCall call(request, program, entry, inputs);
  program.reset();
  call.run();
  return call.outcome();
}

testutils::DerivativeOutcome call_derivative(const CheckRequest &request, const jit::Program &program, jit::Entry entry,
                                             const testutils::DerivativeRequest &derivative) {
  DerivativeCall call(request, program, entry, derivative);
  program.reset();
  call.run();
  return call.outcome();
}

} // namespace assay::cli
