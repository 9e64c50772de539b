#include "cli/call_frame.hpp"

#include <fmt/format.h>

namespace assay::cli {

/// The type in which the compiled function takes or returns the numbers: `int=8` may be for a 64-bit parameter.
jit::Scalar storage_type(const jit::ParameterType &type, jit::Scalar spec) {
  switch (type.kind) {
  case jit::ParameterType::Kind::real64:
    return jit::Scalar::real64;
  case jit::ParameterType::Kind::real32:
    return jit::Scalar::real32;
  case jit::ParameterType::Kind::integer:
    return type.bits == 64 ? jit::Scalar::integer64 : jit::Scalar::integer32;
  case jit::ParameterType::Kind::pointer:
    return spec;
  }
  return spec;
}

void CallFrame::place(std::size_t slot, NumberBuffer buffer, std::string description) {
  slots_[slot] = buffer.data();
  buffers_.push_back({slot, std::move(buffer), std::move(description)});
}

void CallFrame::place_inputs(const testutils::Arguments &inputs) {
  for (std::size_t index = 0; index < inputs.size(); ++index)
    place(layout.parameter(index), {type(index), inputs[index]}, name(index));
}

void CallFrame::place_result() {
  if (request_.function.result)
    place(layout.result(), NumberBuffer::poisoned(result_type(), 1), "the result");
}

void CallFrame::call_between(void (*action)(void *), void *argument) {
  slots_[layout.between()] = reinterpret_cast<void *>(action);
  slots_[layout.between_argument()] = argument;
}

void CallFrame::poison_buffers() {
  for (Placed &placed : buffers_)
    if (is_passed_memory(placed))
      placed.buffer.poison();
}

std::vector<std::string> CallFrame::changes_of_poison() const {
  std::vector<std::string> sentences;
  for (const Placed &placed : buffers_)
    if (is_passed_memory(placed) && !placed.buffer.is_poisoned())
      sentences.push_back(fmt::format(
          "the reverse sweep writes to {}, which may hold something else since the augmented primal returned",
          placed.description));
  return sentences;
}

jit::Scalar CallFrame::type(std::size_t parameter) const {
  return storage_type(request_.function.parameters[parameter], request_.arguments[parameter].type);
}

jit::Scalar CallFrame::result_type() const {
  return storage_type(*request_.function.result, jit::Scalar::real64);
}

testutils::Values CallFrame::at(std::size_t slot) const {
  for (const Placed &placed : buffers_)
    if (placed.slot == slot)
      return placed.buffer.values();
  return {};
}

testutils::Arguments CallFrame::contents() const {
  testutils::Arguments contents;
  for (std::size_t index = 0; index < layout.parameters; ++index)
    contents.push_back(at(layout.parameter(index)));
  return contents;
}

std::vector<std::string> CallFrame::violations() const {
  std::vector<std::string> sentences;
  for (const Placed &placed : buffers_)
    if (const NumberBuffer::Damage damage = placed.buffer.damage(); damage != NumberBuffer::Damage::none)
      sentences.push_back(fmt::format("memory {} {} was written",
                                      damage == NumberBuffer::Damage::before ? "before" : "behind",
                                      placed.description));
  return sentences;
}

} // namespace assay::cli
