#include "core/engine/lowering/parsed_return.hpp"
#include "core/engine/support/type_content.hpp"

using namespace llvm;

namespace assay::engine {

Error decide_return(ParsedCall &parsed, ArrayRef<Marker> markers, const OperandReader &reader) {
  Request &request = parsed.request;
  const Function &function = *request.function;
  Type *type = function.getReturnType();
  const bool hidden = function.hasStructRetAttr();
  Type *returned = hidden ? function.getParamStructRetType(0) : type;
  const bool floating = contains_floating(returned), pointer = contains_pointer(returned);
  const bool forward = request.mode == Mode::forward,
             split = request.mode == Mode::augmented || request.mode == Mode::split_reverse;
  const auto has = [&](Marker kind) { return is_contained(markers, kind); };
  const bool constant = has(Marker::const_return);

  Activity activity = Activity::constant;
  if (forward) {
    if (!constant && !has(Marker::noret) && (floating || pointer))
      activity = Activity::duplicated;
    if (has(Marker::active_return))
      return reader.error("enzyme_active_return has no meaning in forward mode", "use enzyme_dup_return");
  } else if (!constant && has(Marker::dup_return)) {
    activity = Activity::duplicated;
  } else if (!constant && floating && !pointer) {
    activity = Activity::active;
  } else if (!constant && split && pointer) {
    activity = Activity::duplicated;
  }

  bool keep = has(Marker::primal_return) || (forward && has(Marker::dup_return));
  if (request.mode == Mode::augmented)
    keep = !has(Marker::noret);
  if (hidden) {
    // The struct is an argument for the engine: as a result with an adjoint it has a shadow that is seeded.
    parsed.struct_return = activity == Activity::constant ? StructReturn::constant : StructReturn::duplicated;
    request.argument_activity[0] = activity == Activity::constant ? Activity::constant : Activity::duplicated;
    parsed.returns_struct_primal = keep;
    parsed.returns_struct_shadow = activity == Activity::duplicated && (forward || request.mode == Mode::augmented);
    parsed.struct_takes_seed = activity == Activity::active && request.mode == Mode::split_reverse;
    return Error::success();
  }
  // Both halves of a split derivative are asked for alike, and so written together: they agree on the tape.
  if (request.mode == Mode::split_reverse)
    keep = !has(Marker::noret);
  request.return_activity = activity;
  request.primal_return = keep && !type->isVoidTy() ? PrimalReturn::keep : PrimalReturn::omit;
  return Error::success();
}

} // namespace assay::engine
