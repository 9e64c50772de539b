// Which activity combinations there are. Every parameter has a list of activities that make sense for it; the
// combinations are the product of the lists, less those with nothing to check:
//
//   forward   scalar: Const, Duplicated   buffer: Const, Duplicated   written buffer: Duplicated, DuplicatedNoNeed
//             result: Const, Duplicated, DuplicatedNoNeed
//   reverse   scalar: Const, Active       buffer: Const, Duplicated   written buffer: Duplicated, DuplicatedNoNeed
//             result: Const, Active
//
// DuplicatedNoNeed is for what the function writes: for memory that it only reads it says the same as Duplicated. A
// written buffer is never Const, since what is active flows into it and Const promises that it does not.
//
// Those are checked at width 1, in one function and without run-time activity. Other widths and forms would multiply
// their number: `Variations::one_each` takes each combination in one of them, and each of them once.

#include "testutils/combinations.hpp"

#include "testutils/covering_patterns.hpp"

#include <assay/generators/stream.hpp>

#include <algorithm>
#include <iterator>

namespace assay::testutils {

static std::vector<Activity> argument_activities(const Parameter &parameter, Mode mode, bool written) {
  if (!parameter.differentiable())
    return {Activity::constant};
  if (parameter.passing == Passing::value)
    return {Activity::constant, mode == Mode::forward ? Activity::duplicated : Activity::active};
  if (written)
    return {Activity::duplicated, Activity::duplicated_no_need};
  return {Activity::constant, Activity::duplicated};
}

static std::vector<Activity> result_activities(const Signature &signature, Mode mode) {
  if (!signature.result_differentiable())
    return {Activity::constant};
  if (mode == Mode::reverse)
    return {Activity::constant, Activity::active};
  return {Activity::constant, Activity::duplicated, Activity::duplicated_no_need};
}

// A derivative needs an active input, and an output that it flows into.
static bool checks_something(const Combination &combination, const Point &point) {
  const auto is_active = [](Activity activity) { return activity != Activity::constant; };
  const bool has_input = std::any_of(combination.arguments.begin(), combination.arguments.end(), is_active);
  bool has_output = is_active(combination.result);
  for (std::size_t index = 0; index < combination.arguments.size(); ++index)
    has_output = has_output || (point.written[index] && is_active(combination.arguments[index]));
  return has_input && has_output;
}

// Memory that the function writes is not constant beside an active argument.
static bool is_contradictory(const Signature &signature, const Combination &combination, const Point &point) {
  for (std::size_t index = 0; index < combination.arguments.size(); ++index)
    if (point.written[index] && signature.parameters[index].differentiable() &&
        combination.arguments[index] == Activity::constant)
      return true;
  return false;
}

static std::vector<Combination> full_product(const Signature &signature, const Point &point, Mode mode) {
  std::vector<Combination> found;
  for (const Activity result : result_activities(signature, mode))
    found.push_back({mode, result, {}});
  for (std::size_t index = 0; index < signature.parameters.size(); ++index) {
    std::vector<Combination> longer;
    for (const Combination &shorter : found)
      for (const Activity activity : argument_activities(signature.parameters[index], mode, point.written[index])) {
        longer.push_back(shorter);
        longer.back().arguments.push_back(activity);
      }
    found = std::move(longer);
  }
  return found;
}

// All arguments active, each of them otherwise, and each of them alone.
static std::vector<Combination> around_the_ends(const Signature &signature, const Point &point, Mode mode) {
  std::vector<std::vector<Activity>> choices;
  std::vector<Activity> active, constant;
  for (std::size_t index = 0; index < signature.parameters.size(); ++index) {
    choices.push_back(argument_activities(signature.parameters[index], mode, point.written[index]));
    const auto first_active = std::find_if(choices.back().begin(), choices.back().end(),
                                           [](Activity activity) { return activity != Activity::constant; });
    active.push_back(first_active == choices.back().end() ? Activity::constant : *first_active);
    constant.push_back(choices.back().front());
  }
  std::vector<Combination> found;
  const auto add = [&](Activity result, const std::vector<Activity> &arguments) {
    const Combination combination{mode, result, arguments};
    if (std::find(found.begin(), found.end(), combination) == found.end())
      found.push_back(combination);
  };
  for (const Activity result : result_activities(signature, mode)) {
    add(result, active);
    for (std::size_t index = 0; index < choices.size(); ++index) {
      std::vector<Activity> alone = constant, otherwise = active;
      alone[index] = active[index];
      add(result, alone);
      for (const Activity activity : choices[index]) {
        otherwise[index] = activity;
        add(result, otherwise);
      }
    }
  }
  return found;
}

static bool is_full_product(const Signature &signature) {
  const auto differentiable = std::count_if(signature.parameters.begin(), signature.parameters.end(),
                                            [](const Parameter &parameter) { return parameter.differentiable(); });
  return static_cast<std::size_t>(differentiable) <= most_arguments_in_full_product;
}

// Combined, without run-time activity, at width 1.
static std::vector<Combination> plain_combinations(const Signature &signature, const Point &point, Mode mode) {
  std::vector<Combination> found =
      is_full_product(signature) ? full_product(signature, point, mode) : around_the_ends(signature, point, mode);
  std::erase_if(found, [&](const Combination &combination) { return !checks_something(combination, point); });
  return found;
}

// Where the full product is left out, patterns of it in which all ways of any four arguments occur, or nearly all. What
// a rule gets wrong for one pattern of few arguments shows in one of them.
static std::vector<Combination> sampled_product(const Signature &signature, const Point &point, Mode mode,
                                                const CheckOptions &options) {
  constexpr std::size_t patterns = 40;
  if (is_full_product(signature))
    return {};
  gen::Stream stream({.seed = options.seed, .suite = options.suite, .name = options.name, .purpose = "patterns"});
  const std::vector<Activity> results = result_activities(signature, mode);
  std::vector<Combination> found;
  for (const std::vector<bool> &pattern : covering_patterns(signature.parameters.size(), patterns, stream)) {
    Combination combination{mode, results[std::min<std::size_t>(1, results.size() - 1)], {}};
    for (std::size_t index = 0; index < pattern.size(); ++index) {
      const auto activities = argument_activities(signature.parameters[index], mode, point.written[index]);
      combination.arguments.push_back(pattern[index] ? activities.back() : activities.front());
    }
    combination.runtime_activity = options.runtime_activity;
    if (checks_something(combination, point))
      found.push_back(combination);
  }
  return found;
}

static Combination in_form_of(Combination combination, const Combination &form) {
  combination.width = form.width;
  combination.form = form.form;
  combination.runtime_activity = form.runtime_activity;
  return combination;
}

// Every width, form and run-time activity but the plain one; of the activities they say nothing.
static std::vector<Combination> other_forms(Mode mode) {
  std::vector<Combination> found;
  for (const unsigned width : {1U, 2U, 4U, 5U, 8U})
    for (const Form form : {Form::combined, Form::split})
      for (const RuntimeActivity runtime_activity : {RuntimeActivity::off, RuntimeActivity::on}) {
        const bool is_plain = width == 1 && form == Form::combined && runtime_activity == RuntimeActivity::off;
        if (!is_plain && (mode == Mode::reverse || form == Form::combined))
          found.push_back({mode, Activity::constant, {}, width, form, runtime_activity});
      }
  return found;
}

// Each plain combination in one other form, and each form at one plain combination, both from a random start on.
static std::vector<Combination> variations_of(const std::vector<Combination> &plain, const CheckOptions &options) {
  std::vector<Combination> found;
  if (plain.empty())
    return found;
  const std::vector<Combination> forms = other_forms(plain.front().mode);
  gen::Stream stream({.seed = options.seed, .suite = options.suite, .name = options.name, .purpose = "variation"});
  const auto start = [&](std::size_t count) {
    return static_cast<std::size_t>(stream.integer(0, static_cast<std::int64_t>(count) - 1));
  };
  const std::size_t first = start(plain.size()), first_form = start(forms.size());
  for (std::size_t index = 0; index < std::max(plain.size(), forms.size()); ++index)
    found.push_back(in_form_of(plain[(first + index) % plain.size()], forms[(first_form + index) % forms.size()]));
  return found;
}

// As many as the budget allows, each as likely as the others, in their order.
static std::vector<Combination> within_budget(std::vector<Combination> all, const CheckOptions &options) {
  if (options.budget == 0 || all.size() <= options.budget)
    return all;
  gen::Stream stream({.seed = options.seed, .suite = options.suite, .name = options.name, .purpose = "budget"});
  std::vector<Combination> chosen;
  for (std::size_t index = 0; index < all.size(); ++index) { // Selection sampling, Knuth 3.4.2 S
    const std::size_t left = all.size() - index, wanted = options.budget - chosen.size();
    if (static_cast<std::size_t>(stream.integer(0, static_cast<std::int64_t>(left) - 1)) < wanted)
      chosen.push_back(std::move(all[index]));
  }
  return chosen;
}

/// The full product, or the combinations around its ends, in their forms, and `CheckOptions::further`.
static std::vector<Combination> usual_combinations(const Signature &signature, const Point &point,
                                                   const CheckOptions &options) {
  std::vector<Combination> all;
  for (const Mode mode : options.modes) {
    const std::vector<Combination> plain = plain_combinations(signature, point, mode);
    for (const unsigned width : options.widths)
      for (const Combination &combination : plain)
        all.push_back(
            in_form_of(combination, {mode, Activity::constant, {}, width, Form::combined, options.runtime_activity}));
    if (options.variations == Variations::one_each) {
      const std::vector<Combination> others = variations_of(plain, options);
      all.insert(all.end(), others.begin(), others.end());
    }
  }
  std::copy_if(options.further.begin(), options.further.end(), std::back_inserter(all),
               [&](const Combination &combination) {
                 return checks_something(combination, point) && !is_contradictory(signature, combination, point);
               });
  return all;
}

/// Those of the sampled product that are not among the usual ones, of each mode in turn.
static std::vector<Combination> further_patterns(const Signature &signature, const Point &point,
                                                 const CheckOptions &options, const std::vector<Combination> &usual) {
  std::vector<std::vector<Combination>> of_modes;
  for (const Mode mode : options.modes)
    of_modes.push_back(sampled_product(signature, point, mode, options));
  std::vector<Combination> found;
  const auto add = [&](const Combination &combination) {
    if (std::find(usual.begin(), usual.end(), combination) == usual.end() &&
        std::find(found.begin(), found.end(), combination) == found.end())
      found.push_back(combination);
  };
  std::size_t most = 0;
  for (const std::vector<Combination> &of_mode : of_modes)
    most = std::max(most, of_mode.size());
  for (std::size_t index = 0; index < most; ++index)
    for (const std::vector<Combination> &of_mode : of_modes)
      if (index < of_mode.size())
        add(of_mode[index]);
  return found;
}

OfferedCombinations offered_combinations_at(const Signature &signature, const Point &point,
                                            const CheckOptions &options) {
  OfferedCombinations offered{usual_combinations(signature, point, options), {}};
  offered.patterns = further_patterns(signature, point, options, offered.usual);
  return offered;
}

std::vector<Combination> all_of(OfferedCombinations offered) {
  std::vector<Combination> all = std::move(offered.usual);
  all.insert(all.end(), offered.patterns.begin(), offered.patterns.end());
  return all;
}

std::vector<Combination> all_combinations_at(const Signature &signature, const Point &point,
                                             const CheckOptions &options) {
  return all_of(offered_combinations_at(signature, point, options));
}

std::vector<Combination> combinations_at(const Signature &signature, const Point &point, const CheckOptions &options) {
  OfferedCombinations offered = offered_combinations_at(signature, point, options);
  if (options.budget != 0) {
    const std::size_t usual = std::min(offered.usual.size(), options.budget);
    offered.usual = within_budget(std::move(offered.usual), options);
    offered.patterns.resize(std::min(offered.patterns.size(), options.budget - usual));
  }
  return all_of(std::move(offered));
}

std::vector<Combination> combinations_of(Subject &subject, const Arguments &inputs, const CheckOptions &options) {
  return combinations_at(subject.signature(), examine_point(subject, inputs, Depth::derivative), options);
}

/// The point of the first shape; a parameter counts as written where any shape writes it.
static Point joined_point(const std::vector<std::pair<Subject *, Arguments>> &shapes) {
  Point joined;
  for (const auto &[subject, inputs] : shapes) {
    Point point = examine_point(*subject, inputs, Depth::derivative);
    for (std::size_t index = 0; index < joined.written.size(); ++index)
      point.written[index] = point.written[index] || joined.written[index];
    joined = std::move(point);
  }
  return joined;
}

std::vector<Combination> combinations_of(const std::vector<std::pair<Subject *, Arguments>> &shapes,
                                         const CheckOptions &options) {
  return shapes.empty() ? std::vector<Combination>()
                        : combinations_at(shapes.front().first->signature(), joined_point(shapes), options);
}

OfferedCombinations offered_combinations(const std::vector<std::pair<Subject *, Arguments>> &shapes,
                                         const CheckOptions &options) {
  return shapes.empty() ? OfferedCombinations()
                        : offered_combinations_at(shapes.front().first->signature(), joined_point(shapes), options);
}

std::vector<Combination> neighbours_of(const Signature &signature, const Point &point, const Combination &combination) {
  std::vector<Combination> neighbours;
  for (const Combination &plain : plain_combinations(signature, point, combination.mode)) {
    const Combination other = in_form_of(plain, combination);
    std::size_t differences = other.result != combination.result;
    for (std::size_t index = 0; index < other.arguments.size(); ++index)
      differences += other.arguments[index] != combination.arguments[index];
    if (differences == 1)
      neighbours.push_back(other);
  }
  return neighbours;
}

} // namespace assay::testutils
