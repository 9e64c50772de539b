// Distinctions that the key of a cache misses, one kind of call each:
//
//   a small part       it compares with a tolerance, or keeps its key in `float`
//   another order      it is a sum, a maximum or a hash that does not know places, also of the numbers between the ends
//   the other sign     it is a square or a magnitude
//   the same sum       it is a sum of two arguments, or of an array
//   one number         it does not cover one of the arguments, or the end of an array, or the numbers between its ends
//   other integers     it does not cover an array of indices, flags or labels
//   many others        there is no room for the next key

#include "testutils/alike_calls.hpp"

#include "testutils/numbers.hpp"
#include "testutils/shrink.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace assay::testutils {

namespace {

constexpr std::size_t most_single_parameters = 4;
/// The last one, and others of an array, drawn at each point.
constexpr std::size_t most_single_numbers = 3;
/// Indices of draws that no point has.
constexpr unsigned behind_all_draws = 0xFF01;

double moved(const Parameter &parameter, std::size_t element, double value) {
  const ElementType type = parameter.element_type(element);
  const double part = is_of_16_bits(type)                     ? 8 * epsilon_of(type)
                      : type == ElementType::single_precision ? 0x1p-18
                                                              : 0x1p-30;
  const double there = rounded_to(type, value * (1 + part));
  return contains(parameter.domain, there) ? there : value;
}

bool may_hold(const Parameter &parameter, double value) {
  return contains(parameter.domain, value) && rounded_to(parameter.element, value) == value;
}

/// Calls `visit(first, second)` for pairs of arguments that are single numbers, with their parameters.
template <class Visit>
void for_each_pair_of_scalars(const Signature &signature, Arguments &inputs, Visit visit) {
  std::optional<std::size_t> first;
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    const Parameter &parameter = signature.parameters[index];
    if (inputs[index].size() != 1 || !may_change(parameter) || parameter.element == ElementType::integer)
      continue;
    if (first) {
      visit(inputs[*first][0], signature.parameters[*first], inputs[index][0], parameter);
      first.reset();
    } else {
      first = index;
    }
  }
}

void exchange(double &one, const Parameter &of_one, double &other, const Parameter &of_other) {
  if (may_hold(of_one, other) && may_hold(of_other, one))
    std::swap(one, other);
}

/// What one number gains the other one loses.
void shift(double &one, const Parameter &of_one, double &other, const Parameter &of_other) {
  const double sum = one + other, moved = rounded_to(of_one.element, one + (1 + std::abs(one)) / 8);
  if (may_hold(of_one, moved) && may_hold(of_other, sum - moved)) {
    one = moved;
    other = sum - moved;
  }
}

Arguments balanced(const Signature &signature, Arguments inputs) {
  for (std::size_t index = 0; index < inputs.size(); ++index)
    if (const Parameter &parameter = signature.parameters[index];
        may_change(parameter) && parameter.element_types.empty() && parameter.element != ElementType::integer &&
        inputs[index].size() > 1)
      shift(inputs[index].front(), parameter, inputs[index].back(), parameter);
  for_each_pair_of_scalars(signature, inputs, shift);
  return inputs;
}

Arguments rearranged(const Signature &signature, Arguments inputs) {
  for (std::size_t index = 0; index < inputs.size(); ++index)
    if (may_change(signature.parameters[index]) && signature.parameters[index].element_types.empty())
      std::reverse(inputs[index].begin(), inputs[index].end());
  for_each_pair_of_scalars(signature, inputs, exchange);
  return inputs;
}

/// As a key of ends and sums does not tell.
Arguments rearranged_between_ends(const Signature &signature, Arguments inputs) {
  for (std::size_t index = 0; index < inputs.size(); ++index)
    if (may_change(signature.parameters[index]) && signature.parameters[index].element_types.empty() &&
        inputs[index].size() > 3)
      std::reverse(inputs[index].begin() + 1, inputs[index].end() - 1);
  return inputs;
}

Arguments mirrored(const Signature &signature, Arguments inputs) {
  for (std::size_t index = 0; index < inputs.size(); ++index)
    if (may_change(signature.parameters[index]))
      for (double &value : inputs[index])
        value = contains(signature.parameters[index].domain, -value) ? -value : value;
  return inputs;
}

