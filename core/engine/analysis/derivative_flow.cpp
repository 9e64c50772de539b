#include "core/engine/analysis/derivative_flow.hpp"
#include "core/engine/analysis/basic_type.hpp"
#include "core/engine/analysis/computed_bits.hpp"
#include "core/engine/analysis/library_effects.hpp"
#include "core/engine/analysis/memory_access.hpp"
#include "core/engine/analysis/only_read.hpp"
#include "core/engine/analysis/tagged_copies.hpp"
#include "core/engine/analysis/type_layout.hpp"
#include "core/engine/analysis/units.hpp"
#include "core/engine/rules/scalar_rule.hpp"
#include "core/engine/rules/shuffles.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/launches.hpp"
#include "core/engine/support/rule_template.hpp"
#include "core/engine/support/source_signature.hpp"
#include "core/engine/support/target_instructions.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

namespace assay::engine {

/// A number that is made of bits whose derivative is not known.
static bool is_opaque_bits(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function *callee = call != nullptr ? call->getCalledFunction() : nullptr;
  return callee != nullptr && callee->getName().starts_with("assay.opaque_bits.");
}

DerivativeFlow::DerivativeFlow(const TypeAnalysis &types, const FunctionInfo &function_info)
    : types_(types), memory_(types.implementation().memory), function_info_(function_info), subword_copies_(types),
      vertices_(memory_.calls()) {
  successors_.resize(memory_.graph().node_count());
  predecessors_.resize(memory_.graph().node_count());
  classify_nodes();
  asks_for_bits_ = llvm::any_of(llvm::instructions(memory_.root()), is_opaque_bits);
  for (frame_ = root_frame; frame_ < memory_.calls().size(); ++frame_)
    for (const llvm::Instruction &instruction : llvm::instructions(memory_.calls().function(frame_)))
      visit(instruction);
  frame_ = root_frame;
  connect_exceptions();
}

void DerivativeFlow::note_exception(const llvm::CallBase &call) {
  const ExceptionRole role = exception_role(call);
  if (role == ExceptionRole::none)
    return;
  if (auto at = memory_.location(call, frame_))
    (role == ExceptionRole::makes ? thrown_ : caught_).push_back(at->node);
}

/// What is thrown may be caught by any handler, with what its members refer to.
void DerivativeFlow::connect_exceptions() {
  for (NodeId thrown : thrown_)
    for (NodeId part : reachable_nodes(thrown))
      for (NodeId caught : caught_)
        connect(content(part), content(caught));
  for (NodeId caught : caught_)
    for (NodeId part : reachable_nodes(caught))
      connect(content(caught), content(part));
}

void DerivativeFlow::classify_nodes() {
  without_floating_.resize(memory_.graph().node_count());
  for (NodeId node = 0; node < without_floating_.size(); ++node)
    if (memory_.graph().find(node) == node)
      without_floating_[node] = types_.implementation().types.is_without_floating(node);
}

bool DerivativeFlow::can_carry(FramedValue framed_value) const {
  const llvm::Value &value = *framed_value.second;
  llvm::Type *type = value.getType();
  if (type->isFPOrFPVectorTy())
    return true;
  if (llvm::isa<llvm::Constant>(value) || !type->isSized() || type->isPtrOrPtrVectorTy())
    return false;
  if (type->isAggregateType()) {
    bool found = false;
    for_each_scalar(type, {}, memory_.layout(), [&](OffsetSet, llvm::Type *scalar) {
      found |= scalar->isFloatingPointTy() || (scalar->isIntegerTy() && scalar->getIntegerBitWidth() >= 32);
    });
    return found;
  }
  if (!type->isIntOrIntVectorTy())
    return false;
  if (type->getPrimitiveSizeInBits().getFixedValue() < narrowest_float_bits)
    return false;
  const TypeCollector &types = types_.implementation().types;
  const ByteKind kind = types_.of(value, framed_value.first).kind;
  return kind == ByteKind::floating || (kind == ByteKind::unknown && types.is_moved(value, framed_value.first));
}

std::optional<DerivativeFlow::Vertex> DerivativeFlow::vertex(const llvm::Value &value, FrameId frame) const {
  return vertices_.find(framed(frame, value));
}

DerivativeFlow::Vertex DerivativeFlow::make_vertex(FramedValue value) {
  const auto [vertex, inserted] = vertices_.try_emplace(value, static_cast<Vertex>(successors_.size()));
  if (inserted) {
    successors_.emplace_back();
    predecessors_.emplace_back();
  }
  return vertex;
}

void DerivativeFlow::connect(Vertex from, Vertex to) {
  successors_[from].push_back(to);
  predecessors_[to].push_back(from);
}

void DerivativeFlow::connect(FramedValue from, FramedValue to) {
  if (llvm::isa<llvm::Constant>(from.second) || !can_carry(from) || !can_carry(to))
    return;
  Vertex source = make_vertex(from);
  connect(source, make_vertex(to));
}

void DerivativeFlow::load(const llvm::Value &pointer, const llvm::Value &value) {
  auto at = memory_.location(pointer, frame_);
  if (at && !subword_copies_.are_no_part_of_float(value, *at, frame_) && may_hold_floating(at->node) &&
      (can_carry(value) || subword_copies_.may_be_part_of_float(value, at->node, frame_)))
    connect(content(at->node), make_vertex(value));
}

/// A word that is moved as an address between places where numbers are seen as well: it may be one of them.
void DerivativeFlow::move_word(Location target, const llvm::Value &value) {
  const auto *bits = llvm::dyn_cast<llvm::PtrToIntInst>(&value);
  const auto *moved = llvm::dyn_cast<llvm::LoadInst>(bits != nullptr ? bits->getOperand(0) : &value);
  if (moved == nullptr || !moved->getType()->isPointerTy())
    return;
  const auto source = memory_.location(*moved->getPointerOperand(), frame_);
  const auto has_number = [&](Location at) {
    return may_hold_floating(at.node) && types_.implementation().types.tree(at.node).look_up(at.at).mentions_floating();
  };
  if (source && has_number(*source) && has_number(target))
    connect(content(source->node), content(target.node));
}

void DerivativeFlow::store(const llvm::Value &pointer, const llvm::Value &value) {
  auto at = memory_.location(pointer, frame_);
  if (at)
    move_word(*at, value);
  if (at && asks_for_bits_ && value.getType()->isIntegerTy())
    store_bits(at->node, value);
  bool may_carry = !llvm::isa<llvm::Constant>(value) &&
                   !(at && subword_copies_.are_no_part_of_float(value, *at, frame_)) &&
                   (can_carry(value) || (at && subword_copies_.may_be_part_of_float(value, at->node, frame_)));
  if (at && may_hold_floating(at->node) && may_carry)
    connect(make_vertex(value), content(at->node));
}

llvm::SmallVector<NodeId, 8> DerivativeFlow::reachable_nodes(NodeId start) const {
  llvm::SmallSetVector<NodeId, 8> found;
  found.insert(memory_.graph().find(start));
  for (std::size_t next = 0; next < found.size(); ++next)
    for (const auto &[offset, slot] : memory_.graph()[found[next]].slots)
      found.insert(memory_.graph().node(slot.place));
  return found.takeVector();
}

llvm::SmallVector<NodeId, 8> DerivativeFlow::reachable_nodes(const llvm::Value &value, FrameId frame) const {
  auto at = memory_.location(value, frame);
  return at ? reachable_nodes(at->node) : llvm::SmallVector<NodeId, 8>{};
}

/// Where in a vector an element lies, or how far bits are moved: an integer that chooses what flows and does not flow.
static bool is_choice(const llvm::Use &operand) {
  const unsigned index = operand.getOperandNo();
  switch (llvm::cast<llvm::Instruction>(operand.getUser())->getOpcode()) {
  case llvm::Instruction::ExtractElement:
  case llvm::Instruction::LShr:
  case llvm::Instruction::Shl:
    return index == 1;
  case llvm::Instruction::InsertElement:
    return index == 2;
  default:
    return false;
  }
}

void DerivativeFlow::visit(const llvm::Instruction &instruction) {
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    visit_call(*call);
    return;
  }
  if (auto access = memory_access(instruction)) {
    if (access->read != nullptr)
      load(*access->pointer, *access->read);
    if (access->written != nullptr)
      store(*access->pointer, *access->written);
    return;
  }
  const llvm::Value *first = instruction.getNumOperands() > 0 ? instruction.getOperand(0) : nullptr;
  switch (instruction.getOpcode()) {
  case llvm::Instruction::Select:
    connect(*instruction.getOperand(1), instruction);
    connect(*instruction.getOperand(2), instruction);
    return;
  case llvm::Instruction::PHI:
  case llvm::Instruction::Freeze:
  case llvm::Instruction::BitCast:
  case llvm::Instruction::ShuffleVector:
  case llvm::Instruction::InsertElement:
  case llvm::Instruction::ExtractElement:
  case llvm::Instruction::InsertValue:
  case llvm::Instruction::ExtractValue:
  case llvm::Instruction::Trunc: // Words that carry floats are taken apart and put together by these.
  case llvm::Instruction::LShr:
  case llvm::Instruction::Shl:
  case llvm::Instruction::Or:
  case llvm::Instruction::And:
  case llvm::Instruction::Xor:
  case llvm::Instruction::ZExt:
    for (const llvm::Use &operand : instruction.operands())
      if (!is_choice(operand))
        connect(*operand, instruction);
    return;
  case llvm::Instruction::Ret: // Calls connect to the operand themselves; here it only gets its vertex.
    if (first != nullptr && !llvm::isa<llvm::Constant>(first) && can_carry(*first))
      make_vertex(*first);
    return;
  case llvm::Instruction::SIToFP:
  case llvm::Instruction::UIToFP:
    return;
  default:
    break;
  }
  if (!instruction.getType()->isFPOrFPVectorTy())
    return;
  if (auto rule = ScalarRule::find(instruction, function_info_)) {
    for (unsigned index = 0; index < rule->operand_count(); ++index)
      if (rule->has_partial(index))
        connect(*rule->operand(index), instruction);
    return;
  }
  for (const llvm::Use &operand : instruction.operands())
    connect(*operand, instruction);
}

