// The function is called with other bytes beside its memory: small numbers, then NaNs. One that reads only its own
// gives the same bits.

#include "cli/memory_beside.hpp"

#include "cli/primal_call.hpp"
#include "testutils/numbers.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

namespace assay::cli {

namespace {

using testutils::Arguments;
using testutils::PrimalOutcome;

class Trials {
public:
  Trials(const CheckRequest &request, const jit::Program &program, const Arguments &inputs)
      : request_(request), program_(program), inputs_(inputs), usual_(with({})) {}

  bool changes(const std::vector<bool> &poisoned) const {
    const PrimalOutcome outcome = with(poisoned);
    return !testutils::same_bits(outcome.result, usual_.result) ||
           !testutils::same_bits(outcome.contents, usual_.contents);
  }

private:
  PrimalOutcome with(const std::vector<bool> &poisoned) const {
    PrimalCall call(request_, program_, program_.function(), inputs_, poisoned);
    program_.reset();
    call.run();
    return call.outcome();
  }

  const CheckRequest &request_;
  const jit::Program &program_;
  const Arguments &inputs_;
  PrimalOutcome usual_;
};

/// ` where n = 9`; empty without integers.
std::string sizes_of(const CheckRequest &request) {
  std::vector<std::string> integers;
  for (std::size_t index = 0; index < request.arguments.size(); ++index)
    if (const jit::ArgumentSpec &argument = request.arguments[index];
        !argument.is_pointer() && argument.integers.size() == 1)
      integers.push_back(fmt::format("{} = {}", request.function.parameters[index].name, argument.integers.front()));
  return integers.empty() ? "" : fmt::format(" where {}", fmt::join(integers, ", "));
}

} // namespace

std::optional<std::string> memory_read_beside(const CheckRequest &request, const jit::Program &program,
                                              const Arguments &inputs) {
  const Trials trials(request, program, inputs);
  if (!trials.changes(std::vector<bool>(inputs.size(), true)) || trials.changes({}))
    return std::nullopt;
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    std::vector<bool> only(inputs.size(), false);
    only[index] = true;
    if (request.arguments[index].is_pointer() && trials.changes(only))
      return fmt::format("the function itself reads beside the memory of '{}', which has {} elements{}, and its "
                         "result depends on the bytes there: no derivative is to blame; give larger extents",
                         request.function.parameters[index].name, request.arguments[index].elements(),
                         sizes_of(request));
  }
  return std::nullopt;
}

} // namespace assay::cli
