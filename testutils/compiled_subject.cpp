#include <assay/testing/compiled_subject.hpp>

#include "testutils/timed_effort.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace assay::testutils {

namespace {

Combination combination_of(const CombinationRow &row) {
  return {row.mode,  row.result, {row.arguments.begin(), row.arguments.end()},
          row.width, row.form,   row.runtime_activity};
}

bool can_be_run(Subject &subject, const Arguments &inputs) {
  try {
    static_cast<void>(subject.evaluate(inputs));
    return true;
  } catch (const SubjectError &) {
    return false;
  }
}

std::optional<unsigned> position_in(const std::vector<Combination> &all, const Combination &combination) {
  const auto found = std::find(all.begin(), all.end(), combination);
  return found == all.end() ? std::nullopt : std::optional(static_cast<unsigned>(found - all.begin()));
}

} // namespace

std::vector<Combination> combinations_of(std::span<const CombinationRow> rows) {
  std::vector<Combination> combinations;
  combinations.reserve(rows.size());
  for (const CombinationRow &row : rows)
    combinations.push_back(combination_of(row));
  return combinations;
}

CompiledSubject::CompiledSubject(SubjectNames subject_names, std::span<const CombinationRow> rows)
    : names(std::move(subject_names)), offers(combinations_of(rows)) {
  description.function = names.function;
  uses_rule(names.rule);
}

bool CompiledSubject::supports(const Combination &combination) const {
  return position_in(offers, combination).has_value();
}

std::string CompiledSubject::replay_command(std::uint64_t seed) const {
  return names.replay_suffix.empty() ? "" : "ASSAY_SEED=" + std::to_string(seed) + " " + names.replay_suffix;
}

void CompiledSubject::require_shape(const PrimalOutcome &outcome) const {
  if (description.result && outcome.result.size() != description.result->size())
    throw SubjectError(fmt::format("its result has another number of numbers here than at the inputs that were given, "
                                   "{} and {}",
                                   outcome.result.size(), description.result->size()));
  for (std::size_t index = 0; index < outcome.contents.size(); ++index)
    if (outcome.contents[index].size() < description.parameters[index].size())
      throw SubjectError(fmt::format("it leaves {} of the {} numbers of {}, and the derivatives of the others go with "
                                     "them: let it take a copy of the argument",
                                     outcome.contents[index].size(), description.parameters[index].size(),
                                     description.parameters[index].name));
}

unsigned CompiledSubject::offer_of(const Combination &combination) const {
  const std::optional<unsigned> offer = position_in(offers, combination);
  if (!offer)
    throw SubjectError("this test has no code for " + describe(description, combination));
  return *offer;
}

std::optional<CompiledSubject::CorrectedOffer> CompiledSubject::corrected_offer_of(Combination combination) const {
  combination.width = 1;
  combination.form = Form::combined;
  std::optional<unsigned> offer = position_in(corrected_offers, combination);
  if (!offer) {
    combination.runtime_activity = RuntimeActivity::off;
    offer = position_in(corrected_offers, combination);
  }
  if (!offer)
    return std::nullopt;
  return CorrectedOffer{std::move(combination), *offer};
}

Report check_compiled(CompiledSubject &subject, const Arguments &point, CheckOptions check,
                      std::span<const CombinationRow> further) {
  check.points = {point};
  if (subject.is_known_to_use_a_rule())
    if (const Arguments nearby = subject.nearby(point); can_be_run(subject, nearby))
      check.points.push_back(nearby);
  check.further = combinations_of(further);
  std::string left_out = fit_into_time(subject, check);
  Report report = check_gradients(subject, check);
  if (!left_out.empty())
    report.left_out.push_back(left_out + " (TestOptions::seconds, ASSAY_SECONDS)");
  return report;
}

} // namespace assay::testutils