/// Whether a function with a rule only reads what an argument points to; the rule's own code does no more.
bool DerivativeFlow::is_read_by_rule(const llvm::CallBase &call, const llvm::Use &argument) const {
  const llvm::Function *callee = call.getCalledFunction();
  const unsigned index = argument.getOperandNo();
  const UserRule *rule = callee != nullptr ? function_info_.rule(*callee) : nullptr;
  if (rule == nullptr || index >= callee->arg_size())
    return false;
  return (rule->rule_template && rule->rule_template->only_reads(index)) ||
         access_through(*callee->getArg(index)) == MemoryAccessKind::read;
}

/// Whether a function with a rule gets the address of integers alone there, as of a counter or a text: whatever it
/// writes to them carries no derivative.
bool DerivativeFlow::leads_to_integers(const llvm::CallBase &call, const llvm::Use &argument) const {
  const llvm::Function *callee = call.getCalledFunction();
  if (frame_ != root_frame || callee == nullptr || function_info_.rule(*callee) == nullptr ||
      !argument->getType()->isPointerTy())
    return false;
  const MemorySummary summary = types_.summarize(*argument);
  if (summary.pointers || summary.conflicting || summary.floating != nullptr)
    return false;
  if (points_to_integers(*callee, argument.getOperandNo()))
    return true;
  const bool is_seen = !callee->isDeclaration() && !callee->hasFnAttribute(hidden_body_attribute);
  return is_seen && (summary.integers || types_.has_single_bytes(*argument));
}

