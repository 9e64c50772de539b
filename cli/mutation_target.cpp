#include "cli/mutation_target.hpp"

#include "cli/check_function.hpp"
#include "cli/mutant_difference.hpp"
#include "core/jit/mutate/canonical_text.hpp"
#include "core/jit/mutate/registered_faults.hpp"
#include "core/jit/mutate/rule_faults.hpp"
#include "core/jit/mutate/sites.hpp"
#include "testutils/numbers.hpp"
#include "testutils/requests.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Verifier.h>

namespace assay::cli {

namespace {

using testutils::Activity;
using testutils::Arguments;
using testutils::Combination;
using testutils::Values;

constexpr unsigned random_points = 24;
/// A sum in another order is the same derivative.
constexpr double rounding_ulps = 64;

unsigned activity_of(const Combination &combination) {
  const auto weight = [](Activity activity) {
    return activity == Activity::constant ? 0U : activity == Activity::duplicated_no_need ? 1U : 2U;
  };
  unsigned sum = weight(combination.result);
  for (const Activity activity : combination.arguments)
    sum += weight(activity);
  return sum;
}

/// What a call leaves behind, and what later calls make of it.
bool shows_in_one_call(jit::FaultClass kind) {
  using enum jit::FaultClass;
  constexpr std::array classes{last_call,     cached_address, call_counter, changed_variable,
                               rounding_mode, flush_to_zero,  trap,         open_file};
  return std::ranges::find(classes, kind) == classes.end();
}

/// The emulated code of an atomic operation is that of a plain one: only the log of accesses tells them apart.
bool shows_in_code(jit::FaultClass kind) {
  return kind != jit::FaultClass::plain_atomic;
}

/// What a call leaves in variables of its own, which only the numbers of later calls can show.
bool shows_in_two_calls(jit::FaultClass kind) {
  using enum jit::FaultClass;
  return kind == last_call || kind == cached_address || kind == call_counter;
}

/// Every number that may vary is `value`, where that is in its domain.
Arguments points_of(const testutils::Signature &signature, Arguments inputs, double value) {
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    const testutils::Parameter &parameter = signature.parameters[index];
    const bool inside = value > parameter.domain.low && value < parameter.domain.high &&
                        !(parameter.domain.excludes_zero && value == 0);
    if (parameter.fixed.empty() && parameter.element != testutils::ElementType::integer && inside)
      inputs[index].assign(inputs[index].size(), testutils::rounded_to(parameter.element, value));
  }
  return inputs;
}

/// All that is handed in of derivatives, also what shadows hold that the derivative adds to.
testutils::DerivativeRequest with_seeds_times(testutils::DerivativeRequest request, double factor) {
  const auto scale = [&](Values &values) {
    for (double &value : values)
      value *= factor;
  };
  for (Arguments &lane : request.shadows)
    std::ranges::for_each(lane, scale);
  std::ranges::for_each(request.result_seeds, scale);
  return request;
}

bool same_number(testutils::ElementType element, double left, double right) {
  return testutils::same_bits(left, right) || left == right ||
         testutils::ulp_distance(element, left, right) <= rounding_ulps;
}

/// Numbers that cancel are compared with what they are made of.
std::string difference(const testutils::Signature &signature, const Values &seen, const Values &right,
                       const std::string &what) {
  double largest = 0;
  for (const double value : right)
    largest = std::isfinite(value) ? std::max(largest, std::abs(value)) : largest;
  const testutils::ElementType element = testutils::coarsest_element(signature);
  const double rounding = rounding_ulps * testutils::epsilon_of(element) * largest;
  for (std::size_t index = 0; index < std::min(seen.size(), right.size()); ++index)
    if (!same_number(element, seen[index], right[index]) && !(std::abs(seen[index] - right[index]) <= rounding))
      return fmt::format("{}[{}] is {:.17g} instead of {:.17g}", what, index, seen[index], right[index]);
  return "";
}

std::string difference(const std::optional<testutils::HeapUse> &seen, const std::optional<testutils::HeapUse> &right) {
  if (!seen || !right || (seen->blocks_left == right->blocks_left && seen->faults == right->faults))
    return "";
  return fmt::format("{} blocks are left on the heap instead of {}, {} are freed twice", seen->blocks_left,
                     right->blocks_left, seen->faults.size());
}

std::string difference(const testutils::Signature &signature, const testutils::DerivativeRequest &request,
                       const testutils::DerivativeOutcome &seen, const testutils::DerivativeOutcome &right) {
  std::string found;
  const auto compare = [&](const Values &a, const Values &b, const std::string &what) {
    if (found.empty())
      found = difference(signature, a, b, what);
  };
  found = difference(seen.heap, right.heap);
  if (seen.result && right.result)
    compare(*seen.result, *right.result, "the primal result");
  for (std::size_t index = 0; index < right.contents.size(); ++index)
    if (request.combination.arguments[index] != Activity::duplicated_no_need)
      compare(seen.contents[index], right.contents[index], signature.parameters[index].name);
  for (std::size_t lane = 0; lane < right.shadows.size(); ++lane) {
    compare(seen.result_tangents[lane], right.result_tangents[lane], "the tangent of the result");
    for (std::size_t index = 0; index < right.shadows[lane].size(); ++index)
      compare(seen.shadows[lane][index], right.shadows[lane][index],
              "the derivative of " + signature.parameters[index].name);
  }
  return found;
}

} // namespace

