#include "core/engine/analysis/activity_implementation.hpp"
#include "core/engine/analysis/global_variables.hpp"
#include "core/engine/analysis/library_effects.hpp"
#include "core/engine/rules/scalar_rule.hpp"
#include "core/engine/support/call_marks.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace assay::engine {

/// Which frames, with what they call, may store numbers or pointers to memory with a shadow, or free it: those that do
/// so themselves, and what calls them.
void ActivityAnalysis::Implementation::find_writers() {
  const CallTree &calls = memory.calls();
  writers.resize(calls.size());
  std::vector<llvm::SmallVector<FrameId, 2>> callers(calls.size());
  llvm::SmallVector<FrameId, 16> pending;
  const auto note = [&](FrameId frame) {
    if (!writers[frame])
      pending.push_back(frame);
    writers[frame] = true;
  };
  for (FrameId frame = root_frame; frame < calls.size(); ++frame)
    for (const llvm::Instruction &instruction : llvm::instructions(calls.function(frame))) {
      if (!instruction.mayWriteToMemory() || llvm::isa<llvm::FenceInst>(instruction))
        continue;
      const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (const auto callee = call != nullptr ? calls.callee(frame, *call) : std::nullopt)
        callers[*callee].push_back(frame);
      else if (!writers[frame] && writes_shadowed_itself(instruction, frame))
        note(frame);
    }
  while (!pending.empty())
    for (const FrameId caller : callers[pending.pop_back_val()])
      note(caller);
}

/// By itself: what is called has frames of its own.
bool ActivityAnalysis::Implementation::writes_shadowed_itself(const llvm::Instruction &instruction,
                                                              FrameId frame) const {
  const auto is_shadowed = [&](const llvm::Value &pointer) {
    const auto at = memory.location(pointer, frame);
    return at && shadows.has_shadow(at->node);
  };
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return !is_derivative_free(*call, function_info) && reaches_shadowed(*call, frame);
  const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  if (store == nullptr)
    return is_shadowed(*instruction.getOperand(0));
  const llvm::Value &stored = *store->getValueOperand();
  const bool is_number = stored.getType()->isIntOrIntVectorTy() &&
                         (llvm::isa<llvm::Constant>(stored) ||
                          types.implementation().types.of_integer(stored, frame).kind == ByteKind::integer);
  return !is_number && is_shadowed(*store->getPointerOperand());
}

bool ActivityAnalysis::Implementation::reaches_shadowed(const llvm::CallBase &call, FrameId frame) const {
  return llvm::any_of(call.args(), [&](const llvm::Use &argument) {
    return llvm::any_of(flow.reachable_nodes(*argument, frame), [&](NodeId node) { return shadows.has_shadow(node); });
  });
}

bool ActivityAnalysis::Implementation::writes_shadowed(const llvm::CallBase &call) const {
  if (call.onlyReadsMemory())
    return false;
  if (auto callee = memory.calls().callee(root_frame, call))
    return writers[*callee];
  return reaches_shadowed(call, root_frame);
}

bool ActivityAnalysis::Implementation::passes_derivative(const llvm::CallBase &call, unsigned index) const {
  const llvm::Value &actual = *call.getArgOperand(index);
  auto vertex = flow.vertex(actual);
  if (!vertex || !shadows.is_varied(*vertex) || !shadows.is_useful(*vertex))
    return false;
  auto callee = memory.calls().callee(root_frame, call);
  if (!callee || index >= memory.calls().function(*callee).arg_size() ||
      function_info.rule(*call.getCalledFunction()) != nullptr)
    return true;
  auto formal = flow.vertex(*memory.calls().function(*callee).getArg(index), *callee);
  return formal && shadows.is_useful(*formal);
}

/// A null pointer is its own shadow: where the callee mixes it with pointers to shadowed memory it is one of them.
bool ActivityAnalysis::Implementation::is_null_of_shadowed(const llvm::CallBase &call, unsigned index) const {
  auto callee = memory.calls().callee(root_frame, call);
  if (!callee || !llvm::isa<llvm::ConstantPointerNull>(call.getArgOperand(index)) ||
      index >= memory.calls().function(*callee).arg_size())
    return false;
  auto at = memory.location(*memory.calls().function(*callee).getArg(index), *callee);
  return at && shadows.has_shadow(at->node);
}

