#include "core/engine/analysis/type_collector.hpp"
#include "core/engine/analysis/address_offsets.hpp"
#include "core/engine/analysis/caller_types.hpp"
#include "core/engine/analysis/debug_types.hpp"
#include "core/engine/analysis/library_effects.hpp"
#include "core/engine/analysis/mixed_places.hpp"
#include "core/engine/analysis/news_of.hpp"
#include "core/engine/analysis/passed_memory.hpp"
#include "core/engine/analysis/units.hpp"
#include "core/engine/analysis/word_moves.hpp"
#include "core/engine/request/convention_names.hpp"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include <numeric>

namespace assay::engine {
namespace {

constexpr unsigned most_collecting_rounds = 12;

std::optional<std::uint64_t> constant_size(const llvm::Value &size) {
  const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(&size);
  return constant != nullptr ? std::optional(constant->getZExtValue()) : std::nullopt;
}

MemoryMove::Direction direction_of(const llvm::Instruction &access) {
  return llvm::isa<llvm::LoadInst>(access)    ? MemoryMove::Direction::from_memory
         : llvm::isa<llvm::StoreInst>(access) ? MemoryMove::Direction::to_memory
                                              : MemoryMove::Direction::both;
}

OffsetSet aligned(OffsetSet at, const llvm::Instruction &access) {
  std::uint64_t alignment = 1;
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&access))
    alignment = load->getAlign().value();
  else if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&access))
    alignment = store->getAlign().value();
  return {at.base - floor_modulo(at.base, alignment), alignment};
}

} // namespace

namespace {

/// What only the run tells may be numbers, whatever else was seen there. The note is by retype_words.
bool moves_words(const llvm::CallBase &call) {
  if (word_move(call) != WordMove::none)
    return true;
  const llvm::MDNode *note = call.getMetadata("assay.type");
  const auto *text = note != nullptr ? llvm::dyn_cast<llvm::MDString>(note->getOperand(0)) : nullptr;
  return text != nullptr && text->getString().starts_with("words");
}

/// A constant that was written as characters, such as a program copies into members of its structs.
bool is_text(const llvm::GlobalVariable &global) {
  return global.isConstant() && global.hasInitializer() && llvm::isa<llvm::ArrayType>(global.getValueType()) &&
         global.getValueType()->getArrayElementType()->isIntegerTy(8);
}

std::uint64_t text_size(const llvm::GlobalVariable &global) {
  constexpr std::uint64_t longest_text = 1024;
  return std::min(global.getValueType()->getArrayNumElements(), longest_text);
}

} // namespace

TypeCollector::TypeCollector(const MemoryClasses &memory, const TypeHints *hints)
    : memory_(memory), layout_(memory.layout()), context_(memory.root().getContext()), bits_(memory),
      trees_(memory.graph().node_count()), copied_(memory.graph().node_count()),
      handed_out_(memory.graph().node_count()) {
  for (auto [frame, object] : memory.objects())
    if (const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(object)) {
      add_layout(*memory_.location(*global), global->getValueType());
      if (is_text(*global))
        add(*memory_.location(*global), {ByteKind::integer, nullptr}, Rank::layout, text_size(*global));
    }
  for (const PassedMemory &passed : passed_memory(memory.root()))
    if (auto at = memory_.location(*memory.root().getArg(passed.parameter), root_frame)) {
      if (!passed.type->isAggregateType()) // an element of an array, perhaps
        at->at = at->at.plus({0, layout_.getTypeAllocSize(passed.type).getFixedValue()});
      add_layout(*at, passed.type);
    }
  for (frame_ = root_frame; frame_ < memory.calls().size(); ++frame_) {
    for (const llvm::Argument &argument : memory.calls().function(frame_).args())
      bits_.visit(frame_, argument);
    for (const llvm::Instruction &instruction : llvm::instructions(memory.calls().function(frame_)))
      visit(instruction);
  }
  frame_ = root_frame;
  bits_.settle();
  if (hints != nullptr)
    take_hints(*hints, memory_, trees_);
  for (const MemoryCopy &copy : copies_)
    copied_[copy.source.node] = copied_[copy.target.node] = true;
  MixedPlaces mixed(memory_, trees_, bits_, moves_, copies_);
  mixed.spread();
  const bool is_stable = iterate();
  mixed.spread();
  if (is_stable)
    find_closed_memory();
  mixed.find_doubtful_words();
}

