#include "testutils/lasting_caches.hpp"

#include "testutils/check_run.hpp"
#include "testutils/consult.hpp"
#include "testutils/reassess.hpp"

#include <fmt/format.h>

namespace assay::testutils {

namespace {

struct FreshCalls {
  Stage &stage;
  const Combination &combination;
  unsigned used = 0;

  /// Inputs like those of the point, at which no derivative of this mode was called before.
  Arguments next() {
    constexpr double part = 0x1.3c6ef372fe94fp-7, step = part / 32;
    const unsigned number = 2 * used++ + (combination.mode == Mode::reverse ? 1 : 0);
    return grown(stage.subject.signature(), stage.point.inputs, 1 + part + number * step);
  }

  std::vector<AlikeCall> calls_before(const Arguments &inputs) const {
    CheckOptions options = stage.options;
    options.earlier_calls = 0;
    std::vector<AlikeCall> calls = alike_calls(stage.subject.signature(), inputs, options, stage.name.sample);
    std::erase_if(calls, [&](const AlikeCall &call) { return !stage.earlier.can_be_run(call.inputs); });
    return calls;
  }

  void call(const Arguments &inputs) {
    try {
      static_cast<void>(stage.subject.differentiate(stage.earlier.request_at(combination, inputs)));
    } catch (const SubjectError &) { // There is no derivative for a cache to keep.
    }
  }

  /// The finding that the derivative is wrong there.
  std::optional<Finding> failure_at(const Arguments &inputs) {
    const DerivativeRequest request = stage.earlier.request_at(combination, inputs);
    const DerivativeOutcome outcome = stage.subject.differentiate(request);
    Stage there(stage.subject, inputs, stage.options, stage.name.sample);
    if (there.point.verdict != Verdict::pass)
      return std::nullopt;
    Opinion opinion = reassess(there, request, outcome, consult(there, request, outcome));
    return opinion.finding.verdict == Verdict::wrong_derivative ? std::optional(std::move(opinion.finding))
                                                                : std::nullopt;
  }

  /// Which of the calls before makes a derivative wrong, at further inputs.
  std::optional<std::string> culprit() {
    const std::size_t count = calls_before(next()).size();
    for (std::size_t number = 0; number < count; ++number) {
      const Arguments inputs = next();
      const std::vector<AlikeCall> calls = calls_before(inputs);
      if (number >= calls.size())
        break;
      call(calls[number].inputs);
      if (failure_at(inputs))
        return calls[number].where;
    }
    return std::nullopt;
  }
};

/// Of rules whose calls follow each other as in the user's program; where the function shows earlier calls itself,
/// there is nothing to ask.
bool is_asked(Stage &stage, const Combination &combination) {
  return !stage.subject.puts_variables_back() && stage.earlier.is_first_point() &&
         !stage.subject.rules(combination).empty() && is_plainest(stage.subject.signature(), combination) &&
         !stage.earlier.is_seen_by_function(Succession::Memory::other);
}

} // namespace

Finding check_lasting_caches(Stage &stage, const DerivativeRequest &request) {
  Finding finding{Verdict::pass, "calls in a row", {}, {}, 0};
  if (!is_asked(stage, request.combination))
    return finding;
  try {
    FreshCalls fresh{stage, request.combination};
    const Arguments inputs = fresh.next();
    if (!stage.earlier.can_be_run(inputs))
      return finding;
    for (const AlikeCall &before : fresh.calls_before(inputs))
      fresh.call(before.inputs);
    std::optional<Finding> failure = fresh.failure_at(inputs);
    if (!failure)
      return finding;
    if (std::optional<Finding> alone = fresh.failure_at(fresh.next()))
      return *std::move(alone);
    failure->check = finding.check;
    failure->verdict = Verdict::wrong_state;
    failure->detail =
        fmt::format("after a call at {} the derivative is wrong where it was not called before: something "
                    "is kept that is taken for these inputs",
                    fresh.culprit().value_or("inputs that a cache may take for others"));
    return *std::move(failure);
  } catch (const SubjectError &) { // So close to an edge of its domain the function has no such inputs.
    return finding;
  }
}

} // namespace assay::testutils
