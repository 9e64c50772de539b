#include "core/engine/analysis/memory_classes.hpp"
#include "core/engine/analysis/address_offsets.hpp"
#include "core/engine/analysis/library_effects.hpp"
#include "core/engine/analysis/memory_access.hpp"
#include "core/engine/analysis/number_parts.hpp"
#include "core/engine/analysis/pointer_carriers.hpp"
#include "core/engine/analysis/tagged_copies.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/rule_template.hpp"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace assay::engine {
namespace {

constexpr unsigned integer_depth = 6;

std::optional<std::uint64_t> store_size(const llvm::DataLayout &layout, llvm::Type *type) {
  llvm::TypeSize size = layout.getTypeStoreSize(type);
  return size.isScalable() ? std::nullopt : std::optional<std::uint64_t>(size.getFixedValue());
}

bool any_computes_with_addresses(const CallTree &calls) {
  return llvm::any_of(calls.functions(),
                      [](const llvm::Function *function) { return computes_with_addresses(*function); });
}

} // namespace

bool copies_unaligned_bytes(const llvm::CallBase &call) {
  return tagged_copy(call) == TaggedCopy::none && !llvm::isa<llvm::ConstantInt>(call.getArgOperand(2)) &&
         call.getParamAlign(0).valueOrOne() == 1 && call.getParamAlign(1).valueOrOne() == 1;
}

MemoryClasses::MemoryClasses(const llvm::Function &root, BodyOf body_of, Followed followed)
    : layout_(root.getParent()->getDataLayout()), calls_(root, body_of, followed),
      computes_with_addresses_(any_computes_with_addresses(calls_)), arithmetic_(layout_), places_(calls_) {
  graph_.reserve(calls_.number_count());
  for (frame_ = root_frame; frame_ < calls_.size(); ++frame_)
    visit_frame();
  frame_ = root_frame;
  do
    graph_.solve();
  while (arithmetic_.resolve(graph_));
}

bool MemoryClasses::is_address(const llvm::Value &integer, FrameId frame) const {
  return engine::is_address(integer) || arithmetic_.contains(framed(frame, integer));
}

/// An operation on integers of which only the whole graph tells whether they are addresses.
bool MemoryClasses::is_candidate(const llvm::Value &value) const {
  return computes_with_addresses_ && may_be_address_arithmetic(value) && !moves_integers(value);
}

std::optional<Location> MemoryClasses::location(const llvm::Value &value, FrameId frame) const {
  if (is_candidate(value) && !arithmetic_.contains(framed(frame, value)))
    return std::nullopt;
  if (const auto found = places_.find(framed(frame, value)))
    return Location{graph_.node(*found), graph_.at(*found)};
  if (const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(&value)) // A constant expression that nothing else mentioned.
    if (auto base = location(*gep->getPointerOperand(), frame))
      return Location{base->node, base->at.plus(gep_offsets(*gep, layout_))};
  return std::nullopt;
}

llvm::SmallVector<std::pair<std::int64_t, NodeId>, 4> MemoryClasses::pointees(NodeId node) const {
  llvm::SmallVector<std::pair<std::int64_t, NodeId>, 4> result;
  for (auto &[offset, slot] : graph_[node].slots)
    result.push_back({offset, graph_.node(slot.place)});
  return result;
}

llvm::SmallVector<NodeId, 8> MemoryClasses::read_from(NodeId start) const {
  llvm::SmallVector<NodeId, 8> found{graph_.find(start)};
  for (std::size_t next = 0; next < found.size(); ++next)
    for (auto &[offset, slot] : graph_[found[next]].slots)
      if (slot.loaded && !llvm::is_contained(found, graph_.node(slot.place)))
        found.push_back(graph_.node(slot.place));
  return found;
}

