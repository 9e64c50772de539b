#include "core/engine/lowering/batch.hpp"
#include "core/engine/lowering/derivative_call.hpp"
#include "core/engine/lowering/operand_reader.hpp"
#include "core/engine/support/constant_resolution.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "core/engine/support/passed_values.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

/// What one parameter of f's source is given: the LLVM values that make it up, in each lane.
using BatchArgument = SmallVector<SmallVector<ArgumentValue, 2>, 4>;

class BatchReader {
public:
  BatchReader(CallBase &call, Function &function) : reader_(call, "__enzyme_batch", function) {}

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
    if (Expected<bool> vector = read_markers(); !vector)
      return vector.takeError();
    if (!has_width_)
      return reader_.error("__enzyme_batch needs enzyme_width and a positive constant",
                           "write __enzyme_batch(f, enzyme_width, W, ...)");
    if (!reader_.at_end())
      return reader_.error("more values are given to __enzyme_batch than the function takes",
                           "give enzyme_vector and one value for each lane, or enzyme_scalar and one value, for each "
                           "argument");
    return arguments;
  }
  unsigned width() const { return reader_.width(); }

private:
  /// True where the value that follows has one operand for each lane.
  Expected<bool> read_markers() {
    bool vector = false;
    while (const std::optional<Marker> kind = reader_.next_marker()) {
      reader_.skip();
      vector = kind == Marker::vector;
      if (kind != Marker::width)
        continue;
      has_width_ = true;
      if (Expected<Value *> width = reader_.take_written("enzyme_width"); !width)
        return width.takeError();
    }
    return vector;
  }

  Expected<BatchArgument> read_argument(unsigned source) {
    Expected<bool> vector = read_markers();
    if (!vector)
      return vector.takeError();
    BatchArgument lanes;
    for (unsigned lane = 0; lane < (*vector ? width() : 1); ++lane) {
      lanes.emplace_back();
      if (Error error = reader_.take_values(source, "value", false, lanes.back()))
        return error;
    }
    while (lanes.size() < width())
      lanes.push_back(lanes.front());
    return lanes;
  }

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
