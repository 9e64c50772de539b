#include "testutils/blame.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::testutils {

namespace {

constexpr std::size_t most_experiments = 8;

enum class Experiment : std::uint8_t { fails_no_more, fails_still, not_possible };

Experiment without_rule(Stage &stage, const Record &record, std::size_t rule) {
  try {
    const std::unique_ptr<Subject> subject = stage.subject.without_rule(record.combination, rule);
    if (!subject)
      return Experiment::not_possible;
    Stage other(*subject, record.inputs, stage.options, record.sample);
    const Record seen = run_checks(other, record.combination);
    if (seen.verdict == Verdict::crash)
      return Experiment::not_possible;
    return outcome_of(seen.verdict) == Outcome::failed ? Experiment::fails_still : Experiment::fails_no_more;
  } catch (const std::runtime_error &) { // The engine has no derivative without it.
    return Experiment::not_possible;
  }
}

bool are_finite(const std::vector<Values> &groups) {
  return std::all_of(groups.begin(), groups.end(), [](const Values &values) {
    return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
  });
}

bool is_finite(const DerivativeOutcome &outcome) {
  return are_finite(outcome.result_tangents) && std::all_of(outcome.shadows.begin(), outcome.shadows.end(),
                                                            [](const Arguments &lane) { return are_finite(lane); });
}

} // namespace

std::optional<Rule> rule_that_overflows(Subject &subject, const DerivativeRequest &request) {
  const std::vector<Rule> rules = subject.rules(request.combination);
  for (std::size_t index = 0; index < std::min(rules.size(), most_experiments); ++index) {
    try {
      const std::unique_ptr<Subject> without =
          rules[index].can_be_left_out ? subject.without_rule(request.combination, index) : nullptr;
      if (!without || is_finite(without->differentiate(request)))
        return rules[index];
    } catch (const std::runtime_error &) { // The engine has no derivative without it.
      return rules[index];
    }
  }
  return std::nullopt;
}

std::string used_rules(const Subject &subject, const Combination &combination) {
  std::vector<std::string> descriptions;
  for (const Rule &rule : subject.rules(combination))
    descriptions.push_back(rule.description);
  if (descriptions.size() == 1)
    return descriptions.front() + "; no other rule is used";
  return descriptions.empty() ? "" : fmt::format("one of {}", fmt::join(descriptions, "; "));
}

bool rule_that_leaves_range(Subject &subject, const DerivativeRequest &request) {
  const std::vector<Rule> rules = subject.rules(request.combination);
  for (std::size_t index = 0; index < std::min(rules.size(), most_experiments); ++index) {
    try {
      const std::unique_ptr<Subject> without =
          rules[index].can_be_left_out ? subject.without_rule(request.combination, index) : nullptr;
      if (without && !without->differentiate(request).left_range)
        return true;
    } catch (const std::runtime_error &) { // The engine has no derivative without it.
    }
  }
  return false;
}

bool rule_loses_digits(Stage &stage, const DerivativeRequest &request) {
  if (!stage.precise.covers())
    return false;
  const std::vector<Rule> rules = stage.subject.rules(request.combination);
  for (std::size_t index = 0; index < std::min(rules.size(), most_experiments); ++index) {
    try {
      const std::unique_ptr<Subject> without =
          rules[index].can_be_left_out ? stage.subject.without_rule(request.combination, index) : nullptr;
      if (without &&
          check_against_oracle(stage.precise, request, without->differentiate(request), stage.options).verdict ==
              Verdict::pass)
        return true;
    } catch (const std::runtime_error &) { // The engine has no derivative without it.
    }
  }
  return false;
}

void blame_rule(Stage &stage, Record &record) {
  const std::vector<Rule> rules = stage.subject.rules(record.combination);
  std::vector<std::string> suspects;
  for (std::size_t index = 0; index < rules.size(); ++index) {
    const bool can_try = rules[index].can_be_left_out && index < most_experiments;
    const Experiment experiment = can_try ? without_rule(stage, record, index) : Experiment::not_possible;
    if (experiment == Experiment::fails_no_more) {
      record.rule = rules[index].description + "; without this rule the check passes";
      return;
    }
    if (experiment == Experiment::not_possible || rules.size() > 1)
      suspects.push_back(rules[index].description);
  }
  if (suspects.size() == 1)
    record.rule = suspects.front() + (rules.size() == 1 ? "; no other rule is used" : "");
  else if (!suspects.empty())
    record.rule = fmt::format("one of {}", fmt::join(suspects, "; "));
  else if (!rules.empty())
    record.hints.push_back(fmt::format("it fails without the rule of {} as well", rules.front().description));
}

void blame_forward_rules(const Subject &subject, Record &record) {
  if (record.check != dot_product_check || !record.rule.empty())
    return;
  std::vector<std::string> suspects;
  for (const Rule &rule : subject.rules(forward_of(record.combination)))
    suspects.push_back(rule.description);
  if (!suspects.empty())
    record.rule =
        fmt::format("{}{}, in forward mode", suspects.size() == 1 ? "" : "one of ", fmt::join(suspects, "; "));
}

static std::vector<std::string> descriptions_of(const Subject &subject, const Record &record) {
  std::vector<std::string> descriptions;
  for (const Rule &rule : subject.rules(record.combination))
    descriptions.push_back(rule.description);
  return descriptions;
}

void EarlierBlame::remember(const Subject &subject, const Record &record) {
  all_.push_back({record.combination.mode, descriptions_of(subject, record), record.check, record.rule});
}

bool EarlierBlame::take_over(const Subject &subject, Record &record) const {
  const std::vector<std::string> rules = descriptions_of(subject, record);
  if (rules.empty())
    return true;
  const auto common = [&](auto &&fits) -> std::optional<std::string> {
    std::optional<std::string> rule;
    for (const Blamed &blamed : all_) {
      if (blamed.mode != record.combination.mode || blamed.rules != rules || !fits(blamed))
        continue;
      if (rule && *rule != blamed.rule)
        return std::nullopt;
      rule = blamed.rule;
    }
    return rule;
  };
  std::optional<std::string> rule = common([](const Blamed &) { return true; });
  if (!rule)
    rule = common([&](const Blamed &blamed) { return blamed.check == record.check; });
  if (rule)
    record.rule = *rule;
  return rule.has_value();
}

} // namespace assay::testutils
