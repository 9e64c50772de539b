#include "core/engine/request/batch.hpp"
#include "core/engine/request/call_operands.hpp"
#include "core/engine/request/constant_resolution.hpp"
#include "core/engine/request/derivative_call.hpp"
#include "core/engine/request/diagnostics.hpp"
#include "core/engine/request/source_signature.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

/// For each parameter of f its value in each lane.
using BatchArguments = SmallVector<SmallVector<Value *, 4>, 4>;

Expected<unsigned> width_of(CallBase &call) {
  for (unsigned index = 0; index + 1 < call.arg_size(); ++index)
    if (marker_of(call.getArgOperand(index)) == Marker::width)
      if (const auto width = resolve_integer(call.getArgOperand(index + 1)); width && *width > 0 && *width <= 4096)
        return *width;
  return unsupported(call, "__enzyme_batch needs enzyme_width and a positive constant",
                     "write __enzyme_batch(f, enzyme_width, W, ...)");
}

Expected<BatchArguments> arguments_of(CallBase &call, Function &function, unsigned width) {
  BatchArguments arguments;
  bool vector = false;
  for (unsigned index = first_argument(call) + 1; index < call.arg_size();) {
    const std::optional<Marker> kind = marker_of(call.getArgOperand(index));
    if (kind) {
      vector = kind == Marker::vector;
      index += kind == Marker::width ? 2 : 1;
      continue;
    }
    const unsigned count = vector ? width : 1;
    if (index + count > call.arg_size() || arguments.size() == function.arg_size())
      break;
    SmallVector<Value *, 4> lanes;
    for (unsigned lane = 0; lane < width; ++lane)
      lanes.push_back(call.getArgOperand(index + (vector ? lane : 0)));
    arguments.push_back(lanes);
    index += count;
    vector = false;
    if (index == call.arg_size() && arguments.size() == function.arg_size())
      return arguments;
  }
  return unsupported(
      call, "the arguments of __enzyme_batch do not match those of '" + source_name(function) + "'",
      "give enzyme_vector and one value for each lane, or enzyme_scalar and one value, for each argument");
}

} // namespace

Expected<SmallVector<Value *, 4>> emit_batch(IRBuilderBase &builder, CallBase &call, Function &function) {
  Expected<unsigned> width = width_of(call);
  if (!width)
    return width.takeError();
  Expected<BatchArguments> arguments = arguments_of(call, function, *width);
  if (!arguments)
    return arguments.takeError();
  const DataLayout &layout = call.getDataLayout();
  for (auto [parameter, lanes] : zip(function.args(), *arguments))
    if (!is_convertible(lanes[0]->getType(), parameter.getType(), layout))
      return unsupported(
          call, "an argument of __enzyme_batch has another type than '" + source_name(function) + "' takes", "cast it");
  SmallVector<Value *, 4> results;
  for (unsigned lane = 0; lane < *width; ++lane) {
    SmallVector<Value *, 4> values;
    for (auto [parameter, lanes] : zip(function.args(), *arguments))
      values.push_back(convert_argument(builder, {.value = lanes[lane]}, parameter.getType()));
    CallInst *result = builder.CreateCall(&function, values);
    result->setCallingConv(function.getCallingConv());
    if (!result->getType()->isVoidTy())
      results.push_back(result);
  }
  return results;
}

} // namespace assay::engine
