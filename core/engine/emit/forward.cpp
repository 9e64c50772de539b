// The frame of forward mode: the prepared body is cloned, its parameters get their shadows, and every instruction is
// visited in reverse post order, so that operands have their lanes before they are used; phi nodes are filled at the
// end.
#include "core/engine/emit/forward.hpp"
#include "core/engine/emit/forward_emitter.hpp"
#include "core/engine/prepare/stack_memory.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "llvm/ADT/PostOrderIterator.h"

using namespace llvm;

namespace assay::engine {

namespace {

/// Attributes of a primal parameter that hold for it in the derivative too. Those of the calling convention do not: the
/// derivative's parameters are passed plainly.
constexpr Attribute::AttrKind kept_on_primal[] = {
    Attribute::NoAlias,   Attribute::NonNull,   Attribute::NoUndef, Attribute::ReadOnly,        Attribute::ReadNone,
    Attribute::WriteOnly, Attribute::Alignment, Attribute::NoFree,  Attribute::Dereferenceable, Attribute::Captures};
/// Those that carry over to the shadow: it is used as the primal is.
constexpr Attribute::AttrKind kept_on_shadow[] = {Attribute::NoAlias, Attribute::ReadOnly, Attribute::NoFree,
                                                  Attribute::Captures};
/// Statements about the whole function that its derivative breaks: it writes shadows, may call what the primal does
/// not, returns something else.
constexpr Attribute::AttrKind dropped_of_function[] = {
    Attribute::Memory,       Attribute::AllocKind, Attribute::AllocSize,    Attribute::NoInline,
    Attribute::OptimizeNone, Attribute::NoRecurse, Attribute::Speculatable, Attribute::Naked,
    Attribute::AlwaysInline, Attribute::NoSync,    Attribute::WillReturn};

AttributeSet filtered(LLVMContext &context, AttributeSet attributes, ArrayRef<Attribute::AttrKind> kinds) {
  AttrBuilder builder(context);
  for (Attribute::AttrKind kind : kinds)
    if (attributes.hasAttribute(kind))
      builder.addAttribute(attributes.getAttribute(kind));
  return AttributeSet::get(context, builder);
}

} // namespace

ForwardEmitter::ForwardEmitter(DerivativeSource &engine, const Request &request, Function &prepared,
                               const TypeAnalysis &types, const ActivityAnalysis &activity, Function &derivative)
    : engine_(engine), request_(request), prepared_(prepared), types_(types), activity_(activity),
      derivative_(derivative), declared_(derivative.getAttributes().getFnAttrs()), abi_(request),
      builder_(derivative.getContext()) {}

Error ForwardEmitter::run() {
  clone_body();
  if (!request_.options.runtime_activity)
    scopes_.emplace(derivative_, request_.width + 1); // the last: what is interleaved
  adopt_attributes();
  take_parameters();
  find_supplied();
  find_packed();
  // Phi nodes first: the lanes of a loop's phi are used before those of its back edge exist.
  for (Instruction &instruction : instructions(prepared_))
    if (auto *phi = dyn_cast<PHINode>(&instruction))
      place_phi(*phi);
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&prepared_))
    for (Instruction &instruction : *block)
      if (!isa<PHINode>(instruction))
        if (Error error = emit(instruction))
          return error;
  fill_phis();
  fill_packed_phis();
  return_to_stack(derivative_);
  return constant_with_shadow_ ? refuse_constant(*constant_with_shadow_) : Error::success();
}

Error ForwardEmitter::refuse_constant(const Value &pointer) const {
  const std::string reason = activity_.contradiction(pointer).value_or(
      "constant memory is used through the same pointer as memory with a shadow");
  return unsupported(prepared_, dyn_cast<Instruction>(&pointer), reason,
                     "pass a shadow for it instead of marking it constant, or turn on enzyme_runtime_activity");
}

void ForwardEmitter::clone_body() {
  for (Argument &argument : prepared_.args()) {
    Argument *copy = derivative_.getArg(abi_.primal_parameter(argument.getArgNo()));
    copy->setName(argument.getName());
    map_[&argument] = copy;
  }
  SmallVector<ReturnInst *, 4> returns;
  CloneFunctionInto(&derivative_, &prepared_, map_, CloneFunctionChangeType::LocalChangesOnly, returns);
}

