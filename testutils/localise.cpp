// Forward: one directional derivative of all numbers along the tangent; the first one that disagrees is it. A number
// for which the derivative has no tangent counts only if moving it moves an output.
//
// Reverse: with a_n the adjoint that derivative code gave the n-th number and F(d) = <w, y> with d_n added to the n-th,
//
//     dF(0) d = sum a_n d_n      for any set of numbers and any d
//
// so one random direction over a range of numbers tells whether any of its adjoints is wrong, and the last number
// with a wrong one, which is the first that reverse mode computes, is found by bisection. Numbers that the active
// inputs do not reach have no adjoint to compare.

#include "testutils/localise.hpp"

#include "testutils/consult.hpp"
#include "testutils/first_wrong.hpp"
#include "testutils/numbers.hpp"
#include "testutils/shrink.hpp"
#include "testutils/traced_subjects.hpp"

#include <assay/generators/stream.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace assay::testutils {

namespace {

constexpr std::size_t most_numbers = 1U << 18U;
// Numbers of one run that are looked at one by one where bisection is of no help.
constexpr std::size_t most_single_looks = 2000;
// Together they follow no more numbers than this, a dozen times: a few seconds.
constexpr std::size_t most_numbers_in_single_looks = 2'000'000;
// Relative to the values: what is beyond is no rounding.
constexpr double plainly_wrong = 1e-4;

bool is_plain(const Comparison &row) {
  return !(row.absolute_error <= plainly_wrong * std::max(std::abs(row.ad), std::abs(row.expected)));
}

/// A comparison that is certain.
bool is_wrong(const Compared &compared) {
  return compared.agreement == Agreement::differs && compared.trouble == fdm::Trouble::none;
}

fdm::FiniteDifferenceMethod close_by(const fdm::FiniteDifferenceMethod &method, const Signature &signature) {
  fdm::Options options = method.options;
  const double near = is_coarse(coarsest_element(signature)) ? 2e-2 : 1e-4;
  options.max_range = std::min(options.max_range, near);
  return {method.grid, method.derivative, options};
}

class Localiser {
public:
  Localiser(Stage &stage, Tracer &tracer, const DerivativeRequest &request)
      : stage(stage), tracer(tracer), request(request), method(close_by(stage.options.finite_differences, signature())),
        names(tracer.sites(), plain, request.combination.mode) {}

  void run(Record &record) {
    if (consult(stage, request, stage.subject.differentiate(request)).finding.verdict != Verdict::wrong_derivative)
      return; // It is another derivative that is wrong.
    const DerivativeOutcome outcome = tracer.differentiate(request, traced);
    if (consult(stage, request, outcome).finding.verdict != Verdict::wrong_derivative)
      return excuse(record, fmt::format("with every number kept in sight the derivative is right: the fault lies in {}",
                                        stage.subject.rules(request.combination).empty()
                                            ? "how the engine keeps or recomputes values"
                                            : "what the registered rule does where its result is not needed, or in how "
                                              "the engine keeps or recomputes values"));
    tracer.evaluate(stage.point.inputs, {}, plain);
    if (plain.count > most_numbers)
      return excuse(record, fmt::format("more than {} numbers were computed", most_numbers));
    if (!same_way(plain, traced))
      return excuse(record, "the derivative takes another way than the function");
    const std::optional<Compared> found =
        request.combination.mode == Mode::forward ? first_wrong_tangent() : first_wrong_adjoint();
    if (found)
      record.first_wrong = names.first_wrong(*found->comparison.place.parameter, found->comparison);
    else if (std::optional<FirstWrong> unseen = names.behind_all_numbers())
      record.first_wrong = std::move(unseen);
    else
      excuse(record, "finite differences do not tell which of those between inputs and outputs is wrong");
  }

private:
  const Signature &signature() const { return stage.subject.signature(); }

