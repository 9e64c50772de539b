#include <assay/testing/compiled_subject.hpp>

#include "testutils/timed_effort.hpp"

#include <algorithm>
#include <utility>

namespace assay::testutils {

namespace {

Combination combination_of(const CombinationRow &row) {
  return {row.mode,  row.result, {row.arguments.begin(), row.arguments.end()},
          row.width, row.form,   row.runtime_activity};
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
    check.points.push_back(subject.nearby(point));
  check.further = combinations_of(further);
  std::string left_out = fit_into_time(subject, check);
  Report report = check_gradients(subject, check);
  if (!left_out.empty())
    report.left_out.push_back(left_out + " (TestOptions::seconds, ASSAY_SECONDS)");
  return report;
}

} // namespace assay::testutils
