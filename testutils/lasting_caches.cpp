#include "testutils/lasting_caches.hpp"

#include "testutils/check_run.hpp"
#include "testutils/consult.hpp"
#include "testutils/reassess.hpp"

#include <fmt/format.h>

namespace assay::testutils {

namespace {

constexpr unsigned attempts = 3; // Inputs may lie on both sides of the edge between two keys.

struct FreshCalls {
  Stage &stage;
  const Combination &combination;
  unsigned used = 0;

  /// Inputs like those of the point, at which no derivative of this mode was called before.
  Arguments next() {
    constexpr double part = 0x1.3c6ef372fe94fp-7, step = part / 6; // A key may have three digits.
    const unsigned number = 2 * used++ + (combination.mode == Mode::reverse ? 1 : 0);
    return grown(stage.subject.signature(), stage.point.inputs, 1 + part + number * step);
  }

  std::vector<AlikeCall> calls_before(const Arguments &inputs) const {
    CheckOptions options = stage.options;
    options.earlier_calls = 0;
    std::vector<AlikeCall> calls = alike_calls(stage.subject.signature(), inputs, options, stage.name.sample);
    // An oracle tells more than a millionth from nothing. The first of what is alike is kept, or the last.
    const auto beside = [&](double part) {
      return AlikeCall{"inputs that differ by a small part", grown(stage.subject.signature(), inputs, 1 + part), {}};
    };
    calls.insert(calls.begin(), beside(0x1p-13));
    calls.push_back(beside(0x1p-21));
    std::erase_if(calls, [&](const AlikeCall &call) { return !stage.earlier.can_be_run(call.inputs); });
    return calls;
  }

  /// In wide arithmetic a derivative is computed by other code, which has not kept anything.
  bool sees_what_is_kept() const { return !stage.subject.puts_variables_back(); }

  static Oracle &closest_oracle(Stage &there) {
    if (there.options.oracle != OracleChoice::finite_differences && there.precise.covers())
      return there.precise;
    return there.oracle;
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
    Finding finding = sees_what_is_kept()
                          ? reassess(there, request, outcome, consult(there, request, outcome)).finding
                          : check_against_oracle(closest_oracle(there), request, outcome, stage.options);
    if (finding.verdict != Verdict::wrong_derivative)
      return std::nullopt;
    // A function that branches may be smooth to differences alone, which see what is as far apart as these calls.
    const bool is_right_to_differences =
        !sees_what_is_kept() &&
        check_against_oracle(there.oracle, request, outcome, stage.options).verdict == Verdict::pass;
    return is_right_to_differences ? std::nullopt : std::optional(std::move(finding));
  }

  /// Which of the calls before makes a derivative wrong, at further inputs.
  std::optional<std::string> culprit() {
    const std::size_t count = calls_before(next()).size();
    for (std::size_t attempt = 0; attempt < attempts * count; ++attempt) {
      const std::size_t number = attempt % count;
      const Arguments inputs = next();
      const std::vector<AlikeCall> calls = calls_before(inputs);
      if (number >= calls.size())
        continue;
      call(calls[number].inputs);
      if (failure_at(inputs))
        return calls[number].where;
    }
    return std::nullopt;
  }
};

/// Of rules, whose calls follow each other as in the user's program, or keep objects that are never put back; where
/// the function shows earlier calls itself, there is nothing to ask.
bool is_asked(Stage &stage, const Combination &combination) {
  return stage.earlier.is_first_point() && !stage.subject.rules(combination).empty() &&
         is_plainest(stage.subject.signature(), combination) &&
         !stage.earlier.is_seen_by_function(Succession::Memory::other);
}

} // namespace

Finding check_lasting_caches(Stage &stage, const DerivativeRequest &request) {
  Finding finding{Verdict::pass, "calls in a row", {}, {}, 0};
  if (!is_asked(stage, request.combination))
    return finding;
  try {
    FreshCalls fresh{stage, request.combination};
    std::optional<Finding> failure;
    for (unsigned attempt = 0; attempt < attempts && !failure; ++attempt) {
      const Arguments inputs = fresh.next();
      if (!stage.earlier.can_be_run(inputs))
        return finding;
      for (const AlikeCall &before : fresh.calls_before(inputs))
        fresh.call(before.inputs);
      failure = fresh.failure_at(inputs);
    }
    if (!failure)
      return finding;
    if (std::optional<Finding> alone = fresh.failure_at(fresh.next()))
      return fresh.sees_what_is_kept() ? *std::move(alone) : finding; // Elsewhere rounding is told from faults.
    const std::optional<std::string> culprit = fresh.culprit();
    if (!culprit && !fresh.sees_what_is_kept()) // It may have been rounding.
      return finding;
    failure->check = finding.check;
    failure->verdict = Verdict::wrong_state;
    failure->detail =
        fmt::format("after a call at {} the derivative is wrong where it was not called before: something "
                    "is kept that is taken for these inputs",
                    culprit.value_or("inputs that a cache may take for others"));
    return *std::move(failure);
  } catch (const SubjectError &) { // So close to an edge of its domain the function has no such inputs.
    return finding;
  }
}

} // namespace assay::testutils