  static void excuse(Record &record, const std::string &reason) {
    record.hints.push_back("no first wrong number was found: " + reason);
  }

  // ---- forward ----

  std::optional<Compared> first_wrong_tangent() {
    NumbersOfRun numbers(signature(), tracer, plain);
    const Point point = numbers.point_at(stage.point);
    FiniteDifferenceOracle oracle(numbers, point, method);
    const Arguments &direction = request.shadows.front();
    const std::vector<Guess> guesses = oracle.along(direction);
    std::optional<Compared> small;
    for (std::size_t index = 0; index < guesses.size(); ++index) {
      const double tangent = traced.numbers[index].derivative;
      Compared compared =
          compare(numbers.signature(), stage.options.tolerance,
                  {point.outputs[index], guesses[index], std::abs(plain.numbers[index].value)}, tangent, 0, 1);
      if (!is_wrong(compared) || (small && !is_plain(compared.comparison)) || !matters(index) ||
          is_rough(oracle, direction, index, guesses[index].radius))
        continue;
      compared.comparison.place.parameter = index;
      if (is_plain(compared.comparison))
        return compared;
      small = compared;
    }
    return small;
  }

  static bool is_rough(FiniteDifferenceOracle &oracle, const Arguments &direction, std::size_t index, double radius) {
    Values weights(oracle.at().outputs.size());
    weights[index] = 1;
    const fdm::Smoothness smoothness = oracle.smoothness(direction, weights, radius);
    return smoothness == fdm::Smoothness::kink || smoothness == fdm::Smoothness::jump;
  }

  /// Where the derivative has no tangent, that is right if nothing that is asked for depends on the number.
  bool matters(std::size_t index) {
    if (traced.numbers[index].has_derivative)
      return true;
    Values amounts(index + 1);
    amounts[index] = 1e-6 * size_of(index);
    Trace trace;
    const PrimalOutcome moved = tracer.evaluate(stage.point.inputs, amounts, trace);
    if (!same_way(trace, plain))
      return false;
    for (const Place &place : stage.point.outputs) {
      const Activity activity =
          place.parameter ? request.combination.arguments[*place.parameter] : request.combination.result;
      if (activity != Activity::constant &&
          !same_bits(flat_outputs(moved, {place}), flat_outputs(stage.point.primal, {place})))
        return true;
    }
    return false;
  }

  double size_of(std::size_t index) const {
    const double size = std::abs(plain.numbers[index].value);
    return std::isfinite(size) && size > 0 ? size : 1;
  }

  // ---- reverse ----

  /// Numbers that move when the active inputs do.
  std::vector<bool> reached() {
    std::vector<bool> reached(plain.numbers.size());
    gen::Stream stream({.seed = stage.options.seed, .name = stage.name.name, .purpose = "reached numbers"});
    double amount = 1e-3;
    for (unsigned runs = 0, tries = 0; runs < 2 && tries < 12; ++tries) {
      Arguments inputs = stage.point.inputs;
      for (std::size_t parameter = 0; parameter < inputs.size(); ++parameter)
        if (request.combination.arguments[parameter] != Activity::constant)
          for (std::size_t element = 0; element < inputs[parameter].size(); ++element)
            move(inputs[parameter][element], amount * (0.5 + stream.uniform()) * (stream.integer(0, 1) == 0 ? -1 : 1),
                 signature().parameters[parameter], element);
      Trace trace;
      tracer.evaluate(inputs, {}, trace);
      if (!same_way(trace, plain)) {
        amount /= 10;
        continue;
      }
      for (std::size_t index = 0; index < reached.size(); ++index)
        reached[index] = reached[index] || !same_bits(trace.numbers[index].value, plain.numbers[index].value);
      ++runs;
    }
    return reached;
  }

  static void move(double &value, double amount, const Parameter &parameter, std::size_t element) {
    const double moved = rounded_to(parameter.element_type(element), value + amount * std::max(1.0, std::abs(value)));
    if (contains(parameter.domain, moved))
      value = moved;
  }

