#include "core/engine/analysis/shadow_analysis.hpp"
#include "core/engine/analysis/basic_type.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/support/memory_calls.hpp"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

namespace assay::engine {
namespace {

/// False when the program only reads the memory behind `address` or stores constants there.
bool only_reads(const llvm::Value &address) {
  return llvm::all_of(address.uses(), [](const llvm::Use &use) {
    const llvm::User *user = use.getUser();
    if (llvm::isa<llvm::LoadInst, llvm::ICmpInst>(user))
      return true;
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(user))
      return use.getOperandNo() == 1 && llvm::isa<llvm::ConstantData>(store->getValueOperand());
    if (llvm::isa<llvm::GEPOperator, llvm::AddrSpaceCastOperator>(user))
      return only_reads(*user);
    if (llvm::isa<llvm::MemTransferInst>(user))
      return use.getOperandNo() == 1;
    return llvm::isa<llvm::LifetimeIntrinsic>(user);
  });
}

/// Functions that are differentiated one by one meet in the globals that one writes and another reads: what is computed
/// and kept in one may come from, and go to, any of them.
bool may_be_computed(const llvm::GlobalVariable &global) {
  return !only_reads(global);
}

} // namespace

ShadowAnalysis::ShadowAnalysis(const Request &request, const FunctionInfo &function_info, const TypeAnalysis &types,
                               const DerivativeFlow &flow)
    : types_(types), memory_(types.implementation().memory), flow_(flow) {
  unsigned nodes = memory_.graph().node_count();
  real_.resize(nodes);
  given_.resize(nodes);
  constant_.resize(nodes);
  moved_.resize(nodes);
  expected_.resize(nodes);
  handed_over_.resize(nodes);
  shadow_.resize(nodes);
  mark_real_nodes();
  mark_moved_pointers();
  mark_handed_over(function_info);
  take_declarations(request, function_info);
  take_globals(request, function_info);
  varied_ = flow_.forward_from(sources_, memory_of_constants());
  useful_ = flow_.backward_from(sinks_);
  for (NodeId node = 0; node < nodes; ++node) {
    if (memory_.graph().find(node) != node || !real_[node])
      continue;
    shadow_[node] = expected_[node];
    if (shadow_[node] || !flow_.may_hold_floating(node))
      continue;
    auto content = flow_.content(node);
    shadow_[node] = given_[node] || (varied_[content] && useful_[content]);
  }
  do
    close_over_stored_pointers();
  while (share_with_callees());
}

/// Integers that are moved have nodes too, in case they are pointers; only nodes that a pointer points to are memory.
void ShadowAnalysis::mark_real_nodes() {
  const TypeCollector &types = types_.implementation().types;
  auto mark = [&](FrameId frame, const llvm::Value &value) {
    if (!is_address(value, frame))
      return;
    if (auto at = memory_.location(value, frame))
      real_[at->node] = true;
  };
  for (auto [frame, object] : memory_.objects())
    mark(frame, *object);
  for (FrameId frame = root_frame; frame < memory_.calls().size(); ++frame)
    for (const llvm::Instruction &instruction : llvm::instructions(memory_.calls().function(frame)))
      mark(frame, instruction);
  for (NodeId node = 0; node < real_.size(); ++node) {
    if (memory_.graph().find(node) != node)
      continue;
    for (auto [offset, pointee] : memory_.pointees(node)) // A pointer slot that is only copied as a piece of a struct.
      if (types.tree(node).look_up({offset, 0}).resolve(memory_.root().getContext()) == pointer_type())
        real_[pointee] = true;
  }
}

bool ShadowAnalysis::is_address(const llvm::Value &value, FrameId frame) const {
  return value.getType()->isPtrOrPtrVectorTy() ||
         (value.getType()->isIntOrIntVectorTy() && !llvm::isa<llvm::Constant>(value) &&
          types_.implementation().types.of_integer(value, frame).kind == ByteKind::pointer);
}

void ShadowAnalysis::give(const llvm::Value &value) {
  auto at = memory_.location(value);
  if (!at)
    return;
  bool in_registers = value.getType()->isAggregateType();
  for (NodeId node : flow_.reachable_nodes(at->node)) {
    if ((in_registers && node == at->node) || is_known_constant(node))
      continue;
    given_[node] = true;
    sources_.push_back(flow_.content(node));
    sinks_.push_back(flow_.content(node));
  }
}

/// What can be reached from memory that is declared constant and has no shadow given.
std::vector<bool> ShadowAnalysis::memory_of_constants() const {
  std::vector<bool> found;
  if (!flow_.has_references_to_const())
    return found;
  found.resize(constant_.size());
  for (NodeId node = 0; node < constant_.size(); ++node)
    if (constant_[node])
      for (NodeId reached : flow_.reachable_nodes(node))
        found[reached] = !given_[reached];
  return found;
}

void ShadowAnalysis::expect(const llvm::Value &pointer) {
  if (auto at = memory_.location(pointer); at && pointer.getType()->isPtrOrPtrVectorTy())
    for (NodeId node : flow_.reachable_nodes(at->node))
      expected_[node] = expected_[node] || !is_known_constant(node);
}