void TypeCollector::find_closed_memory() {
  constexpr std::uint64_t widest = 16;
  closed_.emplace(memory_, bits_, moves_, copies_);
  for (NodeId node = 0; node < trees_.size(); ++node) {
    for (const auto &[offset, evidence] : trees_[node].exact())
      if (evidence.is_conflict(context_))
        closed_->open(node, {offset, 0}, widest);
    for (const auto &[key, entry] : trees_[node].strided())
      if (entry.evidence.is_conflict(context_))
        closed_->open(node, {entry.base, key.first}, widest);
  }
  closed_->spread();
}

bool TypeCollector::is_unused_word(FramedValue integer, unsigned index) const {
  return closed_ && bits_.word(integer, index).empty() && bits_.is_moved(integer) &&
         closed_->contains_word(integer, index);
}

/// Grows whenever the memory or a word of a move changes: what was looked at then and found nothing new finds nothing
/// new now.
std::uint64_t TypeCollector::version(const MemoryMove &move) const {
  std::uint64_t sum = trees_[move.memory.node].version();
  for (unsigned index = 0; index < move.words; ++index)
    sum += bits_.version(move.first_word + index);
  return sum;
}

std::uint64_t TypeCollector::version(const MemoryCopy &copy) const {
  return trees_[copy.source.node].version() + trees_[copy.target.node].version();
}

bool TypeCollector::iterate() {
  for (const MemoryMove &move : moves_) // What the values know goes first, so that arrays nearby do not speak for them.
    push(move);
  NewsOf<MemoryMove> new_moves(moves_);
  NewsOf<MemoryCopy> new_copies(copies_);
  for (unsigned round = 0; round < most_collecting_rounds; ++round) {
    bool changed = false;
    new_moves.for_each([&](const MemoryMove &move) { return version(move); },
                       [&](const MemoryMove &move) {
                         changed |= pull(move);
                         changed |= push(move);
                       });
    new_copies.for_each([&](const MemoryCopy &copy) { return version(copy); },
                        [&](const MemoryCopy &copy) {
                          changed |= copy_evidence(copy.source, copy.target, copy.size);
                          changed |= copy_evidence(copy.target, copy.source, copy.size);
                        });
    if (!changed)
      return true;
  }
  return false;
}

BasicType TypeCollector::of_integer(const llvm::Value &value, FrameId frame) const {
  std::optional<BasicType> only;
  FramedValue integer = framed(frame, value);
  for (unsigned index = 0; index < bits_.word_count(value); ++index) {
    bool inside = only && (only->kind == ByteKind::floating || only->kind == ByteKind::pointer) &&
                  index * word_bytes % byte_size(*only, layout_) != 0;
    if (inside && bits_.word(integer, index).is_weaker_than(bits_.word(integer, 0)))
      continue; // The second half of a double or a pointer.
    BasicType type = bits_.type_of_word(integer, index, context_);
    if (is_unused_word(integer, index))
      type = index == 0 ? integer_type() : *only;
    if (!only)
      only = type;
    else if (!(*only == type))
      return {};
  }
  return only.value_or(BasicType{});
}

bool TypeCollector::is_only_hinted(const llvm::Value &integer) const {
  FramedValue value = framed(root_frame, integer);
  for (unsigned index = 0; index < bits_.word_count(integer); ++index)
    if (!(bits_.word(value, index) == bits_.word(value, index).only(Rank::hint)))
      return false;
  return bits_.is_moved(value);
}

