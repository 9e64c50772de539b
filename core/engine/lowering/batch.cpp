#include "core/engine/lowering/batch.hpp"
#include "core/engine/lowering/derivative_call.hpp"
#include "core/engine/lowering/operand_reader.hpp"
#include "core/engine/support/constant_resolution.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "core/engine/support/passed_values.hpp"
#include "core/engine/support/type_content.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

/// What one parameter of f's source is given: the LLVM values that make it up, in each lane.
using BatchArgument = SmallVector<SmallVector<ArgumentValue, 2>, 4>;

class BatchReader {
public:
  BatchReader(CallBase &call, Function &function) : function_(function), reader_(call, "__enzyme_batch", function) {}

  Expected<SmallVector<BatchArgument, 4>> read() {
    if (Error error = reader_.read_width())
      return error;
    SmallVector<BatchArgument, 4> arguments;
    for (unsigned source = 0; source < reader_.sources().size(); ++source) {
      Expected<BatchArgument> argument = read_argument(source);
      if (!argument)
        return argument.takeError();
      arguments.push_back(std::move(*argument));
    }
    if (Expected<std::optional<Marker>> trailing = read_markers(); !trailing)
      return trailing.takeError();
    if (!has_width_)
      return reader_.error("__enzyme_batch needs enzyme_width and a positive constant",
                           "write __enzyme_batch(f, enzyme_width, W, ...)");
    if (!reader_.at_end())
      return reader_.error("more values are given to __enzyme_batch than the function takes",
                           "give one value for each lane, or enzyme_scalar and one value for all of them, for each "
                           "argument");
    return arguments;
  }
  unsigned width() const { return reader_.width(); }

private:
  /// What stands before a value: whether one operand follows for each lane, or one for all.
  Expected<std::optional<Marker>> read_markers() {
    std::optional<Marker> written;
    while (const std::optional<Marker> kind = reader_.next_marker()) {
      reader_.skip();
      if (kind == Marker::vector || kind == Marker::scalar) {
        written = kind;
        continue;
      }
      if (kind != Marker::width)
        return reader_.error(name_of(*kind) + " has no meaning for __enzyme_batch",
                             "mark arguments with enzyme_vector or enzyme_scalar");
      has_width_ = true;
      if (Expected<Value *> width = reader_.take_written("enzyme_width"); !width)
        return width.takeError();
    }
    return written;
  }

  /// Without a marker, an argument that may carry a derivative has one value for each lane, and an integer one for all.
  Marker default_marker(unsigned source) const {
    const SourceParameter &parameter = reader_.source(source);
    for (unsigned index = parameter.first; index < parameter.first + parameter.count; ++index) {
      const Argument &argument = *function_.getArg(index);
      const Type *type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
      if (contains_floating(type) || contains_pointer(type))
        return Marker::vector;
    }
    return Marker::scalar;
  }

  Expected<BatchArgument> read_argument(unsigned source) {
    Expected<std::optional<Marker>> marker = read_markers();
    if (!marker)
      return marker.takeError();
    const bool vector = marker->value_or(default_marker(source)) == Marker::vector;
    BatchArgument lanes;
    for (unsigned lane = 0; lane < (vector ? width() : 1); ++lane) {
      lanes.emplace_back();
      if (Error error = reader_.take_values(source, "value", false, lanes.back()))
        return error;
    }
    while (lanes.size() < width())
      lanes.push_back(lanes.front());
    return lanes;
  }

  Function &function_;
  OperandReader reader_;
  bool has_width_ = false;
};

} // namespace

Expected<SmallVector<Value *, 4>> emit_batch(IRBuilderBase &builder, CallBase &call, Function &function) {
  BatchReader reader(call, function);
  Expected<SmallVector<BatchArgument, 4>> arguments = reader.read();
  if (!arguments)
    return arguments.takeError();
  SmallVector<Value *, 4> results;
  for (unsigned lane = 0; lane < reader.width(); ++lane) {
    PassingCall passing(builder, function);
    for (const BatchArgument &argument : *arguments)
      for (const ArgumentValue &value : argument[lane])
        passing.pass_operand(convert_argument(builder, value, passing.next()->getType()));
    AllocaInst *memory = nullptr;
    CallInst *result = passing.call(memory);
    if (memory)
      results.push_back(load_parts(builder, *returned_type(function), memory));
    else if (!result->getType()->isVoidTy())
      results.push_back(result);
  }
  return results;
}

} // namespace assay::engine