/// Numbers alone are neither linked nor moved: nobody asks for their shadow.
void ShadowAnalysis::expect_what_moves() {
  for (NodeId node = 0; node < expected_.size(); ++node)
    if (given_[node] && !constant_[node] && (moved_[node] || !memory_.pointees(node).empty()))
      expected_[node] = true;
}

void ShadowAnalysis::mark_moved_pointers() {
  const auto mark = [&](FrameId frame, const llvm::Value &value) {
    if (auto at = memory_.location(value, frame))
      moved_[memory_.graph().find(at->node)] = true;
  };
  for (FrameId frame = root_frame; frame < memory_.calls().size(); ++frame)
    for (const llvm::Instruction &instruction : llvm::instructions(memory_.calls().function(frame))) {
      if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        mark(frame, *store->getValueOperand());
      const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call != nullptr && !llvm::isa<llvm::IntrinsicInst>(call) && !memory_.calls().callee(frame, *call))
        for (const llvm::Use &argument : call->args())
          mark(frame, *argument);
    }
}

void ShadowAnalysis::mark_handed_over(const FunctionInfo &function_info) {
  const auto mark = [&](FrameId frame, const llvm::Value &value, std::vector<bool> &marks) {
    if (auto at = memory_.location(value, frame))
      marks[memory_.graph().find(at->node)] = true;
  };
  std::vector<bool> released(handed_over_.size());
  for (const llvm::Instruction &instruction : llvm::instructions(memory_.root()))
    if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      if (const MemoryCall memory = classify_memory_call(*call, function_info); memory.action == MemoryAction::release)
        mark(root_frame, *call->getArgOperand(memory.pointer), released);
  for (auto [frame, object] : memory_.objects())
    if (frame != root_frame && llvm::isa<llvm::CallBase>(object))
      mark(frame, *object, handed_over_);
  for (NodeId node = 0; node < handed_over_.size(); ++node)
    handed_over_[node] = handed_over_[node] && released[node] && moved_[node];
}

/// Constant and active memory share a node where this function moves both in the same way, as a null address and the
/// memory that others point to: only what takes no part as active memory does is surely what the caller means.
void ShadowAnalysis::know_constant(llvm::function_ref<bool(const llvm::Argument &)> is_constant) {
  known_constant_ = constant_;
  for (NodeId node = 0; node < known_constant_.size(); ++node)
    if (known_constant_[node] && is_seen_to_hold_floats(node))
      known_constant_[node] = false;
  for (const llvm::Argument &argument : memory_.root().args())
    if (auto at = memory_.location(argument); at && !is_constant(argument))
      known_constant_[at->node] = false;
}

void ShadowAnalysis::take_declarations(const Request &request, const FunctionInfo &function_info) {
  const llvm::Function &function = memory_.root();
  // Of what nobody uses nothing is said, but a recursive call may pass something there.
  const auto is_declared = [&](const llvm::Argument &argument) {
    return is_address(argument, root_frame) && !argument.use_empty();
  };
  const auto is_constant = [&](const llvm::Argument &argument) {
    return argument.getArgNo() >= request.argument_activity.size() ||
           request.argument_activity[argument.getArgNo()] == Activity::constant;
  };
  for (const llvm::Argument &argument : function.args())
    if (auto at = memory_.location(argument); at && is_constant(argument) && is_declared(argument))
      constant_[at->node] = true;
  // What is read out of constant memory is constant.
  for (const llvm::Argument &argument : function.args()) {
    auto at = memory_.location(argument);
    if (!at || !constant_[at->node])
      continue;
    for (NodeId node : memory_.read_from(at->node))
      constant_[node] = true;
  }
  if (request.caller == Caller::derivative)
    know_constant(is_constant);
  for (const llvm::Argument &argument : function.args()) {
    if (is_constant(argument))
      continue;
    if (auto vertex = flow_.vertex(argument))
      sources_.push_back(*vertex);
    give(argument);
  }
  if (request.caller == Caller::derivative)
    expect_what_moves();
  if (request.return_activity == Activity::constant)
    return;
  for (const llvm::BasicBlock &block : function) {
    const auto *exit = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
    if (exit == nullptr || exit->getReturnValue() == nullptr)
      continue;
    if (auto vertex = flow_.vertex(*exit->getReturnValue()))
      sinks_.push_back(*vertex);
    if (is_duplicated(request.return_activity) || exit->getReturnValue()->getType()->isPtrOrPtrVectorTy())
      give(*exit->getReturnValue());
    if (is_duplicated(request.return_activity))
      expect(*exit->getReturnValue());
  }
}

/// A variable that threads of all blocks see, and the host.
static bool is_device_variable(const llvm::GlobalVariable &global) {
  return is_device_code(*global.getParent()) && !is_shared_memory(global);
}