bool TypeCollector::is_only_declared(const llvm::Value &integer) const {
  FramedValue value = framed(root_frame, integer);
  for (unsigned index = 0; index < bits_.word_count(integer); ++index)
    if (!bits_.word(value, index).only(Rank::access).empty())
      return false;
  return bits_.is_moved(value) && of_integer(integer).kind == ByteKind::integer;
}

bool TypeCollector::is_without_floating(NodeId node) const {
  const TypeTree &known = tree(node);
  Evidence all = known.everything(OffsetSet::anywhere());
  if (all.empty() || all.mentions_floating() || handed_out_[memory_.graph().find(node)])
    return false;
  // Copied memory may hold more than what is accessed here, unless it is an array.
  return !copied_[memory_.graph().find(node)] || !known.strided().empty();
}

void TypeCollector::add(Location at, BasicType type, Rank rank, std::uint64_t size) {
  TypeTree &tree = trees_[at.node];
  std::uint64_t step =
      type.kind == ByteKind::unknown ? word_bytes : std::max<std::uint64_t>(byte_size(type, layout_), 1);
  for (std::uint64_t offset = 0; offset < std::max<std::uint64_t>(size, 1); offset += step)
    tree.add(at.at.plus({static_cast<std::int64_t>(offset), 0}), Evidence::of(type, rank));
}

void TypeCollector::add_layout(Location at, llvm::Type *type) {
  for_each_layout_evidence(type, at.at, layout_,
                           [&](OffsetSet offset, Evidence evidence) { trees_[at.node].add(offset, evidence); });
}

llvm::ArrayRef<TaggedField> TypeCollector::fields_of(const llvm::Instruction &access,
                                                     std::optional<std::uint64_t> copied) {
  if (!access.hasMetadataOtherThanDebugLoc())
    return {};
  const llvm::MDNode *tag = access.getMetadata(llvm::LLVMContext::MD_tbaa);
  if (tag == nullptr || access.hasMetadata(llvm::LLVMContext::MD_tbaa_struct))
    return fields_ = fields_of_tag(access, copied);
  const auto [known, is_new] = fields_of_tags_.try_emplace(tag);
  if (is_new)
    known->second = fields_of_tag(access, copied);
  return known->second;
}

void TypeCollector::visit_tag(const llvm::Instruction &access, Location at, std::optional<std::uint64_t> copied) {
  constexpr std::uint64_t most_elements = 1024;
  for (const TaggedField &field : fields_of(access, copied)) {
    std::uint64_t size = std::max<std::uint64_t>(byte_size(field.type, layout_), 1);
    Location start{at.node, at.at.plus({field.offset, 0})};
    const Rank rank = field.may_be_padding ? Rank::hint : Rank::declaration;
    if (field.size > most_elements * size) {
      start.at = start.at.plus({0, size});
      add(start, field.type, rank, size);
    } else {
      add(start, field.type, rank, std::max(field.size, size));
    }
  }
}

void TypeCollector::note_move(const llvm::Value &moved, Location at, MemoryMove::Direction direction) {
  const FramedValue value{frame_, &moved};
  const std::uint64_t bytes = layout_.getTypeStoreSize(moved.getType()).getKnownMinValue();
  moves_.push_back({value, at, direction, bits_.first_word(value), bits_.word_count(moved), bytes});
}

void TypeCollector::visit_access(const llvm::Instruction &access, const llvm::Value &pointer,
                                 const llvm::Value &moved) {
  auto at = location(pointer);
  if (!at)
    return;
  if (at->at.stride == 1) // The index is unknown, but not that the access is aligned.
    at->at = aligned(at->at, access);
  visit_tag(access, *at);
  llvm::Type *type = moved.getType();
  if (!type->isSized() || type->isScalableTy())
    return;
  if (holds_integers(moved)) {
    if (llvm::isa<llvm::Constant>(moved))
      return;
    note_move(moved, *at, direction_of(access));
    if (access.hasMetadata(integer_metadata))
      bits_.declare_integer({frame_, &moved});
    bits_.mark_moved({frame_, &moved});
    bits_.add_whole({frame_, &moved}, tagged_type(access));
    return;
  }
  std::uint64_t size = layout_.getTypeStoreSize(type).getFixedValue();
  for_each_scalar(type, {0, 0}, layout_, [&](OffsetSet offset, llvm::Type *scalar) {
    std::uint64_t step = offset.stride == 0 ? size : offset.stride;
    for (auto byte = static_cast<std::uint64_t>(offset.base); byte < size; byte += step)
      if (!scalar->isIntegerTy())
        add({at->node, at->at.plus({static_cast<std::int64_t>(byte), 0})}, basic_type(scalar), Rank::access, 1);
  });
}