ActivityAnalysis::ActivityAnalysis(const Request &request, const FunctionInfo &function_info, const TypeAnalysis &types)
    : implementation_(std::make_unique<Implementation>(request, function_info, types)) {}
ActivityAnalysis::~ActivityAnalysis() = default;
const ActivityAnalysis::Implementation &ActivityAnalysis::implementation() const {
  return *implementation_;
}
ActivityAnalysis::ActivityAnalysis(ActivityAnalysis &&) noexcept = default;

/// A counter in memory that has active data elsewhere: what is read there is a number, no derivative.
static bool exchanges_integers(const llvm::Value &value, const TypeAnalysis &types) {
  const auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&value);
  return exchange != nullptr && types.of(*exchange->getNewValOperand()).kind == ByteKind::integer;
}

bool ActivityAnalysis::carries_derivative(const llvm::Value &value) const {
  if (exchanges_integers(value, implementation_->types))
    return false;
  auto vertex = implementation_->flow.vertex(value);
  return vertex && implementation_->shadows.is_varied(*vertex) && implementation_->shadows.is_useful(*vertex);
}

namespace {

/// Exceptions keep no shadows, nor does what may be one of several.
bool points_into_exception(const llvm::Value &value) {
  const auto *integer = llvm::dyn_cast<llvm::PtrToIntInst>(&value);
  llvm::SmallVector<const llvm::Value *, 4> objects;
  llvm::getUnderlyingObjects(integer != nullptr ? integer->getPointerOperand() : &value, objects);
  return llvm::all_of(objects, [](const llvm::Value *object) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(object);
    return call != nullptr && exception_role(*call) != ExceptionRole::none;
  });
}

constexpr unsigned measuring_depth = 4;
constexpr std::uint64_t page = 4096; // less than any address

/// True when what `operation` makes of an address is none any more: its low bits, a quotient, a distance.
bool ends_address(const llvm::BinaryOperator &operation) {
  const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(operation.getOperand(1));
  switch (operation.getOpcode()) {
  case llvm::Instruction::LShr:
  case llvm::Instruction::AShr:
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SDiv:
    return constant != nullptr && !constant->isZero();
  case llvm::Instruction::URem:
    return constant != nullptr && constant->getValue().ult(page);
  case llvm::Instruction::And:
    return takes_low_bits(operation);
  default:
    return false;
  }
}

/// True for an address that is only counted with, as in tests of alignment: it never becomes a pointer again. As the
/// distance of an address computation, by which shadows move too, it needs none of its own.
bool is_only_counted_with(const llvm::Value &integer, unsigned depth) {
  return llvm::all_of(integer.users(), [&](const llvm::User *user) {
    if (llvm::isa<llvm::ICmpInst, llvm::GetElementPtrInst>(user))
      return true;
    const auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(user);
    return operation != nullptr &&
           (ends_address(*operation) || (depth > 0 && is_only_counted_with(*operation, depth - 1)));
  });
}

/// Sizes and counts: comparing or counting bits makes no pointer.
bool is_count(const llvm::Value &value) {
  const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&value);
  switch (intrinsic != nullptr ? intrinsic->getIntrinsicID() : llvm::Intrinsic::not_intrinsic) {
  case llvm::Intrinsic::umax:
  case llvm::Intrinsic::umin:
  case llvm::Intrinsic::smax:
  case llvm::Intrinsic::smin:
  case llvm::Intrinsic::ctpop:
  case llvm::Intrinsic::ctlz:
  case llvm::Intrinsic::cttz:
  case llvm::Intrinsic::uadd_sat:
  case llvm::Intrinsic::usub_sat:
    return true;
  default:
    return false;
  }
}

} // namespace