PlaceId MemoryClasses::constant_place(const llvm::Constant &constant) {
  PlaceId made = graph_.new_place();
  places_.try_emplace(framed(root_frame, constant), made);
  if (!llvm::isa<llvm::ConstantData>(constant))
    arithmetic_.note_pointer(made);
  if (const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(&constant)) {
    flow(*gep->getPointerOperand(), constant, gep_offsets(*gep, layout_));
  } else if (const auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant)) {
    for (const llvm::Use &operand : expression->operands())
      flow(*operand, constant, expression->isCast() ? OffsetSet{} : OffsetSet::anywhere());
  } else if (const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(&constant)) {
    graph_.seed(made);
    add_object(*global);
    if (!global->isConstant())
      arithmetic_.note_shared(made);
    if (global->hasInitializer())
      visit_initializer(*global->getInitializer(), made, 0);
  } else if (const auto *alias = llvm::dyn_cast<llvm::GlobalAlias>(&constant)) {
    flow(*alias->getAliasee(), constant);
  } else if (llvm::isa<llvm::GlobalValue>(constant)) {
    graph_.seed(made);
    add_object(constant);
  } else if (constant.getType()->isAggregateType() || constant.getType()->isVectorTy()) {
    graph_.seed(made);
    visit_initializer(constant, made, 0);
  }
  return made;
}

/// Null, or a member of what would lie there: nothing is behind it.
static bool is_near_null(const llvm::Value &value) {
  constexpr std::uint64_t first_page = 4096;
  if (llvm::isa<llvm::ConstantData>(value))
    return true;
  const auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(&value);
  if (expression == nullptr || expression->getOpcode() != llvm::Instruction::IntToPtr)
    return false;
  const auto *address = llvm::dyn_cast<llvm::ConstantInt>(expression->getOperand(0));
  return address != nullptr && address->getValue().ult(first_page);
}

std::optional<PlaceId> MemoryClasses::place(const llvm::Value &value, FrameId frame) {
  if (!may_carry_pointer(*value.getType()) || is_near_null(value))
    return std::nullopt;
  if (const auto found = places_.find(framed(frame, value)))
    return *found;
  if (const auto *constant = llvm::dyn_cast<llvm::Constant>(&value))
    return constant_place(*constant);
  if (is_tracked_integer(*value.getType()) && !moves_integers(value) && !is_candidate(value))
    return std::nullopt;
  PlaceId made = graph_.new_place();
  places_.try_emplace(framed(frame, value), made);
  if (value.getType()->isPtrOrPtrVectorTy())
    arithmetic_.note_pointer(made);
  if (value.getType()->isAggregateType())
    graph_.seed(made); // The address of the register object.
  return made;
}

PlaceId MemoryClasses::return_place(FrameId frame, const llvm::Type &type) {
  auto found = returns_.find(frame);
  if (found != returns_.end())
    return found->second;
  PlaceId made = graph_.new_place();
  if (type.isAggregateType())
    graph_.seed(made);
  return returns_[frame] = made;
}

void MemoryClasses::flow(const llvm::Value &from, const llvm::Value &to, OffsetSet shift) {
  auto source = place(from);
  auto target = place(to);
  if (source && target)
    graph_.add_flow(*source, *target, shift);
}

void MemoryClasses::visit_initializer(const llvm::Constant &initializer, PlaceId memory, std::int64_t offset) {
  if (llvm::isa<llvm::ConstantData>(initializer))
    return;
  if (initializer.getType()->isPointerTy() || is_tracked_integer(*initializer.getType())) {
    if (auto value = place(initializer))
      graph_.add_store(memory, {offset, 0}, *value);
    return;
  }
  for (unsigned index = 0; index < initializer.getNumOperands(); ++index) {
    llvm::Constant *element = initializer.getAggregateElement(index);
    if (element == nullptr)
      return;
    std::int64_t at = 0;
    if (initializer.getType()->isAggregateType())
      at = field_offset(layout_, initializer.getType(), {index});
    else
      at = static_cast<std::int64_t>(index * layout_.getTypeAllocSize(element->getType()).getFixedValue());
    visit_initializer(*element, memory, offset + at);
  }
}