MutationTarget::MutationTarget(const CheckRequest &request, const jit::ModuleFile &file)
    : request_(request), right_program_(file, request.function, repetition_of(request)),
      program_(file, request.function, repetition_of(request)), right_(request, right_program_),
      subject_(request, program_) {
  options_ = check_options(request);
  options_.shrink_steps = 0;
  options_.find_neighbours = false;
  check_.emplace(subject_, options_);
  choose_combinations();
  // In both programs: what the fault does not concern stays right.
  for (const Combination &combination : combinations_)
    compile_right(combination);
  // What every mutant's check compiles for its oracle.
  const Arguments inputs = testutils::random_inputs(subject_.signature(), options_, 0);
  static_cast<void>(subject_.precise_derivative(inputs, Arguments(inputs.size())));
}

MutationTarget::~MutationTarget() = default;

void MutationTarget::choose_combinations() {
  const Arguments inputs = testutils::random_inputs(right_.signature(), options_, 0);
  for (const testutils::Mode mode : request_.settings.modes) {
    const Combination *fullest = nullptr;
    const std::vector<Combination> all = testutils::combinations_of(right_, inputs, options_);
    for (const Combination &combination : all)
      if (combination.mode == mode && (!fullest || activity_of(combination) > activity_of(*fullest)))
        fullest = &combination;
    if (fullest) {
      combinations_.push_back(*fullest);
      add_variants(*fullest);
    }
  }
}

/// Every width would multiply the work: each function has one in each mode, which follows from its name.
void MutationTarget::add_variants(const Combination &plain) {
  if (plain.mode == testutils::Mode::reverse) {
    variants_.push_back(plain);
    variants_.back().form = testutils::Form::split;
  }
  constexpr std::array widths{2U, 4U, 5U, 8U};
  std::size_t number = plain.mode == testutils::Mode::reverse ? 1 : 0;
  for (const char letter : right_.signature().function)
    number += static_cast<unsigned char>(letter);
  variants_.push_back(plain);
  variants_.back().width = widths[number % widths.size()];
}

std::vector<jit::Derivative> MutationTarget::derivatives_of(const Combination &combination) const {
  const bool returns = right_.signature().result.has_value();
  std::vector<jit::Derivative> derivatives{derivative_of(combination, testutils::PrimalResult::wanted, returns)};
  const jit::Derivative bare = derivative_of(combination, testutils::PrimalResult::omitted, returns);
  if (bare != derivatives.front())
    derivatives.push_back(bare);
  return derivatives;
}

void MutationTarget::compile_right(const Combination &combination) {
  for (const jit::Derivative &derivative : derivatives_of(combination)) {
    if (right_code_.contains(derivative))
      continue;
    right_program_.interfere(
        {{}, [&](const llvm::Module &module) { right_code_[derivative] = jit::canonical_text(module); }});
    static_cast<void>(right_program_.derivative(derivative));
    static_cast<void>(program_.derivative(derivative));
    right_program_.interfere({});
  }
}