/// Such a call is not seen to write anything there.
bool DerivativeFlow::is_reference_to_const(const llvm::CallBase &call, const llvm::Use &argument) const {
  const llvm::Function *callee = call.getCalledFunction();
  const UserRule *rule = callee != nullptr ? function_info_.rule(*callee) : nullptr;
  const unsigned index = argument.getOperandNo();
  return rule != nullptr && rule->rule_template && rule->rule_template->takes_constant_object(index) &&
         access_through(*callee->getArg(index)) == MemoryAccessKind::unclear;
}

DerivativeFlow::Vertex DerivativeFlow::add_vertex() {
  successors_.emplace_back();
  predecessors_.emplace_back();
  return static_cast<Vertex>(successors_.size() - 1);
}

/// Kernels pass numbers on through variables of the device that have shadows, of which code of the host sees nothing.
std::optional<DerivativeFlow::Vertex> DerivativeFlow::variables_of_device(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  if (callee == nullptr || !may_use_device_variables(*callee))
    return std::nullopt;
  if (!variables_of_device_ && has_shadows_on_device(*callee->getParent()))
    variables_of_device_ = add_vertex();
  return variables_of_device_;
}

DerivativeFlow::Vertex DerivativeFlow::bits_in(NodeId node) {
  const auto [found, inserted] = bits_in_.try_emplace(memory_.graph().find(node), 0);
  if (inserted)
    found->second = add_vertex();
  return found->second;
}

