// Calls in the memory graph: arguments flow into bodies that are followed, library functions have the effects of their
// table, and all memory that reaches an unknown function may be mixed.
#include "core/engine/analysis/library_effects.hpp"
#include "core/engine/analysis/memory_classes.hpp"
#include "core/engine/analysis/number_parts.hpp"
#include "core/engine/analysis/tagged_copies.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/rule_template.hpp"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"

namespace assay::engine {

/// The derivative does to its arguments what the function does, and mixes nothing else.
static bool asks_for_derivative(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  if (callee != nullptr && !callee->isDeclaration() && callee->hasFnAttribute(derivative_attribute))
    return true; // of which the body is not looked into
  const auto kind = callee != nullptr ? convention_call(*callee) : std::nullopt;
  return kind == ConventionCall::autodiff || kind == ConventionCall::fwddiff || kind == ConventionCall::augmentfwd ||
         kind == ConventionCall::reverse;
}

void MemoryClasses::visit_call_of(const llvm::CallBase &call, FrameId callee) {
  const llvm::Function &function = calls_.function(callee);
  for (unsigned index = 0; index < call.arg_size() && index < function.arg_size(); ++index) {
    auto actual = place(*call.getArgOperand(index)), formal = place(*function.getArg(index), callee);
    if (actual && formal)
      graph_.add_flow(*actual, *formal);
  }
  if (auto result = place(call))
    graph_.add_flow(return_place(callee, *call.getType()), *result);
}

/// The function's rule says what it does to numbers, or it does nothing to them, or is not looked into; what its
/// parameters lead to does not meet on the way of a launch, or of a message.
static bool keeps_pointers_apart(const llvm::Function &function) {
  return function.hasFnAttribute(keeps_pointers_apart_attribute) || function.hasFnAttribute(gathers_numbers);
}

void MemoryClasses::visit_unknown_call(const llvm::CallBase &call) {
  llvm::SmallVector<PlaceId, 8> reached;
  for (const llvm::Use &argument : call.args()) {
    if (argument->getType()->isIntegerTy() && !engine::is_address(*argument))
      continue; // a size or a count
    if (auto passed = place(*argument))
      reached.push_back(*passed);
  }
  if (auto result = place(call))
    reached.push_back(*result);
  const llvm::Function *callee = call.getCalledFunction();
  const bool is_apart = (frame_ != root_frame && keeps_pointers_apart(calls_.function(frame_))) ||
                        (callee != nullptr && keeps_pointers_apart(*callee) && !place(call));
  for (const PlaceId each : reached)
    if (is_apart)
      graph_.seed(each);
    else if (each != reached.front())
      graph_.collapse(reached.front(), each);
}

void MemoryClasses::visit_call(const llvm::CallBase &call) {
  switch (library_effect(call)) {
  case LibraryEffect::none:
    if (auto result = place(call))
      graph_.seed(*result);
    return;
  case LibraryEffect::allocation:
    add_object(call);
    graph_.seed(*place(call));
    return;
  case LibraryEffect::reallocation:
    add_object(call);
    flow(*call.getArgOperand(0), call);
    graph_.seed(*place(call));
    return;
  case LibraryEffect::out_allocation:
    if (auto memory = place(*call.getArgOperand(0))) {
      PlaceId fresh = graph_.new_place();
      graph_.seed(fresh);
      graph_.add_store(*memory, {}, fresh);
    }
    return;
  case LibraryEffect::copy: {
    auto target = place(*call.getArgOperand(0)), source = place(*call.getArgOperand(1));
    const auto *size = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(2));
    if (copies_parts_of_numbers(call))
      return; // no addresses
    if (target && source && copies_unaligned_bytes(call))
      graph_.add_byte_copy(*target, *source);
    else if (target && source)
      graph_.add_copy(*target, *source, size != nullptr ? std::optional(size->getZExtValue()) : std::nullopt);
    flow(*call.getArgOperand(0), call);
    return;
  }
  case LibraryEffect::fill:
    flow(*call.getArgOperand(0), call);
    return;
  case LibraryEffect::identity:
    flow(*call.getArgOperand(0), call, OffsetSet::anywhere());
    return;
  case LibraryEffect::deallocation:
    return;
  case LibraryEffect::unknown:
    if (auto callee = calls_.callee(frame_, call))
      visit_call_of(call, *callee);
    else if (!asks_for_derivative(call))
      visit_unknown_call(call);
  }
}

} // namespace assay::engine