void MutationTarget::prepare(const Mutant &mutant) {
  for (const Combination &combination : combinations_of(mutant)) {
    if (!prepared_.insert(testutils::describe(right_.signature(), combination)).second)
      continue;
    compile_right(combination);
    check_->prepare_first_point({combination});
  }
}

void MutationTarget::prepare_for_survivors(const Mutant &mutant) {
  for (const Combination &combination : combinations_of(mutant)) {
    if (!prepared_for_survivors_.insert(testutils::describe(right_.signature(), combination)).second)
      continue;
    check_->prepare_all_points({combination});
    if (shows_in_one_call(mutant.fault.kind))
      for (std::size_t point = random_points; point < points_to_compare().size(); ++point)
        static_cast<void>(has_derivative(combination, point));
  }
}

void MutationTarget::alter(const Mutant &mutant) {
  planted_ = 0;
  broken_ = false;
  jit::Interference fault;
  if (mutant.variant) {
    fault.test_hooks.written = [this, fault = mutant.fault, width = mutant.variant->width](llvm::Function &written) {
      if (!jit::plant(written, fault, width))
        return;
      ++planted_;
      broken_ |= llvm::verifyFunction(written);
    };
    fault.simplified = [this, fault = mutant.fault, rules = rules_in(mutant.variant->mode)](llvm::Module &module) {
      if (fault.kind == jit::FaultClass::detached)
        jit::add_detaching(module);
      for (const jit::RegisteredRule &rule : rules)
        if (jit::plant_in_registered(module, rule, fault)) {
          ++planted_;
          broken_ |= llvm::verifyFunction(*module.getFunction(fault.place));
          return;
        }
    };
  } else {
    rules_ = std::make_unique<engine::RuleTable>(jit::with_fault(engine::RuleTable::get(), mutant.fault));
    fault.test_hooks.rules = rules_.get();
    planted_ = 1;
  }
  fault.differentiated = jit::remove_detaching;
  fault.compiled = [this](const llvm::Module &module) {
    if (is_comparing_code_)
      code_.begin()->second = jit::canonical_text(module);
  };
  program_.interfere(std::move(fault));
}

/// True when any code is another than without the fault; the rest is compiled when it is called.
bool MutationTarget::compile_altered(const std::vector<jit::Derivative> &derivatives) {
  for (const jit::Derivative &derivative : derivatives)
    program_.forget(derivative);
  is_comparing_code_ = true;
  const bool differs = std::ranges::any_of(derivatives, [&](const jit::Derivative &derivative) {
    code_ = {{derivative, ""}};
    const auto compiled_entry = program_.derivative(derivative);
    return std::holds_alternative<jit::NoDerivative>(compiled_entry) ||
           code_.at(derivative) != right_code_.at(derivative);
  });
  is_comparing_code_ = false;
  return differs;
}

std::vector<Combination> MutationTarget::combinations_of(const Mutant &mutant) const {
  if (!mutant.variant)
    return combinations_;
  std::vector<Combination> concerned;
  for (const Combination &plain : combinations_)
    if (plain.mode == mutant.variant->mode) {
      concerned.push_back(plain);
      concerned.back().form = mutant.variant->form;
      concerned.back().width = mutant.variant->width;
    }
  return concerned;
}

/// Where the check cannot say of the right derivative that it is right, the function has none: at the pole of a power,
/// or where a hypotenuse is zero. What a rule gives there is a choice.
bool MutationTarget::has_derivative(const Combination &combination, std::size_t point) {
  const auto [known, is_new] =
      has_derivative_.try_emplace({testutils::describe(right_.signature(), combination), point});
  if (!is_new)
    return known->second;
  try {
    const Arguments &inputs = points_to_compare()[point];
    known->second =
        testutils::check_combination(right_, combination, inputs, options_).verdict == testutils::Verdict::pass;
  } catch (const testutils::SubjectError &) { // Then it has none.
  }
  return known->second;
}

