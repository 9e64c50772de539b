#pragma once
// One call of the function itself with its memory, which further calls may use again.

#include "cli/derivative_call.hpp"

namespace assay::cli {

class PrimalCall {
public:
  /// Request and program must outlive the call. NaNs stand beside the memory of parameters that are `poisoned`.
  PrimalCall(const CheckRequest &request, const jit::Program &program, jit::Entry entry,
             const testutils::Arguments &inputs, const std::vector<bool> &poisoned = {});

  /// The next call has these numbers in the same memory.
  void refill(const testutils::Arguments &inputs);
  void run(testutils::Watched watched = testutils::Watched::arithmetic);
  /// Without watches.
  void run_alone() { frame_.call_alone(entry_); }
  testutils::PrimalOutcome outcome();
  const CallFrame &frame() const { return frame_; }
  void watch_writes() { frame_.watch_writes(); }
  const testutils::EnvironmentReport &environment() const { return watching_.environment; }
  /// Overwrites all that was passed.
  void poison() { frame_.poison_buffers(); }

private:
  const jit::Program &program_;
  jit::Entry entry_;
  CallFrame frame_;
  Watching watching_;
};

} // namespace assay::cli