  std::optional<Compared> first_wrong_adjoint() {
    is_reached = reached();
    MovedNumbers moved(signature(), tracer, plain, stage.point, output_weights(stage.point, request, 0));
    const Point origin = moved.origin();
    FiniteDifferenceOracle oracle(moved, origin, method);
    std::size_t low = 0, high = plain.numbers.size();
    bool certain = is_wrong(compare_range(oracle, low, high));
    while (certain && high - low > 1) {
      const std::size_t middle = low + (high - low) / 2;
      if (is_wrong(compare_range(oracle, middle, high)))
        low = middle;
      else
        high = middle;
    }
    if (certain)
      if (const Compared found = compare_range(oracle, low, high); is_wrong(found))
        return found;
    return one_by_one(oracle);
  }

  std::optional<Compared> one_by_one(Oracle &oracle) {
    const std::size_t most_looks =
        std::min(most_single_looks, most_numbers_in_single_looks / std::max<std::size_t>(plain.numbers.size(), 1));
    std::size_t looks = 0;
    for (std::size_t index = plain.numbers.size(); index-- > 0;) {
      if (!is_reached[index])
        continue;
      if (const Compared compared = compare_range(oracle, index, index + 1); is_wrong(compared))
        return compared;
      if (++looks >= most_looks)
        break;
    }
    return std::nullopt;
  }

  /// A single number is moved by itself, so that the comparison shows its adjoint.
  Compared compare_range(Oracle &oracle, std::size_t low, std::size_t high) {
    gen::Stream stream({.seed = stage.options.seed,
                        .name = stage.name.name,
                        .purpose = "moved numbers",
                        .index = static_cast<std::uint32_t>(high)});
    Arguments direction = {Values(plain.numbers.size())};
    double adjoint = 0, magnitude = 0;
    for (std::size_t index = low; index < high; ++index) {
      const double random = (0.5 + stream.uniform()) * (stream.integer(0, 1) == 0 ? -1 : 1);
      if (!is_reached[index])
        continue;
      const double size = size_of(index) * (high - low == 1 ? 1 : random); // Equal faults must not cancel.
      direction.front()[index] = size;
      const double term = size * traced.numbers[index].derivative;
      adjoint += term;
      magnitude += std::abs(term);
    }
    Guess guess = oracle.along(direction).front();
    if (high - low == 1) {
      const double size = size_of(low);
      adjoint /= size;
      magnitude /= size;
      guess.value /= size;
      guess.error /= size;
    }
    Compared compared =
        compare(oracle.signature(), stage.options.tolerance, {{std::nullopt, 0, 0}, guess, magnitude}, adjoint, 0, 1);
    compared.comparison.place.parameter = low;
    return compared;
  }

  Stage &stage;
  Tracer &tracer;
  const DerivativeRequest &request;
  fdm::FiniteDifferenceMethod method;
  Trace traced; ///< Of the derivative.
  Trace plain;  ///< Of the function.
  NamesOfNumbers names;
  std::vector<bool> is_reached;
};

} // namespace

void localise(Stage &stage, Record &record) {
  if (record.verdict != Verdict::wrong_derivative || stage.point.verdict != Verdict::pass)
    return;
  Combination combination = record.combination;
  combination.width = 1;
  try {
    const std::unique_ptr<Tracer> tracer = stage.subject.tracer(combination);
    if (!tracer)
      return;
    DerivativeRequest request = random_request(stage.subject.signature(), combination, stage.point.inputs, stage.name,
                                               stage.options.output_tangent);
    if (combination.mode == Mode::reverse)
      request = without_incoming(std::move(request), stage.point);
    Localiser(stage, *tracer, request).run(record);
  } catch (const SubjectError &error) {
    record.hints.push_back(fmt::format("no first wrong number was found: {}", error.what()));
  }
}

} // namespace assay::testutils