/// An integer that is computed from the bits of numbers is kept: whoever makes a number of it again has to know.
void DerivativeFlow::store_bits(NodeId target, const llvm::Value &integer) {
  const ComputedBits bits = computed_bits(integer);
  for (const llvm::Value *number : bits.numbers)
    if (!llvm::isa<llvm::Constant>(number))
      connect(make_vertex(*number), bits_in(target));
  for (const llvm::LoadInst *load : bits.loads)
    if (auto source = memory_.location(*load->getPointerOperand(), frame_))
      connect(bits_in(source->node), bits_in(target));
}

void DerivativeFlow::visit_opaque_bits(const llvm::CallBase &call) {
  for (const llvm::Value *number : llvm::drop_begin(call.args()))
    connect(*number, call);
  for (const llvm::LoadInst *load : computed_bits(*call.getArgOperand(0)).loads)
    if (auto source = memory_.location(*load->getPointerOperand(), frame_))
      connect(bits_in(source->node), make_vertex(call));
}

void DerivativeFlow::visit_opaque_call(const llvm::CallBase &call) {
  if (frame_ != root_frame && function_info_.rule(*call.getFunction()) != nullptr)
    return; // what the rule says of the whole function takes the place of its body
  llvm::SmallVector<Vertex, 8> inputs, outputs;
  llvm::SmallDenseSet<Vertex, 8> by_reference_to_const, in_other_ways;
  for (const llvm::Use &argument : call.args()) {
    if (can_carry(*argument) && !llvm::isa<llvm::Constant>(*argument))
      inputs.push_back(make_vertex(*argument));
    for (NodeId node : reachable_nodes(*argument, frame_)) {
      inputs.push_back(content(node));
      if (call.onlyReadsMemory() || is_read_by_rule(call, argument) || leads_to_integers(call, argument))
        continue;
      outputs.push_back(content(node));
      (is_reference_to_const(call, argument) ? by_reference_to_const : in_other_ways).insert(content(node));
    }
  }
  if (can_carry(call))
    outputs.push_back(make_vertex(call));
  for (NodeId node : reachable_nodes(call, frame_)) {
    outputs.push_back(content(node));
    in_other_ways.insert(content(node));
  }
  if (const auto variables = variables_of_device(call)) {
    inputs.push_back(*variables);
    outputs.push_back(*variables);
  }
  if (inputs.empty() || outputs.empty())
    return;
  const Vertex hub = add_vertex(); // One vertex in between keeps the number of edges linear.
  for (Vertex input : inputs)
    connect(input, hub);
  for (Vertex output : outputs)
    connect(hub, output);
  for (Vertex output : by_reference_to_const)
    if (!in_other_ways.contains(output))
      by_reference_to_const_.insert({hub, output});
}

