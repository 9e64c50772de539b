// Calls of the function and of the derivative in turn, so that what slows the machine down for a while slows both. They
// run without the watches of the check, each from the same variables and numbers; the first of each warms caches up and
// does not count. Where these two take long, nothing is timed.

#include "cli/call_limits.hpp"
#include "cli/jit_subject.hpp"
#include "cli/primal_call.hpp"

#include <chrono>

namespace assay::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_calls = 15, fewest_calls = 3;
constexpr std::chrono::milliseconds enough(20), too_long(300);

template <typename Call, typename Numbers>
double nanoseconds(const jit::Program &program, Call &call, const Numbers &numbers) {
  program.reset();
  call.refill(numbers);
  const LimitedCall limited;
  const Clock::time_point begin = Clock::now();
  call.run_alone();
  return std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
}

} // namespace

std::optional<testutils::CallTimes> JitSubject::time_calls(const testutils::DerivativeRequest &request) {
  if (request_.function.launch) // An emulated kernel's time says nothing of a device's.
    return std::nullopt;
  const jit::Entry entry = compiled(request);
  PrimalCall function(request_, program_, program_.function(), request.inputs);
  DerivativeCall derivative(request_, program_, entry, request);
  const double first = nanoseconds(program_, function, request.inputs) + nanoseconds(program_, derivative, request);
  if (first > std::chrono::duration<double, std::nano>(too_long).count())
    return std::nullopt;
  testutils::CallTimes times;
  for (const Clock::time_point begin = Clock::now();
       times.function.size() < most_calls && (times.function.size() < fewest_calls || Clock::now() - begin < enough);) {
    times.function.push_back(nanoseconds(program_, function, request.inputs));
    times.derivative.push_back(nanoseconds(program_, derivative, request));
  }
  return times;
}

} // namespace assay::cli
