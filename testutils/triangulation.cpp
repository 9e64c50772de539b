#include "testutils/triangulation.hpp"

#include "testutils/tolerance.hpp"

#include <assay/generators/stream.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace assay::testutils {

namespace {

/// Which number.
struct Question {
  Values weights;      ///< Of the flat outputs.
  Arguments direction; ///< One entry for each parameter, zero where it is constant.
};

Combination in_mode(const Signature &signature, const Combination &original, Mode mode) {
  Combination combination = original;
  combination.mode = mode;
  combination.width = 1;
  combination.form = Form::combined;
  combination.runtime_activity = RuntimeActivity::off;
  for (std::size_t index = 0; index < combination.arguments.size(); ++index)
    if (combination.arguments[index] != Activity::constant) {
      const bool returned = mode == Mode::reverse && signature.parameters[index].passing == Passing::value;
      combination.arguments[index] = returned ? Activity::active : Activity::duplicated;
    }
  if (combination.result != Activity::constant)
    combination.result = mode == Mode::reverse ? Activity::active : Activity::duplicated;
  return combination;
}

class Triangulation {
public:
  Triangulation(Stage &stage, Record &record) : stage(stage), record(record), question(question_of(record)) {}

  void run() {
    const Combination &failing = record.combination;
    const Mode other = failing.mode == Mode::forward ? Mode::reverse : Mode::forward;
    const Combination plain = in_mode(signature(), failing, failing.mode);
    const bool varied =
        failing.width != 1 || failing.form == Form::split || failing.runtime_activity == RuntimeActivity::on;
    ask(failing, varied ? name_of_variation(failing) : std::string(name_of(failing.mode)));
    if (varied)
      ask(plain, std::string(name_of(failing.mode)));
    ask(in_mode(signature(), failing, other), std::string(name_of(other)));
    ask(stage.oracle, stage.closer);
    if (stage.options.oracle != OracleChoice::finite_differences && stage.precise.covers())
      ask(stage.precise, stage.precise);
    record.odd_one = odd_one_of(record.witnesses, tolerance());
  }

  /// Of the first witness, which is the derivative in question, or of the derivative that has none.
  void study() {
    StepStudy study;
    if (!record.worst.empty())
      study.path = record.worst.front().path;
    study.derivative = record.witnesses.empty() ? value_of(record.combination) : record.witnesses.front().value;
    for (const Witness &witness : record.witnesses)
      if (witness.is_oracle)
        study.expected = witness.value;
    study.rows = step_rows(stage.subject, stage.point, question.direction, question.weights);
    study.taylor_slope = record.witnesses.empty() ? taylor_slope(stage.subject, stage.point, question.direction,
                                                                 question.weights, study.derivative)
                                                  : record.witnesses.front().taylor_slope;
    if (!study.rows.empty())
      record.steps = std::move(study);
  }

private:
  const Signature &signature() const { return stage.subject.signature(); }

  static std::string name_of_variation(const Combination &combination) {
    std::string name(name_of(combination.mode));
    if (combination.width != 1)
      name += fmt::format(" at width {}", combination.width);
    if (combination.form == Form::split)
      name += " in two functions";
    if (combination.runtime_activity == RuntimeActivity::on)
      name += " with run-time activity";
    return name;
  }

  unsigned lane() const { return record.worst.empty() ? 0 : record.worst.front().place.lane; }

  DerivativeRequest request_of(const Combination &combination) const {
    return random_request(signature(), combination, stage.point.inputs, stage.name, stage.options.output_tangent);
  }

  /// What the worst element of the failure is about; where there is none, a random direction and random weights.
  Question question_of(const Record &record) const {
    const DerivativeRequest request = request_of(record.combination);
    const bool is_known = !record.worst.empty();
    Question question;
    question.direction = Arguments(stage.point.inputs.size());
    gen::Stream stream({.seed = stage.name.seed, .name = stage.name.name, .purpose = "triangulation"});
    const bool by_element = is_known && record.combination.mode == Mode::reverse;
    for (std::size_t index = 0; index < question.direction.size(); ++index) {
      if (record.combination.arguments[index] == Activity::constant)
        continue;
      Values &values = question.direction[index];
      values.assign(stage.point.inputs[index].size(), 0);
      if (record.combination.mode == Mode::forward)
        values = request.shadows[lane()][index];
      else if (!by_element)
        for (double &value : values)
          value = stream.tangent();
    }
    if (by_element)
      question.direction[*record.worst.front().place.parameter][record.worst.front().place.element] = 1;
    if (record.combination.mode == Mode::reverse)
      question.weights = output_weights(stage.point, request, lane());
    else
      question.weights = is_known ? weights_of(record.worst.front().place) : random_weights(stream);
    return question;
  }

  Values weights_of(const Place &place) const {
    Values weights;
    for (const Place &output : stage.point.outputs)
      weights.push_back(output.parameter == place.parameter && output.element == place.element ? 1 : 0);
    return weights;
  }