void ForwardEmitter::adopt_attributes() {
  LLVMContext &context = derivative_.getContext();
  const AttributeList from = prepared_.getAttributes();
  AttrBuilder of_function(context, from.getFnAttrs());
  for (Attribute::AttrKind kind : dropped_of_function)
    of_function.removeAttribute(kind);
  of_function.removeAttribute("alloc-family");
  of_function.merge(AttrBuilder(context, declared_));

  SmallVector<AttributeSet, 8> of_parameters(derivative_.arg_size());
  for (Argument &argument : prepared_.args()) {
    const unsigned index = argument.getArgNo();
    const AttributeSet attributes = from.getParamAttrs(index);
    of_parameters[abi_.primal_parameter(index)] = filtered(context, attributes, kept_on_primal);
    if (!is_duplicated(request_.argument_activity[index]) || request_.options.runtime_activity)
      continue;
    for (unsigned lane = 0; lane < request_.width; ++lane)
      of_parameters[abi_.shadow_parameter(index, lane)] = filtered(context, attributes, kept_on_shadow);
  }
  if (request_.options.runtime_activity) // a shadow may be the primal itself
    for (AttributeSet &attributes : of_parameters)
      attributes = attributes.removeAttribute(context, Attribute::NoAlias);
  derivative_.setAttributes(
      AttributeList::get(context, AttributeSet::get(context, of_function), AttributeSet(), of_parameters));
}

void ForwardEmitter::take_parameters() {
  for (Argument &argument : prepared_.args()) {
    const unsigned index = argument.getArgNo();
    if (is_duplicated(request_.argument_activity[index])) {
      Lanes shadows;
      for (unsigned lane = 0; lane < request_.width; ++lane) {
        shadows.push_back(derivative_.getArg(abi_.shadow_parameter(index, lane)));
        shadows.back()->setName(argument.getName() + "'");
      }
      lanes_[&argument] = shadows;
    }
  }
}

Error ForwardEmitter::emit(Instruction &original) {
  if (auto *call = dyn_cast<CallBase>(&original))
    return emit_call(*call);
  if (auto *store = dyn_cast<StoreInst>(&original)) {
    emit_store(*store);
    return Error::success();
  }
  if (auto *ret = dyn_cast<ReturnInst>(&original)) {
    emit_return(*ret);
    return Error::success();
  }
  if (auto *update = dyn_cast<AtomicRMWInst>(&original))
    return emit_atomic_update(*update);
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&original))
    return emit_compare_exchange(*exchange);
  return needs_lanes(original) ? emit_value(original) : Error::success();
}

/// Instructions that only compute a value.
Error ForwardEmitter::emit_value(Instruction &original) {
  set_position_after(original);
  if (is_packed_.contains(&original) && !isa<LoadInst>(original)) {
    emit_packed(original);
    return Error::success();
  }
  if (interleaved_.contains(original))
    if (isa<GetElementPtrInst, SelectInst>(original)) {
      if (auto *address = dyn_cast<GetElementPtrInst>(&original))
        address_interleaved(*address);
      else
        select_interleaved(cast<SelectInst>(original));
      return Error::success();
    }
  switch (original.getOpcode()) {
  case Instruction::Load:
    emit_load(cast<LoadInst>(original));
    return Error::success();
  case Instruction::Alloca:
    emit_alloca(cast<AllocaInst>(original));
    return Error::success();
  case Instruction::FPTrunc: // linear, and so are all that follow: the lanes go through the same operation
  case Instruction::FPExt:
  case Instruction::FNeg:
  case Instruction::BitCast:
  case Instruction::PtrToInt:
  case Instruction::PtrToAddr:
  case Instruction::IntToPtr:
  case Instruction::AddrSpaceCast:
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::Freeze:
  case Instruction::Select:
  case Instruction::GetElementPtr:
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
    set_lanes(original, mirror(original));
    return Error::success();
  case Instruction::LandingPad: // exceptions carry no derivative
    return Error::success();
  default:
    break;
  }
  if (std::optional<ScalarRule> rule = ScalarRule::find(original, engine_.function_info())) {
    emit_scalar(original, *rule);
    return Error::success();
  }
  if (auto *binary = dyn_cast<BinaryOperator>(&original); binary && original.getType()->isIntOrIntVectorTy())
    return emit_bits(*binary);
  return unsupported(original, "forward mode has no derivative for this instruction",
                     "register a derivative for the function, or mark what it computes as inactive");
}

Error emit_forward(DerivativeSource &engine, const Request &request, Function &prepared, const TypeAnalysis &types,
                   const ActivityAnalysis &activity, Function &derivative) {
  return ForwardEmitter(engine, request, prepared, types, activity, derivative).run();
}

} // namespace assay::engine