/// True where the function, or what it calls, may write to the memory.
bool ShadowAnalysis::is_written(NodeId memory) const {
  for (FrameId frame = root_frame; frame < memory_.calls().size(); ++frame)
    for (const llvm::Instruction &instruction : llvm::instructions(memory_.calls().function(frame))) {
      const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
      if (!instruction.mayWriteToMemory() || (callee && !callee->isDeclaration())) // its body has a frame of its own
        continue;
      for (const llvm::Value *operand : instruction.operand_values())
        if (auto at = memory_.location(*operand, frame); at && at->node == memory)
          return true;
    }
  return false;
}

void ShadowAnalysis::take_globals(const Request &request, const FunctionInfo &function_info) {
  for (auto [frame, object] : memory_.objects()) {
    const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(object);
    if (global == nullptr)
      continue;
    auto at = memory_.location(*global);
    if (global->isConstant() || function_info.is_inactive_global(*global) ||
        (is_device_variable(*global) && function_info.registered_shadows(*global).empty() && !is_written(at->node))) {
      constant_[at->node] = true;
    } else if (may_be_computed(*global)) {
      sources_.push_back(flow_.content(at->node));
      sinks_.push_back(flow_.content(at->node));
    }
  }
  for (const llvm::GlobalVariable *variable : request.active_behind)
    give_behind(*variable);
}

/// Memory that the caller knows to have shadows, where it is not of the variable itself.
void ShadowAnalysis::give_behind(const llvm::GlobalVariable &variable) {
  auto at = memory_.location(variable);
  if (!at)
    return;
  for (NodeId node : flow_.reachable_nodes(at->node)) {
    if (node == memory_.graph().find(at->node) || is_known_constant(node) || constant_[node])
      continue;
    given_[node] = true;
    sources_.push_back(flow_.content(node));
    sinks_.push_back(flow_.content(node));
  }
}

bool ShadowAnalysis::has_active_numbers(NodeId memory) const {
  const NodeId node = memory_.graph().find(memory);
  return shadow_[node] && varied_[flow_.content(node)] && is_seen_to_hold_floats(node);
}

void ShadowAnalysis::close_over_stored_pointers() {
  for (bool changed = true; changed;) {
    changed = false;
    for (NodeId node = 0; node < shadow_.size(); ++node) {
      if (memory_.graph().find(node) != node || shadow_[node] || !real_[node])
        continue;
      for (auto [offset, pointee] : memory_.pointees(node))
        if (shadow_[pointee])
          shadow_[node] = changed = true;
    }
  }
}

/// A callee that gets memory with a shadow cannot know that what it does there is of no use to its caller: it
/// differentiates all of it, and needs the shadows of everything varied that takes part. What lies behind memory with a
/// shadow is taken for memory with one as well: numbers there have their derivatives read and added to.
bool ShadowAnalysis::share_with_callees() {
  bool changed = false;
  for (FrameId frame = root_frame; frame < memory_.calls().size(); ++frame)
    for (const llvm::Instruction &instruction : llvm::instructions(memory_.calls().function(frame)))
      if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && memory_.calls().callee(frame, *call))
        changed |= share_with_callee(*call, frame);
  return changed;
}

bool ShadowAnalysis::share_with_callee(const llvm::CallBase &call, FrameId frame) {
  llvm::SmallVector<NodeId, 16> passed;
  for (const llvm::Use &argument : call.args())
    passed.append(flow_.reachable_nodes(*argument, frame));
  if (llvm::none_of(passed, [&](NodeId node) { return shadow_[node]; }))
    return false;
  bool changed = false;
  const auto share = [&](NodeId node) {
    if (!shadow_[node] && real_[node] && !constant_[node] && flow_.may_hold_floating(node))
      shadow_[node] = changed = true;
  };
  for (NodeId node : passed)
    if (varied_[flow_.content(node)])
      share(node);
  for (const llvm::Use &argument : call.args()) {
    const llvm::SmallVector<NodeId, 8> behind = flow_.reachable_nodes(*argument, frame);
    if (!behind.empty() && shadow_[behind.front()])
      for (NodeId node : behind) {
        if (is_seen_to_hold_floats(node))
          share(node);
        else if (handed_over_[node] && !shadow_[node] && !constant_[node])
          shadow_[node] = changed = true;
      }
  }
  return changed;
}

bool ShadowAnalysis::passes_constant_numbers(const llvm::CallBase &call) const {
  return llvm::any_of(call.args(), [&](const llvm::Use &argument) {
    const llvm::SmallVector<NodeId, 8> behind = flow_.reachable_nodes(*argument, root_frame);
    return !behind.empty() && shadow_[behind.front()] &&
           llvm::any_of(behind, [&](NodeId node) { return holds_constant_numbers(node); });
  });
}

bool ShadowAnalysis::holds_constant_numbers(NodeId node) const {
  return !shadow_[node] && real_[node] && flow_.may_hold_floating(node) && is_seen_to_hold_floats(node);
}

bool ShadowAnalysis::is_seen_to_hold_floats(NodeId node) const {
  const TypeTree &tree = types_.implementation().types.tree(node);
  return llvm::any_of(tree.exact(), [](const auto &place) { return place.second.mentions_floating(); }) ||
         llvm::any_of(tree.strided(), [](const auto &place) { return place.second.evidence.mentions_floating(); });
}

} // namespace assay::engine