void TypeCollector::visit_gep(const llvm::GEPOperator &gep) {
  auto at = location(*gep.getPointerOperand());
  llvm::Type *source = gep.getSourceElementType();
  if (!at || source->isIntegerTy(8) || !source->isSized() || source->isScalableTy())
    return;
  auto size = layout_.getTypeAllocSize(source).getFixedValue();
  const auto *first = llvm::dyn_cast<llvm::ConstantInt>(gep.idx_begin()->get());
  if (size != 0 && (first == nullptr || !source->isAggregateType()))
    at->at = at->at.plus({0, size});
  add_layout(*at, source);
}

/// A field of an aggregate in registers: its register object has a type tree like memory.
void TypeCollector::visit_field(const llvm::Value &aggregate, llvm::ArrayRef<unsigned> path, const llvm::Value &field) {
  auto at = location(aggregate);
  if (!at)
    return;
  at->at = at->at.plus({field_offset(layout_, aggregate.getType(), path), 0});
  if (holds_integers(field)) {
    if (!llvm::isa<llvm::Constant>(field))
      note_move(field, *at, MemoryMove::Direction::both);
    return;
  }
  for_each_scalar(field.getType(), at->at, layout_, [&](OffsetSet offset, llvm::Type *scalar) {
    if (!scalar->isIntegerTy())
      add({at->node, offset}, basic_type(scalar), Rank::access, 1);
  });
}

void TypeCollector::visit(const llvm::Instruction &instruction) {
  bits_.visit(frame_, instruction);
  for_each_debug_evidence(instruction, frame_, memory_, [&](Location at, BasicType type, Rank rank) {
    if (type.kind != ByteKind::unknown)
      add(at, type, rank, 1);
  });
  for (const llvm::Use &operand : instruction.operands())
    if (const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(operand); gep != nullptr && llvm::isa<llvm::Constant>(gep))
      visit_gep(*gep);
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    visit_access(*load, *load->getPointerOperand(), *load);
    if (load->getType()->isAggregateType())
      if (auto from = location(*load->getPointerOperand()), to = location(*load); from && to)
        copies_.push_back({*to, *from, layout_.getTypeStoreSize(load->getType()).getFixedValue()});
  } else if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    const llvm::Value &stored = *store->getValueOperand();
    visit_access(*store, *store->getPointerOperand(), stored);
    if (stored.getType()->isAggregateType())
      if (auto from = location(stored), to = location(*store->getPointerOperand()); from && to)
        copies_.push_back({*to, *from, layout_.getTypeStoreSize(stored.getType()).getFixedValue()});
  } else if (const auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    visit_access(*update, *update->getPointerOperand(), *update);
    visit_access(*update, *update->getPointerOperand(), *update->getValOperand());
  } else if (const auto *swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    visit_access(*swap, *swap->getPointerOperand(), *swap->getCompareOperand());
    visit_access(*swap, *swap->getPointerOperand(), *swap->getNewValOperand());
  } else if (const auto *alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    Location at = *location(*alloca);
    if (alloca->isArrayAllocation())
      at.at.stride = layout_.getTypeAllocSize(alloca->getAllocatedType()).getFixedValue();
    add_layout(at, alloca->getAllocatedType());
  } else if (const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(&instruction)) {
    visit_gep(*gep);
  } else if (const auto *extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
    visit_field(*extract->getAggregateOperand(), extract->getIndices(), *extract);
  } else if (const auto *insert = llvm::dyn_cast<llvm::InsertValueInst>(&instruction)) {
    visit_field(*insert, insert->getIndices(), *insert->getInsertedValueOperand());
  } else if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    visit_call(*call);
  }
}

