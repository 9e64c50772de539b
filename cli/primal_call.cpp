#include "cli/primal_call.hpp"

#include <algorithm>
#include <iterator>

namespace assay::cli {

PrimalCall::PrimalCall(const CheckRequest &request, const jit::Program &program, jit::Entry entry,
                       const testutils::Arguments &inputs, const std::vector<bool> &poisoned)
    : program_(program), entry_(entry), frame_(request, {inputs.size(), 0}) {
  frame_.place_inputs(inputs, poisoned);
  frame_.place_result();
}

void PrimalCall::refill(const testutils::Arguments &inputs) {
  frame_.poison_all();
  for (std::size_t index = 0; index < inputs.size(); ++index)
    frame_.assign(frame_.layout.parameter(index), inputs[index]);
}

void PrimalCall::run(testutils::Watched watched) {
  watching_ = run_watched(program_, entry_, watched, [&] { frame_.call(entry_); });
}

testutils::PrimalOutcome PrimalCall::outcome() {
  testutils::PrimalOutcome outcome;
  outcome.heap = watching_.heap;
  outcome.environment = watching_.environment.changes;
  outcome.left_range = watching_.environment.left_range;
  outcome.violations = frame_.violations();
  std::ranges::copy(watching_.damage, std::back_inserter(outcome.violations));
  outcome.result = frame_.at(frame_.layout.result());
  outcome.contents = frame_.contents();
  return outcome;
}

} // namespace assay::cli