  Values random_weights(gen::Stream &stream) const {
    Values weights;
    for (const Place &output : stage.point.outputs) {
      const Activity activity =
          output.parameter ? record.combination.arguments[*output.parameter] : record.combination.result;
      weights.push_back(activity == Activity::constant ? 0 : stream.tangent());
    }
    return weights;
  }

  // ---- derivatives ----

  void ask(const Combination &combination, const std::string &name) {
    if (!stage.subject.supports(combination))
      return;
    try {
      const double value = value_of(combination);
      record.witnesses.push_back(
          {name, value, false, 0,
           taylor_slope(stage.subject, stage.point, question.direction, question.weights, value)});
    } catch (const SubjectError &) {
      // One witness less.
    }
  }

  double value_of(const Combination &combination) const {
    return combination.mode == Mode::forward ? by_tangent(combination) : by_gradient(combination);
  }

  /// The lanes beside the one in question stay what they were.
  double by_tangent(const Combination &combination) const {
    DerivativeRequest request = request_of(combination);
    const unsigned asked = std::min(lane(), combination.width - 1);
    for (std::size_t index = 0; index < question.direction.size(); ++index)
      if (!request.shadows[asked][index].empty())
        request.shadows[asked][index] = question.direction[index];
    const Values tangents = flat_tangents(stage.subject.differentiate(request), asked, stage.point.outputs);
    double sum = 0;
    for (std::size_t index = 0; index < tangents.size(); ++index)
      sum += question.weights[index] == 0 ? 0 : question.weights[index] * tangents[index];
    return sum;
  }

  double by_gradient(const Combination &combination) const {
    DerivativeRequest request = without_incoming(request_of(combination), stage.point);
    const unsigned asked = std::min(lane(), combination.width - 1);
    for (std::size_t index = 0; index < stage.point.outputs.size(); ++index) {
      const Place &place = stage.point.outputs[index];
      Values &seeds = place.parameter ? request.shadows[asked][*place.parameter] : request.result_seeds[asked];
      if (place.element < seeds.size())
        seeds[place.element] = question.weights[index];
    }
    const DerivativeOutcome outcome = stage.subject.differentiate(request);
    double sum = 0;
    for (std::size_t index = 0; index < question.direction.size(); ++index)
      for (std::size_t element = 0; element < question.direction[index].size(); ++element)
        if (question.direction[index][element] != 0)
          sum += question.direction[index][element] * outcome.shadows[asked][index][element];
    return sum;
  }

  // ---- oracles ----

  Guess guess_of(Oracle &oracle) const {
    const std::vector<Guess> along = oracle.along(question.direction);
    Guess sum;
    for (std::size_t index = 0; index < along.size(); ++index)
      sum.add(question.weights[index], along[index]);
    return sum;
  }

  /// The surer of two; none where neither is.
  void ask(Oracle &oracle, Oracle &other) {
    Guess guess = guess_of(oracle);
    if (&oracle != &other)
      if (const Guess second = guess_of(other); !is_sure(guess) || (is_sure(second) && second.error < guess.error))
        guess = second;
    if (is_sure(guess))
      record.witnesses.push_back({std::string(oracle.name()), guess.value, true, guess.error, {}});
  }

  static bool is_sure(const Guess &guess) {
    return guess.trouble == fdm::Trouble::none && std::isfinite(guess.value) && std::isfinite(guess.error);
  }

  double tolerance() const {
    double size = 0;
    for (const Witness &witness : record.witnesses)
      if (std::isfinite(witness.value))
        size = std::max(size, std::abs(witness.value));
    const Tolerance &general = stage.options.tolerance;
    if (record.worst.empty()) {
      const ElementType coarsest = coarsest_element(signature());
      return scaled_absolute_tolerance(general, coarsest, size) + relative_tolerance(general, coarsest) * size;
    }
    const Comparison &worst = record.worst.front();
    const ElementType type = parameter_at(signature(), worst.place).element_type(worst.place.element);
    return std::max(worst.tolerance,
                    scaled_absolute_tolerance(general, type, size) + relative_tolerance(general, type) * size);
  }

  Stage &stage;
  Record &record;
  Question question;
};

} // namespace

void triangulate(Stage &stage, Record &record) {
  if (record.verdict != Verdict::wrong_derivative || stage.point.verdict != Verdict::pass)
    return;
  try {
    Triangulation(stage, record).run();
  } catch (const SubjectError &) {
    record.witnesses.clear(); // The function cannot be run beside the point.
  }
}

void study_steps(Stage &stage, Record &record) {
  const bool is_wrong = record.verdict == Verdict::wrong_derivative && !record.witnesses.empty();
  if (stage.point.verdict != Verdict::pass || !(is_wrong || record.verdict == Verdict::pass))
    return;
  try {
    Triangulation(stage, record).study();
  } catch (const SubjectError &) { // The function cannot be run beside the point.
  }
}

} // namespace assay::testutils