void TypeCollector::visit_copy(const llvm::CallBase &call) {
  auto target = location(*call.getArgOperand(0)), source = location(*call.getArgOperand(1));
  auto size = constant_size(*call.getArgOperand(2));
  const MemoryGraph &graph = memory_.graph();
  if (target && source && copies_unaligned_bytes(call) &&
      (graph.points_into_itself(target->node) || graph.points_into_itself(source->node)))
    return; // Taken for text.
  if (target && source)
    copies_.push_back({*target, *source, size});
  if (target && source && moves_words(call))
    handed_out_[memory_.graph().find(target->node)] = handed_out_[memory_.graph().find(source->node)] = true;
  if (target)
    visit_tag(call, *target, size);
  if (source)
    visit_tag(call, *source, size);
}

void TypeCollector::visit_call_of(const llvm::CallBase &call, FrameId callee) {
  const llvm::Function &function = memory_.calls().function(callee);
  for (unsigned index = 0; index < call.arg_size() && index < function.arg_size(); ++index)
    bits_.same(framed(callee, *function.getArg(index)), framed(frame_, *call.getArgOperand(index)));
  for (const llvm::Value *returned : memory_.calls().returned(callee))
    if (returned->getType() == call.getType())
      bits_.same({frame_, &call}, framed(callee, *returned));
}

/// What the unknown function finds there may be floats that nothing here tells of.
void TypeCollector::hand_out(const llvm::Value &pointer) {
  auto at = location(pointer);
  if (!at)
    return;
  llvm::SmallVector<NodeId, 8> reached{memory_.graph().find(at->node)};
  while (!reached.empty()) {
    NodeId node = reached.pop_back_val();
    if (handed_out_[node])
      continue;
    handed_out_[node] = true;
    for (auto [offset, pointee] : memory_.pointees(node))
      reached.push_back(memory_.graph().find(pointee));
  }
}

/// __enzyme_double(p, bytes) and relatives: the user says what is there. Without a size it is one of it.
void TypeCollector::visit_hint(const llvm::CallBase &call, llvm::StringRef name) {
  auto at = call.arg_size() > 0 ? location(*call.getArgOperand(0)) : std::nullopt;
  if (!at)
    return;
  BasicType type = name.contains("__enzyme_double")    ? basic_type(llvm::Type::getDoubleTy(context_))
                   : name.contains("__enzyme_float")   ? basic_type(llvm::Type::getFloatTy(context_))
                   : name.contains("__enzyme_pointer") ? pointer_type()
                                                       : integer_type();
  std::uint64_t element = byte_size(type, layout_);
  auto size = call.arg_size() > 1 ? constant_size(*call.getArgOperand(1)) : std::optional(element);
  if (!size)
    at->at = at->at.plus({0, element});
  add(*at, type, Rank::access, size.value_or(element));
}

void TypeCollector::visit_call(const llvm::CallBase &call) {
  if (library_effect(call) == LibraryEffect::copy) {
    visit_copy(call);
    return;
  }
  if (auto callee = memory_.calls().callee(frame_, call)) {
    visit_call_of(call, *callee);
    return;
  }
  if (call.isIndirectCall() && library_effect(call) == LibraryEffect::unknown)
    for (const llvm::Use &argument : call.args())
      hand_out(*argument);
  const llvm::Function *callee = call.getCalledFunction();
  if (callee != nullptr && convention_call(*callee) == ConventionCall::type_hint)
    visit_hint(call, callee->getName());
  for (unsigned index = 0; callee != nullptr && index < call.arg_size(); ++index) {
    const llvm::Value &actual = *call.getArgOperand(index);
    if (!actual.getType()->isPointerTy())
      continue;
    auto at = location(actual);
    if (at && writes_floating_result(callee->getName(), index))
      add(*at, basic_type(call.getArgOperand(0)->getType()), Rank::access, 1);
    if (llvm::Type *passed =
            call.isByValArgument(index) ? call.getParamByValType(index) : call.getParamStructRetType(index);
        at && passed != nullptr)
      add_layout(*at, passed);
    if (at && writes_integer_result(callee->getName(), index))
      add(*at, integer_type(), Rank::access, word_bytes);
  }
}

