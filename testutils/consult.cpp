// The precise oracle is asked first. What it approves is right. What it rejects may be right but for its rounding
// (reassess.hpp); the rest goes to finite differences for a second opinion: only where these contradict it beyond their
// own error is it doubted, and then the answer is that the oracles disagree. A function that computes in float inside
// has derivatives that are good for float only: finite differences, which measure the function's noise, must reject
// them as well, unless the derivative's own code is wrong in wide arithmetic, where nothing is rounded. Where it does
// not cover the code, or the point lies on the edge of a branch, finite differences decide.

#include "testutils/consult.hpp"

#include "testutils/reassess.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace assay::testutils {

namespace {

// Finite differences that cannot tell get a second chance closer to the point.
Finding by_finite_differences(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &outcome) {
  const std::size_t edges = stage.precise.covers() ? stage.precise.edges() : 0;
  Finding finding = check_against_oracle(stage.oracle, request, outcome, stage.options, edges);
  if (finding.verdict != Verdict::oracle_unreliable)
    return finding;
  Finding closer = check_against_oracle(stage.closer, request, outcome, stage.options, edges);
  return closer.verdict == Verdict::pass ? closer : finding;
}

/// Beside small numbers a function may vary on their scale, where differences with usual steps see a kink.
Finding by_closest_differences(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &outcome) {
  constexpr double part = 1.0 / 64;
  fdm::FiniteDifferenceMethod method = stage.options.finite_differences;
  for (const Values &values : stage.point.inputs)
    for (const double value : values)
      if (value != 0 && std::isfinite(value))
        method.options.max_range = std::min(method.options.max_range, part * std::abs(value));
  FiniteDifferenceOracle closest(stage.subject, stage.point, method);
  return check_against_oracle(closest, request, outcome, stage.options);
}

/// A number of which the other oracle says otherwise, with certainty.
const Comparison *contradicted(const Finding &finding, const Finding &other) {
  for (const Comparison &row : finding.worst) {
    if (row.absolute_error <= row.tolerance)
      continue;
    const auto same = std::find_if(other.worst.begin(), other.worst.end(),
                                   [&](const Comparison &candidate) { return candidate.path == row.path; });
    if (same != other.worst.end() && std::abs(same->expected - row.expected) > same->tolerance)
      return &*same;
  }
  return nullptr;
}

/// Whether each number that fails is an exact zero to the oracle: so close to the point the function is constant, as
/// what an iteration finds, or what is cut off beside zero, which tells nothing of it where usual differences agree.
bool sees_constant(const Finding &finding) {
  return std::all_of(finding.worst.begin(), finding.worst.end(),
                     [](const Comparison &row) { return !(row.absolute_error > row.tolerance) || row.expected == 0; });
}

/// Whether every number that fails is nearer to this oracle's than the two oracles are to each other.
bool are_farther_apart(const Finding &finding, const Finding &other) {
  return std::all_of(finding.worst.begin(), finding.worst.end(), [&](const Comparison &row) {
    const auto same = std::find_if(other.worst.begin(), other.worst.end(),
                                   [&](const Comparison &candidate) { return candidate.path == row.path; });
    return row.absolute_error <= row.tolerance ||
           (same != other.worst.end() && row.absolute_error <= std::abs(same->expected - row.expected));
  });
}

/// The other oracle's numbers join those of the finding.
void set_beside(Finding &finding, const Finding &other) {
  for (Comparison &row : finding.worst) {
    const auto same = std::find_if(other.worst.begin(), other.worst.end(),
                                   [&](const Comparison &candidate) { return candidate.path == row.path; });
    if (same == other.worst.end())
      continue;
    row.second = same->expected;
    row.second_error = same->oracle_error;
  }
}

Opinion with_second_opinion(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &outcome,
                            Opinion opinion) {
  Finding finding = std::move(opinion.finding);
  const bool may_be_rounding = finding.coarse && !opinion.is_wrong_in_wide;
  Finding second = by_finite_differences(stage, request, outcome);
  const std::string oracle(stage.precise.name());
  const std::string other(stage.oracle.name());
  const Comparison *contradiction = contradicted(finding, second);
  if (Finding closest;
      contradiction &&
      (closest = by_closest_differences(stage, request, outcome)).verdict == Verdict::wrong_derivative &&
      !(second.verdict == Verdict::pass && sees_constant(closest))) {
    second = std::move(closest);
    contradiction = contradicted(finding, second);
  }
  const bool is_between = contradiction && are_farther_apart(finding, second);
  if ((second.verdict == Verdict::wrong_derivative && !is_between) || (!may_be_rounding && !contradiction)) {
    set_beside(finding, second);
    return {std::move(finding), oracle, {}, other, true};
  }
  const std::string words = contradiction
                                ? fmt::format("the oracles disagree at {}: {} give {:.12g}, {} contradicts them",
                                              contradiction->path, other, contradiction->expected, oracle)
                                : "";
  set_beside(second, finding);
  if (may_be_rounding)
    return {std::move(second), other, {"the function computes in float"}, oracle};
  second.verdict = Verdict::oracle_unreliable;
  second.detail = words;
  return {std::move(second), oracle + " and " + other, {}, oracle};
}

} // namespace

Opinion consult(Stage &stage, const DerivativeRequest &request, const DerivativeOutcome &outcome) {
  const auto finite_differences = [&](std::vector<std::string> reasons) {
    return Opinion{by_finite_differences(stage, request, outcome), std::string(stage.oracle.name()),
                   std::move(reasons)};
  };
  const OracleChoice choice = stage.options.oracle;
  if (choice == OracleChoice::finite_differences)
    return finite_differences({});
  const auto reasons = [&] {
    const std::string excuse = stage.precise.is_offered() ? stage.precise.excuse() : "";
    return excuse.empty() ? std::vector<std::string>() : std::vector{excuse};
  };
  if (choice == OracleChoice::automatic && !stage.precise.covers())
    return finite_differences(reasons());

  Finding finding = check_against_oracle(stage.precise, request, outcome, stage.options);
  if (choice == OracleChoice::automatic && finding.verdict == Verdict::oracle_unreliable) {
    const std::vector<std::string> known = reasons();
    return finite_differences(known.empty() ? std::vector{finding.detail} : known);
  }
  if (choice == OracleChoice::automatic && finding.verdict == Verdict::wrong_derivative) {
    Opinion again =
        reassess(stage, request, outcome, {std::move(finding), std::string(stage.precise.name()), reasons()});
    if (again.finding.verdict != Verdict::wrong_derivative || again.finding.lost) // Right, with too few digits.
      return again;
    return with_second_opinion(stage, request, outcome, std::move(again));
  }
  return {std::move(finding), std::string(stage.precise.name()), reasons()};
}

} // namespace assay::testutils
