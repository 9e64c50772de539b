// Distinctions that the key of a cache misses, one kind of call each:
//
//   a small part       it compares with a tolerance, or keeps its key in `float`
//   another order      it is a sum, a maximum or a hash that does not know places
//   the other sign     it is a square or a magnitude
//   one number         it does not cover one of the arguments, or the end of an array
//   many others        there is no room for the next key

#include "testutils/alike_calls.hpp"

#include "testutils/numbers.hpp"
#include "testutils/shrink.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace assay::testutils {

namespace {

constexpr std::size_t most_single_parameters = 4;
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

Arguments rearranged(const Signature &signature, Arguments inputs) {
  for (std::size_t index = 0; index < inputs.size(); ++index)
    if (may_change(signature.parameters[index]) && signature.parameters[index].element_types.empty())
      std::reverse(inputs[index].begin(), inputs[index].end());
  return inputs;
}

Arguments mirrored(const Signature &signature, Arguments inputs) {
  for (std::size_t index = 0; index < inputs.size(); ++index)
    if (may_change(signature.parameters[index]))
      for (double &value : inputs[index])
        value = contains(signature.parameters[index].domain, -value) ? -value : value;
  return inputs;
}

/// Of each argument, the last number of another point.
void add_with_one_number(std::vector<AlikeCall> &calls, const Signature &signature, const Arguments &inputs,
                         const Arguments &others) {
  std::size_t count = 0;
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    if (!may_change(signature.parameters[index]) || inputs[index].empty() || count == most_single_parameters)
      continue;
    ++count;
    Arguments there = inputs;
    there[index].back() = others[index].back();
    const Parameter &parameter = signature.parameters[index];
    calls.push_back({inputs[index].size() == 1
                         ? fmt::format("inputs of which only {} is another", parameter.name)
                         : fmt::format("inputs of which only the last number of {} is another", parameter.name),
                     std::move(there),
                     {}});
  }
}

} // namespace

Arguments nearby_inputs(const Signature &signature, Arguments inputs) {
  for (std::size_t index = 0; index < inputs.size(); ++index)
    for (std::size_t element = 0; may_change(signature.parameters[index]) && element < inputs[index].size(); ++element)
      inputs[index][element] = moved(signature.parameters[index], element, inputs[index][element]);
  return inputs;
}

std::vector<AlikeCall> alike_calls(const Signature &signature, const Arguments &inputs, const CheckOptions &options,
                                   unsigned sample) {
  const auto random = [&](unsigned number) {
    return random_inputs(signature, options, (sample << 16U) + behind_all_draws + number);
  };
  std::vector<AlikeCall> calls{{"inputs that differ by a small part", nearby_inputs(signature, inputs), {}},
                               {"the same numbers in another order", rearranged(signature, inputs), {}},
                               {"the same numbers with other signs", mirrored(signature, inputs), {}}};
  add_with_one_number(calls, signature, inputs, random(0));
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
