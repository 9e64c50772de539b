#include "core/engine/emit/extremum_choice.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

bool carries(const ForwardSweep &sweep, const Value &value) {
  return !isa<Constant>(value) && sweep.activity.carries_derivative(value);
}

/// The rule of fmax and fmin (rules/piecewise_rules.cpp): at a tie the first, and a number before what is none.
Value *write_choice(CallBase &copy, Extremum kind) {
  IRBuilder<> builder(copy.getNextNode());
  Value *first = copy.getArgOperand(0), *second = copy.getArgOperand(1);
  if (kind == Extremum::minimum)
    return builder.CreateAnd(builder.CreateFCmpUGE(second, first), builder.CreateFCmpORD(first, first), "choice");
  return builder.CreateAnd(builder.CreateFCmpUGE(first, second), builder.CreateFCmpORD(first, first), "choice");
}

} // namespace

void write_extremum_choices(ForwardSweep &sweep) {
  for (const auto &[extremum, kind] : sweep.noted_extrema.kinds)
    if (auto *copy = dyn_cast_or_null<CallInst>(sweep.primal(extremum)))
      sweep.extremum_choices[extremum] = write_choice(*copy, kind);
}

Value *extremum_choice(const ForwardSweep &sweep, const Instruction &extremum) {
  return sweep.extremum_choices.lookup(&extremum);
}

void emit_extremum(ReverseEmitter &emitter, const Instruction &extremum, Value *choice) {
  IRBuilder<> &builder = emitter.builder();
  Value *first_taken = emitter.lookup(choice);
  for (unsigned lane = 0; lane < emitter.width(); ++lane) {
    Value *seed = emitter.take_adjoint(&extremum, lane);
    Value *zero = Constant::getNullValue(seed->getType());
    for (const bool first : {true, false}) {
      const Value *operand = extremum.getOperand(first ? 0 : 1);
      if (carries(emitter.sweep(), *operand))
        emitter.add_adjoint(operand, lane, builder.CreateSelect(first_taken, first ? seed : zero, first ? zero : seed));
    }
  }
}

} // namespace assay::engine