bool TypeCollector::push(const MemoryMove &move) {
  bool changed = false;
  // A character of which the place is not exactly known may be in text that a struct keeps, or far away from it.
  const bool is_somewhere =
      move.memory.at.stride != 0 && move.value.second->getType()->getScalarSizeInBits() < narrowest_float_bits;
  for (unsigned index = 0; index < move.words; ++index) {
    const unsigned moved = move.first_word + index;
    OffsetSet at = move.memory.at.plus({static_cast<std::int64_t>(index * word_bytes), 0});
    Evidence carried = bits_.word(moved);
    // What came from several places, or from an unknown one, does not spread to others.
    bool is_precise =
        at.stride % word_bytes == 0 && carried.resolve(context_).kind != ByteKind::unknown && !bits_.is_mixed(moved);
    const Evidence evidence = is_precise ? carried : bits_.own_word(moved);
    changed |= trees_[move.memory.node].add(at, is_somewhere ? evidence.as_hint() : evidence);
  }
  return changed;
}

bool TypeCollector::pull(const MemoryMove &move) {
  if (move.value.second->getType()->getScalarSizeInBits() < narrowest_float_bits)
    return false; // A character may lie anywhere and is never a part of anything else.
  bool changed = false;
  for (unsigned index = 0; index < move.words; ++index) {
    OffsetSet at = move.memory.at.plus({static_cast<std::int64_t>(index * word_bytes), 0});
    // Half a double is never moved alone, so that a narrow integer is what remains.
    Evidence kept = trees_[move.memory.node].look_up(at).fitting(move.bytes - index * word_bytes);
    if (kept.resolve(context_).kind != ByteKind::unknown) // Where several things may be, the value can be any of them.
      changed |= bits_.add(move.first_word + index, kept);
  }
  return changed;
}

bool TypeCollector::copy_evidence(Location from, Location to, std::optional<std::uint64_t> size) {
  if (from.node == to.node)
    return false; // It is all known there.
  bool changed = false;
  const TypeTree &source = trees_[from.node];
  std::uint64_t blur = std::gcd(from.at.stride, to.at.stride);
  auto transfer = [&](OffsetSet entry, Evidence evidence) {
    if (evidence.resolve(context_).kind == ByteKind::unknown)
      return; // Conflicts stay where they are.
    std::uint64_t stride = std::gcd(entry.stride, blur);
    std::int64_t relative = entry.base - from.at.base;
    if (stride != 0 && (relative < 0 || from.at.stride != 0))
      relative = floor_modulo(relative, stride);
    if (relative < 0 || (size && relative >= static_cast<std::int64_t>(*size)))
      return;
    if (size && entry.stride != 0 && blur == 0) {
      // Elements of an array inside of what is copied: each by itself, unless there are many.
      constexpr std::int64_t most_elements = 64;
      std::int64_t count = (static_cast<std::int64_t>(*size) - relative - 1) / static_cast<std::int64_t>(stride) + 1;
      if (count <= most_elements) {
        for (std::int64_t element = 0; element < count; ++element)
          changed |= trees_[to.node].add(
              {to.at.base + relative + element * static_cast<std::int64_t>(stride), 0},
              source.look_up({from.at.base + relative + element * static_cast<std::int64_t>(stride), 0}));
        return;
      }
    }
    changed |= trees_[to.node].add({to.at.base + relative, stride}, evidence);
  };
  for (const auto &[offset, evidence] : source.exact())
    transfer({offset, 0}, evidence);
  for (const auto &[key, entry] : source.strided())
    transfer({entry.base, key.first}, entry.evidence);
  return changed;
}

} // namespace assay::engine
