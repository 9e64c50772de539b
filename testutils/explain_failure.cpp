#include "testutils/explain_failure.hpp"

#include "testutils/combinations.hpp"
#include "testutils/finding.hpp"
#include "testutils/kept_state.hpp"
#include "testutils/localise.hpp"
#include "testutils/name_input.hpp"
#include "testutils/shrink.hpp"
#include "testutils/stale_memory.hpp"
#include "testutils/triangulation.hpp"

#include <algorithm>

namespace assay::testutils {

namespace {

// Failures whose inputs are shrunk from scratch; later ones try the point that was found first.
constexpr unsigned most_full_shrinks = 3;
// Failures of which the input is sought among many.
constexpr unsigned most_named_inputs = 2;

std::size_t weight_of_activities(const Combination &combination) {
  std::size_t count = combination.result != Activity::constant;
  for (const Activity activity : combination.arguments)
    count += activity == Activity::constant ? 0 : activity == Activity::duplicated_no_need ? 2 : 1;
  return count;
}

// Walks down to fewer activities as long as it fails in the same way, then asks all neighbours of what is left.
void find_minimal_signature(Stage &stage, Record &record) {
  const Signature &signature = stage.subject.signature();
  Combination minimal = record.combination;
  bool progress = true;
  while (progress) {
    progress = false;
    record.neighbours.clear();
    for (const Combination &neighbour : neighbours_of(signature, stage.point, minimal)) {
      if (!stage.subject.supports(neighbour))
        continue;
      const Verdict verdict = run_checks(stage, neighbour).verdict;
      record.neighbours.push_back({neighbour, verdict});
      if (verdict != record.verdict || weight_of_activities(neighbour) >= weight_of_activities(minimal))
        continue;
      minimal = neighbour;
      progress = true;
      break;
    }
  }
  if (!(minimal == record.combination))
    record.minimal = minimal;
}

bool may_shrink(const Record &record) {
  return outcome_of(record.verdict) == Outcome::failed && record.verdict != Verdict::crash;
}

// A wrong reverse derivative must not become a right one that differs from a wrong forward derivative.
bool fails_alike(const Record &left, const Record &right) {
  return left.verdict == right.verdict &&
         (left.check == right.check || (left.check != dot_product_check && right.check != dot_product_check));
}

Record shrunk(Subject &subject, Record record, const CheckOptions &options, unsigned sample,
              EarlierFailures::InMode &earlier) {
  if (!may_shrink(record))
    return record;
  if (options.shrink_steps == 0) {
    if (options.find_neighbours) {
      Stage stage(subject, record.inputs, options, sample);
      find_minimal_signature(stage, record);
    }
    return record;
  }
  const auto fails = [&](const Arguments &inputs) {
    Stage stage(subject, inputs, options, sample);
    return fails_alike(run_checks(stage, record.combination), record);
  };
  Shrunk found{record.inputs};
  const auto known = std::find_if(earlier.failing_points.begin(), earlier.failing_points.end(), fails);
  if (known != earlier.failing_points.end())
    found = {*known, 1, 1};
  else if (earlier.full_shrinks++ < most_full_shrinks)
    found = shrink_inputs(subject.signature(), record.inputs, fails, options.shrink_steps);
  if (known == earlier.failing_points.end())
    earlier.failing_points.push_back(found.inputs);

  Stage stage(subject, found.inputs, options, sample);
  Record simplest = run_checks(stage, record.combination);
  // Other checks may stop before they come to it, and an oracle that has used up its time may leave it to another one:
  // what has failed stays a failure.
  if (!fails_alike(simplest, record))
    simplest = std::move(record);
  else
    simplest.shrinks = found.shrinks;
  if (options.find_neighbours) {
    Stage there(subject, simplest.inputs, options, sample);
    find_minimal_signature(there, simplest);
  }
  return simplest;
}

} // namespace

Record explain_failure(Subject &subject, Record record, const CheckOptions &options, unsigned sample,
                       EarlierFailures &all_earlier) {
  EarlierFailures::InMode &earlier = all_earlier.in[record.combination.mode];
  if (outcome_of(record.verdict) != Outcome::failed)
    return record;
  if (earlier.explained++ >= options.explanations) { // What was found out of others costs nothing.
    if (may_shrink(record) && options.find_neighbours && !earlier.blame.take_over(subject, record))
      record.rule = used_rules(subject, record.combination);
    return record;
  }
  record = shrunk(subject, std::move(record), options, sample, earlier);
  const std::optional<std::string> fault =
      may_shrink(record) && options.find_neighbours ? subject.fault_of_function(record.inputs) : std::nullopt;
  if (fault) {
    record.hints.insert(record.hints.begin(), *fault);
    return record;
  }
  if (may_shrink(record) && options.find_neighbours) {
    const bool is_among_first = earlier.experiments++ < options.localisations;
    if (is_among_first || !earlier.blame.take_over(subject, record)) {
      Stage stage(subject, record.inputs, options, sample);
      blame_rule(stage, record);
      earlier.blame.remember(subject, record);
    }
    blame_forward_rules(subject, record);
  }
  if (record.verdict != Verdict::wrong_derivative || !options.find_neighbours || // Nobody is going to read it.
      record.check.starts_with(second_order_check))
    return record;
  Stage stage(subject, record.inputs, options, sample);
  triangulate(stage, record);
  study_steps(stage, record);
  hint_at_stale_memory(stage, record);
  hint_at_kept_state(stage, record);
  if (earlier.named_inputs++ < most_named_inputs)
    name_input(stage, record);
  if (earlier.localisations++ < options.localisations)
    localise(stage, record);
  return record;
}

} // namespace assay::testutils