/// Visits each pointer-sized word of an access at `pointer`; where a select or phi chooses the address or its offset,
/// at each of the alternatives.
void MemoryClasses::for_each_word(const llvm::Value &pointer, llvm::Type *type,
                                  llvm::function_ref<void(PlaceId, OffsetSet)> visit) {
  const std::uint64_t size = store_size(layout_, type).value_or(pointer_bytes);
  const auto visit_words = [&](const llvm::Value &start, std::int64_t at) {
    if (auto memory = place(start))
      for (std::uint64_t offset = 0; offset + pointer_bytes <= size; offset += pointer_bytes)
        visit(*memory, {at + static_cast<std::int64_t>(offset), 0});
  };
  const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(&pointer);
  const auto chosen = gep != nullptr ? chosen_offsets(*gep, layout_) : llvm::SmallVector<std::int64_t, 4>();
  for (const std::int64_t offset : chosen)
    visit_words(*gep->getPointerOperand(), offset);
  if (!chosen.empty())
    return;
  const auto fields = chosen_fields(pointer);
  for (const llvm::Value *field : fields)
    visit_words(*field, 0);
  if (fields.empty())
    visit_words(pointer, 0);
}

void MemoryClasses::load(const llvm::Value &pointer, const llvm::Value &value) {
  auto memory = place(pointer);
  auto target = place(value);
  if (!memory || !target)
    return;
  if (value.getType()->isAggregateType()) {
    const bool is_exchange = llvm::isa<llvm::AtomicCmpXchgInst>(value); // Its second field is not from memory.
    graph_.add_copy(*target, *memory, is_exchange ? pointer_bytes : store_size(layout_, value.getType()));
    return;
  }
  for_each_word(pointer, value.getType(), [&](PlaceId from, OffsetSet at) { graph_.add_load(from, at, *target); });
}

void MemoryClasses::store(const llvm::Value &pointer, const llvm::Value &value) {
  auto memory = place(pointer);
  auto source = place(value);
  if (!memory || !source)
    return;
  if (value.getType()->isAggregateType()) {
    graph_.add_copy(*memory, *source, store_size(layout_, value.getType()));
    return;
  }
  for_each_word(pointer, value.getType(), [&](PlaceId to, OffsetSet at) { graph_.add_store(to, at, *source); });
}

void MemoryClasses::visit_frame() {
  const llvm::Function &function = calls_.function(frame_);
  for (const llvm::Argument &argument : function.args()) {
    auto formal = place(argument);
    if (!formal || frame_ != root_frame)
      continue;
    graph_.seed(*formal);
    add_object(argument);
    arithmetic_.note_shared(*formal);
  }
  for (const llvm::Instruction &instruction : llvm::instructions(function))
    visit(instruction);
}

void MemoryClasses::visit_return(const llvm::Value &result) {
  if (!may_carry_pointer(*result.getType()))
    return;
  PlaceId returned = return_place(frame_, *result.getType());
  if (auto value = place(result))
    graph_.add_flow(*value, returned);
  if (frame_ == root_frame)
    arithmetic_.note_shared(returned);
}

/// As gep_offsets; one index that is the distance between two pointers takes its stride from theirs.
void MemoryClasses::visit_gep(const llvm::GEPOperator &gep) {
  auto base = place(*gep.getPointerOperand()), result = place(gep);
  if (!base || !result)
    return;
  if (auto difference = gep_difference(gep, layout_)) {
    auto minuend = place(*difference->minuend), subtrahend = place(*difference->subtrahend);
    if (minuend && subtrahend) {
      graph_.add_difference_flow(*base, *result, {difference->offset, 0}, *minuend, *subtrahend);
      return;
    }
  }
  graph_.add_flow(*base, *result, gep_offsets(gep, layout_));
}