void DerivativeFlow::visit_call(const llvm::CallBase &call) {
  note_exception(call);
  if (shuffle_of_numbers(call) || shuffle_of_words(call)) {
    connect(*shuffle_operands(call).value, call);
    return;
  }
  if (is_derivative_free(call, function_info_))
    return;
  const llvm::Function *callee = call.getCalledFunction();
  if (callee != nullptr && function_info_.is_inactive(*callee))
    return;
  if (is_opaque_bits(call)) {
    visit_opaque_bits(call);
    return;
  }
  if (callee != nullptr && function_info_.rule(*callee) != nullptr) {
    visit_opaque_call(call);
    return;
  }
  if (auto rule = ScalarRule::find(call, function_info_)) {
    for (unsigned index = 0; index < rule->operand_count(); ++index)
      if (rule->has_partial(index))
        connect(*rule->operand(index), call);
    return;
  }
  switch (library_effect(call)) {
  case LibraryEffect::copy: {
    auto target = memory_.location(*call.getArgOperand(0), frame_);
    auto source = memory_.location(*call.getArgOperand(1), frame_);
    if (target && source && asks_for_bits_)
      connect(bits_in(source->node), bits_in(target->node));
    if (!target || !source || !may_hold_floating(target->node) || !may_hold_floating(source->node))
      return;
    connect(content(source->node), content(target->node));
    if (tagged_copy(call) == TaggedCopy::adjoint)
      connect(content(target->node), content(source->node));
    return;
  }
  case LibraryEffect::none:
    if (callee != nullptr && ((!call.getType()->isIntOrIntVectorTy() && can_carry(call)) ||
                              writes_floating_result(*callee) || is_target_instruction_that_writes(call)))
      visit_opaque_call(call);
    return;
  case LibraryEffect::unknown:
    break;
  default:
    return;
  }
  if (auto frame = memory_.calls().callee(frame_, call))
    visit_call_of(call, *frame);
  else
    visit_opaque_call(call);
}

void DerivativeFlow::visit_call_of(const llvm::CallBase &call, FrameId callee) {
  const llvm::Function &function = memory_.calls().function(callee);
  for (unsigned index = 0; index < call.arg_size() && index < function.arg_size(); ++index)
    connect(framed(frame_, *call.getArgOperand(index)), framed(callee, *function.getArg(index)));
  for (const llvm::Value *returned : memory_.calls().returned(callee))
    connect(framed(callee, *returned), framed(frame_, call));
}

std::vector<bool> DerivativeFlow::forward_from(llvm::ArrayRef<Vertex> starts, const std::vector<bool> &constant) const {
  return reach(starts, successors_, [&](Vertex from, Vertex to) {
    return to >= constant.size() || !constant[to] || !by_reference_to_const_.contains({from, to});
  });
}

std::vector<bool> DerivativeFlow::backward_from(llvm::ArrayRef<Vertex> starts) const {
  return reach(starts, predecessors_, [](Vertex, Vertex) { return true; });
}

std::vector<bool> DerivativeFlow::reach(llvm::ArrayRef<Vertex> starts,
                                        const std::vector<llvm::SmallVector<Vertex, 2>> &edges,
                                        llvm::function_ref<bool(Vertex, Vertex)> is_open) {
  std::vector<bool> reached(edges.size());
  std::vector<Vertex> queue;
  auto enter = [&](Vertex vertex) {
    if (reached[vertex])
      return;
    reached[vertex] = true;
    queue.push_back(vertex);
  };
  for (Vertex start : starts)
    enter(start);
  while (!queue.empty()) {
    Vertex vertex = queue.back();
    queue.pop_back();
    for (Vertex next : edges[vertex])
      if (is_open(vertex, next))
        enter(next);
  }
  return reached;
}

} // namespace assay::engine
