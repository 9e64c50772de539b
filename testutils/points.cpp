#include "testutils/points.hpp"

#include <algorithm>

namespace assay::testutils {

namespace {

// Points beyond those asked for, where the function is not finite or the oracle cannot tell.
constexpr unsigned most_draws = 24;
constexpr unsigned most_replacements = 3;

} // namespace

std::size_t Points::count() const {
  return options.points.empty() ? std::max(1U, options.samples) : options.points.size();
}

void Points::announce(unsigned sample) const {
  if (options.on_point)
    options.on_point(sample);
}

Stage &Points::at(std::size_t sample, unsigned replacement) {
  announce(static_cast<unsigned>(sample));
  std::unique_ptr<Stage> &stage = stages[{sample, replacement}];
  if (!stage)
    stage = options.points.empty()
                ? draw(static_cast<unsigned>(sample), replacement)
                : std::make_unique<Stage>(subject, options.points[sample], options, static_cast<unsigned>(sample));
  return *stage;
}

Stage *Points::at_special(Draw draw_inputs, unsigned sample) {
  announce(sample);
  std::unique_ptr<Stage> &stage = specials[{draw_inputs, sample}];
  for (unsigned attempt = 0; attempt < most_draws && !stage; ++attempt) {
    const unsigned index = (sample << 16U) + attempt;
    const Arguments inputs = draw_inputs(subject.signature(), options, index);
    if (!may_be_run(inputs))
      return nullptr;
    stage = std::make_unique<Stage>(subject, inputs, options, sample);
    if (stage->point.verdict == Verdict::oracle_unreliable && attempt + 1 < most_draws)
      stage.reset();
  }
  return stage.get();
}

bool Points::may_be_run(const Arguments &inputs) const {
  try {
    static_cast<void>(subject.evaluate_anyway(inputs));
    return true;
  } catch (const SubjectError &) {
    return false;
  }
}

Stage &Points::at_branch(std::size_t number, unsigned sample) {
  announce(sample);
  const Arguments &inputs = options.branch_points[number].inputs;
  std::unique_ptr<Stage> &stage = branches[{sample, inputs}];
  if (!stage)
    stage = std::make_unique<Stage>(subject, inputs, options, sample);
  return *stage;
}

unsigned Points::replacements() const {
  return options.points.empty() && has_random_parameter() ? most_replacements : 0;
}

bool Points::has_random_parameter() const {
  const auto &parameters = subject.signature().parameters;
  return std::any_of(parameters.begin(), parameters.end(),
                     [](const Parameter &parameter) { return parameter.fixed.empty(); });
}

std::unique_ptr<Stage> Points::draw(unsigned sample, unsigned replacement) {
  std::unique_ptr<Stage> stage;
  for (unsigned attempt = 0; attempt < most_draws; ++attempt) {
    const unsigned index = (sample << 16U) + (replacement << 8U) + attempt;
    stage = std::make_unique<Stage>(subject, random_inputs(subject.signature(), options, index), options, sample);
    if (stage->point.verdict != Verdict::oracle_unreliable)
      break;
  }
  return stage;
}

} // namespace assay::testutils