bool ActivityAnalysis::has_shadow(const llvm::Value &value) const {
  if (is_count(value))
    return false;
  if ((value.getType()->isPointerTy() || llvm::isa<llvm::PtrToIntInst>(value)) && points_into_exception(value))
    return false;
  if (llvm::isa<llvm::PtrToIntInst>(value) && is_only_counted_with(value, measuring_depth))
    return false;
  auto at = implementation_->memory.location(value);
  if (!at || exchanges_integers(value, implementation_->types))
    return false;
  const auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&value);
  if (exchange != nullptr && exchange->getNewValOperand()->getType()->isIntegerTy() &&
      exchange->getNewValOperand()->getType()->getScalarSizeInBits() < 8 * sizeof(void *))
    return false; // too narrow for a pointer: a counter
  if (value.getType()->isAggregateType())
    return llvm::any_of(implementation_->memory.pointees(at->node),
                        [&](const auto &slot) { return implementation_->shadows.has_shadow(slot.second); });
  const bool is_constant_address = llvm::isa<llvm::ConstantExpr>(value); // No other integers are expressions.
  if (value.getType()->isIntOrIntVectorTy() && !is_constant_address &&
      implementation_->types.of(value).kind == ByteKind::integer)
    return false;
  return implementation_->shadows.has_shadow(at->node);
}

bool ActivityAnalysis::is_active_call(const llvm::CallBase &call) const {
  const llvm::Function *callee = call.getCalledFunction();
  if (llvm::isa<llvm::MemIntrinsic>(call) || is_derivative_free(call, implementation_->function_info))
    return false;
  if (callee != nullptr && implementation_->function_info.is_inactive(*callee))
    return false;
  switch (library_effect(call)) {
  case LibraryEffect::none:
  case LibraryEffect::unknown:
    break;
  case LibraryEffect::out_allocation:
    return callee != nullptr && implementation_->function_info.rule(*callee) != nullptr &&
           has_shadow(*call.getArgOperand(0));
  default:
    return callee != nullptr && implementation_->function_info.rule(*callee) != nullptr && has_shadow(call);
  }
  if (carries_derivative(call) || has_shadow(call))
    return true;
  for (unsigned index = 0; index < call.arg_size(); ++index)
    if (implementation_->passes_derivative(call, index))
      return true;
  const bool may_write = library_effect(call) == LibraryEffect::unknown || is_unlikely_candidate(call);
  return may_write && implementation_->writes_shadowed(call);
}

llvm::SmallVector<Activity, 4> ActivityAnalysis::call_arguments(const llvm::CallBase &call) const {
  llvm::SmallVector<Activity, 4> activities;
  for (unsigned index = 0; index < call.arg_size(); ++index) {
    bool shadow = has_shadow(*call.getArgOperand(index)) || implementation_->is_null_of_shadowed(call, index);
    bool derivative = implementation_->passes_derivative(call, index);
    if (shadow || (derivative && implementation_->mode == Mode::forward))
      activities.push_back(Activity::duplicated);
    else
      activities.push_back(derivative ? Activity::active : Activity::constant);
  }
  return activities;
}

bool ActivityAnalysis::passes_constant_numbers(const llvm::CallBase &call) const {
  return implementation_->shadows.passes_constant_numbers(call);
}

llvm::SmallVector<const llvm::GlobalVariable *, 2> ActivityAnalysis::active_behind_variables() const {
  const ShadowAnalysis &shadows = implementation_->shadows;
  llvm::SmallVector<const llvm::GlobalVariable *, 2> found;
  for (auto [frame, object] : implementation_->memory.objects()) {
    const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
    if (variable == nullptr || variable->isConstant() || llvm::is_contained(found, variable))
      continue;
    auto at = implementation_->memory.location(*variable);
    const auto is_active = [&](NodeId node) { return node != at->node && shadows.has_active_numbers(node); };
    if (at && llvm::any_of(implementation_->flow.reachable_nodes(at->node), is_active))
      found.push_back(variable);
  }
  llvm::sort(found, [](const auto *left, const auto *right) { return left->getName() < right->getName(); });
  return found;
}