void MemoryClasses::visit_arithmetic(const llvm::BinaryOperator &operation) {
  if (is_candidate(operation))
    arithmetic_.add(framed(frame_, operation), *place(operation), place(*operation.getOperand(0)),
                    place(*operation.getOperand(1)));
  else if (place(operation))
    flow(*operation.getOperand(0), operation, address_shift(operation, 0, layout_));
}

void MemoryClasses::visit_int_to_pointer(const llvm::Value &target, const llvm::Value &integer, unsigned depth) {
  if (auto used = place(integer)) {
    arithmetic_.note_use_as_pointer(*used);
    flow(integer, target);
    return;
  }
  const auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&integer);
  if (operation == nullptr || depth == 0 || operation->getOpcode() == llvm::Instruction::Mul)
    return;
  visit_int_to_pointer(target, *operation->getOperand(0), depth - 1);
  if (operation->getOpcode() != llvm::Instruction::Sub)
    visit_int_to_pointer(target, *operation->getOperand(1), depth - 1);
}

void MemoryClasses::visit(const llvm::Instruction &instruction) {
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
  case llvm::Instruction::Alloca:
    graph_.seed(*place(instruction));
    add_object(instruction);
    return;
  case llvm::Instruction::GetElementPtr:
    visit_gep(llvm::cast<llvm::GEPOperator>(instruction));
    return;
  case llvm::Instruction::PHI:
  case llvm::Instruction::Freeze:
  case llvm::Instruction::ShuffleVector:
    for (const llvm::Use &operand : instruction.operands())
      flow(*operand, instruction);
    return;
  case llvm::Instruction::Select:
    flow(*instruction.getOperand(1), instruction);
    flow(*instruction.getOperand(2), instruction);
    return;
  case llvm::Instruction::InsertElement:
    flow(*first, instruction);
    flow(*instruction.getOperand(1), instruction);
    return;
  case llvm::Instruction::ExtractElement:
  case llvm::Instruction::BitCast:
  case llvm::Instruction::AddrSpaceCast:
  case llvm::Instruction::PtrToInt:
  case llvm::Instruction::PtrToAddr:
    flow(*first, instruction);
    return;
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
  case llvm::Instruction::And:
  case llvm::Instruction::Or:
  case llvm::Instruction::Xor:
  case llvm::Instruction::Shl:
  case llvm::Instruction::LShr:
  case llvm::Instruction::AShr:
    visit_arithmetic(llvm::cast<llvm::BinaryOperator>(instruction));
    return;
  case llvm::Instruction::IntToPtr:
    visit_int_to_pointer(instruction, *first, integer_depth);
    return;
  case llvm::Instruction::ExtractValue: {
    const auto &extract = llvm::cast<llvm::ExtractValueInst>(instruction);
    OffsetSet at{field_offset(layout_, first->getType(), extract.getIndices()), 0};
    auto aggregate = place(*first), field = place(instruction);
    if (!aggregate || !field)
      return;
    if (instruction.getType()->isAggregateType())
      graph_.add_flow(*aggregate, *field, at);
    else
      graph_.add_load(*aggregate, at, *field);
    return;
  }
  case llvm::Instruction::InsertValue: {
    const auto &insert = llvm::cast<llvm::InsertValueInst>(instruction);
    OffsetSet at{field_offset(layout_, first->getType(), insert.getIndices()), 0};
    flow(*first, instruction);
    auto aggregate = place(instruction), field = place(*insert.getInsertedValueOperand());
    if (!aggregate || !field)
      return;
    llvm::Type *type = insert.getInsertedValueOperand()->getType();
    if (!type->isAggregateType()) {
      graph_.add_store(*aggregate, at, *field);
      return;
    }
    PlaceId inner = graph_.new_place();
    graph_.add_flow(*aggregate, inner, at);
    graph_.add_copy(inner, *field, store_size(layout_, type));
    return;
  }
  case llvm::Instruction::Ret:
    if (first != nullptr)
      visit_return(*first);
    return;
  default:
    return;
  }
}

} // namespace assay::engine
