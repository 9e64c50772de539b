#include "cli/new_thread_call.hpp"

#include "cli/call_frame.hpp"

#include <thread>

namespace assay::cli {

std::optional<testutils::DerivativeOutcome> call_in_new_thread(const CheckRequest &request, const jit::Program &program,
                                                               jit::Entry entry,
                                                               const testutils::DerivativeRequest &derivative) {
  if (program.has_thread_local_variables())
    return std::nullopt;
  const jit::GlobalState &variables = program.variables_of(entry);
  jit::GlobalState::Memory fresh;
  std::thread([&] { fresh = variables.memory_of_thread({}); }).join();
  program.reset();
  if (variables.memory_of_thread({}) == fresh)
    return std::nullopt;
  DerivativeCall call(request, program, entry, derivative);
  variables.put_memory_of_thread({}, fresh);
  const CallCircumstance circumstance("called from a thread that has just begun, whose thread-local variables nobody "
                                      "set before main, ");
  call.run();
  return call.outcome();
}

} // namespace assay::cli