/// The last number, and some between the ends, so that a key that is a sample of an array misses one of them.
std::vector<std::size_t> single_numbers(std::size_t count, std::size_t draw) {
  constexpr std::size_t stride = 0x9E3779B1; // A prime near 2^32 / golden ratio: the draws spread over the array.
  std::vector<std::size_t> numbers{count - 1};
  for (std::size_t index = 0; count > 2 && index + 1 < std::min(most_single_numbers, count - 1); ++index)
    if (const std::size_t number = 1 + (draw * (most_single_numbers - 1) + index + 1) * stride % (count - 2);
        std::ranges::find(numbers, number) == numbers.end())
      numbers.push_back(number);
  return numbers;
}

std::string name_of_single(const Parameter &parameter, std::size_t count, std::size_t number) {
  if (count == 1)
    return fmt::format("inputs of which only {} is another", parameter.name);
  return number + 1 == count
             ? fmt::format("inputs of which only the last number of {} is another", parameter.name)
             : fmt::format("inputs of which only number {} of {} of {} is another", number + 1, count, parameter.name);
}

/// Numbers that are drawn with a structure stay close to it: there the function can be run.
double other_number(const Parameter &parameter, std::size_t number, double value, double other) {
  return may_change(parameter) ? other : moved(parameter, number, value);
}
bool has_single_numbers(const Parameter &parameter) {
  return parameter.fixed.empty() && parameter.element != ElementType::integer && parameter.domain.step == 0;
}

/// Of each argument, some numbers of another point.
void add_with_one_number(std::vector<AlikeCall> &calls, const Signature &signature, const Arguments &inputs,
                         const Arguments &others, unsigned draw) {
  std::size_t count = 0;
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    const Parameter &parameter = signature.parameters[index];
    if (!has_single_numbers(parameter) || inputs[index].empty() || count == most_single_parameters)
      continue;
    ++count;
    for (const std::size_t number : single_numbers(inputs[index].size(), draw)) {
      Arguments there = inputs;
      there[index][number] = other_number(parameter, number, inputs[index][number], others[index][number]);
      calls.push_back({name_of_single(parameter, inputs[index].size(), number), std::move(there), {}});
    }
  }
}

/// Of each argument of integers that are drawn, those of another point.
void add_with_other_integers(std::vector<AlikeCall> &calls, const Signature &signature, const Arguments &inputs,
                             const Arguments &others) {
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    const Parameter &parameter = signature.parameters[index];
    if (parameter.element != ElementType::integer || !parameter.fixed.empty())
      continue;
    Arguments there = inputs;
    there[index] = others[index];
    calls.push_back(
        {fmt::format("inputs of which only the integers of {} are others", parameter.name), std::move(there), {}});
  }
}

} // namespace

Arguments nearby_inputs(const Signature &signature, Arguments inputs) {
  for (std::size_t index = 0; index < inputs.size(); ++index)
    for (std::size_t element = 0; may_change(signature.parameters[index]) && element < inputs[index].size(); ++element)
      inputs[index][element] = moved(signature.parameters[index], element, inputs[index][element]);
  return inputs;
}

Arguments grown(const Signature &signature, Arguments inputs, double factor) {
  for (std::size_t index = 0; index < inputs.size(); ++index)
    for (std::size_t element = 0; element < inputs[index].size(); ++element)
      if (const ElementType type = signature.parameters[index].element_type(element); type != ElementType::integer)
        inputs[index][element] = rounded_to(type, factor * inputs[index][element]);
  return inputs;
}

std::vector<AlikeCall> alike_calls(const Signature &signature, const Arguments &inputs, const CheckOptions &options,
                                   unsigned sample) {
  const auto random = [&](unsigned number) {
    return random_inputs(signature, options, (sample << 16U) + behind_all_draws + number);
  };
  std::vector<AlikeCall> calls{
      {"inputs that differ by a small part", nearby_inputs(signature, inputs), {}},
      {"the same numbers in another order", rearranged(signature, inputs), {}},
      {"the same numbers between the ends in another order", rearranged_between_ends(signature, inputs), {}},
      {"the same numbers with other signs", mirrored(signature, inputs), {}},
      {"other numbers with the same sum", balanced(signature, inputs), {}}};
  const Arguments others = random(0);
  add_with_one_number(calls, signature, inputs, others, sample);
  add_with_other_integers(calls, signature, inputs, others);
  if (sample == 0 && options.earlier_calls > 1) {
    AlikeCall last{fmt::format("{} other inputs", options.earlier_calls), random(1), {}};
    for (unsigned number = 2; number <= options.earlier_calls; ++number)
      last.before.push_back(random(number));
    calls.push_back(std::move(last));
  }
  std::erase_if(calls, [&](const AlikeCall &call) { return same_bits(call.inputs, inputs); });
  return calls;
}

} // namespace assay::testutils