/// Random points, and edges: all inputs equal, and far from 1, and each of some alone zero.
const std::vector<Arguments> &MutationTarget::points_to_compare() {
  constexpr std::size_t most_axes = 4;
  const testutils::Signature &signature = right_.signature();
  std::vector<Arguments> &points = points_;
  if (!points.empty())
    return points;
  for (unsigned point = 0; point < random_points; ++point)
    points.push_back(testutils::random_inputs(signature, options_, 0x10000U + point));
  for (const double edge : {0.0, 1.0, -1.0, 0.5, 2.0, 1e-6, 1e3, -3.0, 1e-4, 1e4})
    points.push_back(points_of(signature, points.front(), edge));
  for (std::size_t axis = 0; axis < most_axes; ++axis) {
    const Arguments zeros = points_of(signature, points.front(), 0);
    Arguments point = points.front();
    for (std::size_t index = 0; index < point.size(); ++index)
      if (axis < point[index].size())
        point[index][axis] = zeros[index][axis];
    points.push_back(std::move(point));
  }
  return points;
}

/// Empty: none was found.
std::string MutationTarget::first_difference(const Combination &combination) {
  const testutils::Signature &signature = right_.signature();
  const std::vector<Arguments> &points = points_to_compare();
  for (unsigned sample = 0; sample < points.size(); ++sample) {
    if (sample >= random_points && !has_derivative(combination, sample))
      continue;
    const testutils::CaseName name{request_.settings.seed, "mutation", signature.function, sample};
    const testutils::DerivativeRequest request =
        testutils::random_request(signature, combination, points[sample], name);
    for (const double factor : {1.0, 0.0, 1e-15, 1e15}) {
      const testutils::DerivativeRequest call = with_seeds_times(request, factor);
      const testutils::DerivativeOutcome seen = subject_.differentiate(call), right = right_.differentiate(call);
      const std::string found = difference(signature, call, seen, right);
      if (!found.empty() && !is_same_derivative({subject_, right_, options_}, call, seen, right))
        return (sample < random_points ? "" : "only at an edge: ") +
               (factor == 1 ? found : fmt::format("with seeds times {}: {}", factor, found));
      if (sample != 0)
        break;
    }
  }
  return "";
}

bool MutationTarget::is_same_in_a_row(const std::vector<Combination> &combinations) {
  return std::ranges::none_of(combinations, [&](const Combination &combination) {
    std::vector<testutils::DerivativeRequest> requests;
    for (unsigned sample = 0; sample < random_points; ++sample)
      requests.push_back(
          testutils::random_request(right_.signature(), combination, points_to_compare()[sample],
                                    {request_.settings.seed, "mutation", right_.signature().function, sample}));
    return first_that_depends_on_calls({subject_, right_, options_}, requests).has_value();
  });
}

JudgedMutant MutationTarget::judge(const Mutant &mutant, const Progress &progress) {
  JudgedMutant judged{mutant, MutantFate::not_planted, ""};
  const std::vector<Combination> concerned = combinations_of(mutant);
  std::vector<jit::Derivative> derivatives;
  for (const Combination &combination : concerned)
    for (const jit::Derivative &derivative : derivatives_of(combination))
      derivatives.push_back(derivative);
  alter(mutant);
  if (!mutant.variant)
    program_.forget_derivatives();
  const bool differs = compile_altered(derivatives);
  if (planted_ == 0 || broken_) {
    judged.detail = broken_ ? "the code is not valid" : "there is no such place";
    return judged;
  }
  if (!differs && shows_in_code(mutant.fault.kind)) {
    judged.fate = MutantFate::same_code;
    return judged;
  }
  progress(compiled);
  judged.detail = check_->killing_check(concerned);
  judged.fate = MutantFate::killed;
  if (!judged.detail.empty())
    return judged;
  judged.fate = MutantFate::survived;
  progress(passed);
  if (!shows_in_one_call(mutant.fault.kind) && !(shows_in_two_calls(mutant.fault.kind) && is_same_in_a_row(concerned)))
    judged.detail = "what it changes for later calls was not seen";
  for (const Combination &combination : concerned)
    if (judged.detail.empty())
      judged.detail = first_difference(combination);
  if (judged.detail.empty())
    judged.fate = MutantFate::same_numbers;
  else if (!check_->undecided().empty())
    judged.detail += "; undecided: " + check_->undecided();
  return judged;
}

} // namespace assay::cli