llvm::SmallVector<unsigned, 2> ActivityAnalysis::beside_shadowed(const llvm::CallBase &call) const {
  llvm::SmallVector<unsigned, 2> found;
  llvm::DenseSet<NodeId> shadowed;
  for (const llvm::Use &argument : call.args())
    if (has_shadow(*argument))
      shadowed.insert_range(implementation_->flow.reachable_nodes(*argument));
  for (unsigned index = 0; index < call.arg_size(); ++index) {
    const llvm::Value &actual = *call.getArgOperand(index);
    auto at = implementation_->memory.location(actual);
    if (at && actual.getType()->isPointerTy() && !llvm::isa<llvm::Constant>(actual) && !has_shadow(actual) &&
        shadowed.contains(implementation_->memory.graph().find(at->node)))
      found.push_back(index);
  }
  return found;
}

Activity ActivityAnalysis::call_result(const llvm::CallBase &call) const {
  if (has_shadow(call))
    return Activity::duplicated;
  if (!carries_derivative(call))
    return Activity::constant;
  return implementation_->mode == Mode::forward ? Activity::duplicated : Activity::active;
}

std::optional<std::string> ActivityAnalysis::contradiction(const llvm::Value &value) const {
  auto at = implementation_->memory.location(value);
  if (!at || !has_shadow(value) || !implementation_->shadows.is_declared_constant(at->node))
    return std::nullopt;
  if (implementation_->shadows.is_declared_active(at->node))
    return "memory declared constant is used through the same pointer as active memory";
  return "memory declared constant keeps values that carry a derivative";
}

const llvm::Value *ActivityAnalysis::first_contradiction() const {
  const llvm::Function &function = implementation_->memory.root();
  for (const llvm::Argument &argument : function.args())
    if (contradiction(argument))
      return &argument;
  for (const llvm::Instruction &instruction : llvm::instructions(function))
    if (contradiction(instruction))
      return &instruction;
  return nullptr;
}

const llvm::Value *ActivityAnalysis::kept_in_constant() const {
  const MemoryClasses &memory = implementation_->memory;
  const ShadowAnalysis &shadows = implementation_->shadows;
  llvm::DenseSet<NodeId> made_here;
  for (auto [frame, object] : memory.objects())
    if (auto at = memory.location(*object, frame); at && !llvm::isa<llvm::Argument>(object))
      made_here.insert(at->node);
  auto is_lost = [&](const llvm::Value &value) {
    auto at = memory.location(value);
    if (!value.getType()->isPointerTy() || !at || made_here.contains(at->node) ||
        !shadows.is_declared_constant(at->node) || shadows.is_declared_active(at->node))
      return false;
    auto content = implementation_->flow.content(at->node);
    return shadows.is_varied(content) && shadows.is_useful(content);
  };
  for (const llvm::Argument &argument : memory.root().args())
    if (is_lost(argument))
      return &argument;
  for (const llvm::Instruction &instruction : llvm::instructions(memory.root()))
    if (is_lost(instruction))
      return &instruction;
  return nullptr;
}

const llvm::GlobalVariable *ActivityAnalysis::without_known_shadow() const {
  for (auto [frame, object] : implementation_->memory.objects())
    if (const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(object);
        global && global->isDeclaration() && has_shadow(*global) && !is_type_description(*global) &&
        !is_shared_memory(*global) && (global->isConstant() || !has_known_size(*global)))
      return global;
  return nullptr;
}

const llvm::GlobalVariable *ActivityAnalysis::device_variable_without_shadow(const Request &request,
                                                                             const FunctionInfo &function_info) const {
  for (auto [frame, object] : implementation_->memory.objects())
    if (const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(object);
        global && is_device_code(*global->getParent()) && !global->isConstant() && !is_shared_memory(*global) &&
        !is_in(*global->getType(), DeviceMemory::constant) && has_shadow(*global) && !is_type_description(*global) &&
        (request.options.order > 0 || function_info.registered_shadows(*global).size() < request.width))
      return global;
  return nullptr;
}

const llvm::CallBase *ActivityAnalysis::caught_derivative() const {
  const MemoryClasses &memory = implementation_->memory;
  for (const llvm::Instruction &instruction : llvm::instructions(memory.root())) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr || exception_role(*call) != ExceptionRole::catches)
      continue;
    auto at = memory.location(*call);
    if (!at)
      continue;
    auto content = implementation_->flow.content(at->node);
    if (implementation_->shadows.is_varied(content) && implementation_->shadows.is_useful(content))
      return call;
  }
  return nullptr;
}

} // namespace assay::engine
