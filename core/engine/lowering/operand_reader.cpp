#include "core/engine/lowering/operand_reader.hpp"
#include "core/engine/support/constant_resolution.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace assay::engine {

Error OperandReader::error(const Twine &reason, const Twine &remedy) const {
  return unsupported(call_, reason, remedy);
}

std::string OperandReader::takes() const {
  return ("'" + source_name(function_) + "' takes " + Twine(sources_.size()) +
          (sources_.size() == 1 ? " argument" : " arguments"))
      .str();
}

Error OperandReader::too_many() const {
  return error(
      takes() + ", but more are given to " + call_name_,
      "give each argument once, followed by its shadow only where it is duplicated (enzyme_dup, or a pointer)");
}

Error OperandReader::too_few(unsigned source) const {
  return error(takes() + ", but the values given to " + call_name_ + " end before argument " + Twine(source + 1) +
                   " is complete",
               "give every argument, and a shadow after each one that is duplicated (a pointer is, by default)");
}

Error OperandReader::wrong_type(unsigned source, StringRef role, Type *from, Type *to) const {
  std::string text;
  raw_string_ostream out(text);
  out << "the " << role << " of argument " << source + 1 << " of '" << source_name(function_) << "' has type " << *from
      << ", which cannot be converted to " << *to;
  return error(text, "check the order of arguments and shadows, and cast the value");
}

std::optional<Marker> OperandReader::next_marker() const {
  return at_end() ? std::nullopt : marker_of(written_value(operands_[next_]));
}

std::optional<StringRef> OperandReader::next_unknown_marker() const {
  return at_end() ? std::nullopt : unknown_marker_of(written_value(operands_[next_]));
}

bool OperandReader::contains(Marker kind) const {
  return any_of(operands_, [&](const Operand &operand) { return marker_of(written_value(operand)) == kind; });
}

Error OperandReader::read_width() {
  for (size_t index = 0; index + 1 < operands_.size(); ++index) {
    if (marker_of(written_value(operands_[index])) != Marker::width)
      continue;
    const std::optional<std::int64_t> width = resolve_integer(written_value(operands_[index + 1]));
    if (!width || *width < 1 || *width > 4096)
      return error("the value after enzyme_width is not a positive constant",
                   "give the number of shadows as a literal");
    width_ = *width;
  }
  return Error::success();
}

Expected<Value *> OperandReader::take_written(StringRef after) {
  if (at_end())
    return error(after + " is not followed by a value", "put its value right after it");
  return written_value(operands_[next_++]);
}

Error OperandReader::take_values(unsigned source, StringRef role, bool by_reference,
                                 SmallVectorImpl<ArgumentValue> &values) {
  const SourceParameter &parameter = sources_[source];
  if (at_end())
    return too_few(source);
  if (next_marker())
    return error("a marker stands where the " + role + " of argument " + Twine(source + 1) + " of '" +
                     source_name(function_) + "' is expected",
                 "a duplicated argument is followed by its shadow" +
                     Twine(width_ > 1 ? "s, one for each lane of enzyme_width" : ""));
  const Operand &operand = operands_[next_];
  const Argument &first = *function_.getArg(parameter.first);
  if (is_behind_pointer(operand, parameter, first) || (by_reference && !first.hasByValAttr())) {
    ++next_;
    behind_pointer(operand, parameter, values);
    return Error::success();
  }
  for (unsigned part = 0; part < parameter.count; ++part, ++next_) {
    if (at_end())
      return too_few(source);
    Type *from = operands_[next_].value->getType(), *to = function_.getArg(parameter.first + part)->getType();
    if (!is_convertible(from, to, layout_))
      return wrong_type(source, role, from, to);
    values.push_back({operands_[next_].value, false, 0, nullptr});
  }
  return Error::success();
}

bool OperandReader::is_behind_pointer(const Operand &operand, const SourceParameter &parameter,
                                      const Argument &first) const {
  if (first.hasByValAttr() || !operand.value->getType()->isPointerTy())
    return false;
  if (operand.reference) // of the object that f refers to, or of a pointer to it
    return !parameter.reference || !first.getType()->isPointerTy() ||
           operand.pointer_depth > pointer_depth(parameter.type);
  if (operand.by_value)
    return true;
  // Other languages than C have references, and not every mangling is understood here.
  const StringRef callee = call_.getCalledOperand()->stripPointerCasts()->getName();
  const bool mangled = callee.starts_with("_Z") || callee.starts_with("_R");
  return mangled && (first.getType()->isFPOrFPVectorTy() || first.getType()->isAggregateType());
}

/// The parts of a struct stand one behind the other, each at its natural alignment.
void OperandReader::behind_pointer(const Operand &operand, const SourceParameter &parameter,
                                   SmallVectorImpl<ArgumentValue> &values) const {
  std::uint64_t offset = 0;
  for (unsigned part = 0; part < parameter.count; ++part) {
    Type *type = function_.getArg(parameter.first + part)->getType();
    offset = alignTo(offset, layout_.getABITypeAlign(type));
    const bool converts = operand.referenced && is_convertible(operand.referenced, type, layout_);
    values.push_back({operand.value, true, offset, converts ? operand.referenced : nullptr});
    offset += layout_.getTypeStoreSize(type);
  }
}

Type *OperandReader::returned_type() const {
  return function_.hasStructRetAttr() ? function_.getParamStructRetType(0) : function_.getReturnType();
}

/// Struct seeds come behind a pointer, or as the registers that C's conventions make of them.
bool OperandReader::is_seed_behind_pointer(const Operand &operand) const {
  return operand.reference || (operand.by_value && returned_type()->isAggregateType());
}

/// A struct in registers: values one behind the other, until they fill it.
SmallVector<Value *, 2> OperandReader::take_parts() {
  const std::uint64_t size = layout_.getTypeStoreSize(returned_type());
  SmallVector<Value *, 2> parts;
  for (std::uint64_t filled = 0; filled < size && !at_end(); ++next_) {
    Type *type = operands_[next_].value->getType();
    filled = alignTo(filled, layout_.getABITypeAlign(type)) + layout_.getTypeStoreSize(type);
    if (filled > size || type->isPointerTy())
      return {};
    parts.push_back(operands_[next_].value);
  }
  return parts;
}

Expected<Seed> OperandReader::take_seed() {
  const Operand &operand = operands_[next_];
  const bool behind = is_seed_behind_pointer(operand);
  if (behind || is_convertible(operand.value->getType(), returned_type(), layout_)) {
    ++next_;
    return Seed{{operand.value, behind, 0, operand.referenced}, {}};
  }
  SmallVector<Value *, 2> parts;
  if (returned_type()->isAggregateType())
    parts = take_parts();
  if (parts.empty())
    return error("the seed of the result of '" + source_name(function_) + "' has another type than the result",
                 "give the adjoint of the result after the arguments");
  return Seed{{}, std::move(parts)};
}

} // namespace assay::engine
