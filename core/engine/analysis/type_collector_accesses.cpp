// Evidence from loads, stores, GEPs, allocas and the fields of aggregates.

#include "core/engine/analysis/address_offsets.hpp"
#include "core/engine/analysis/basic_type.hpp"
#include "core/engine/analysis/bounded_offsets.hpp"
#include "core/engine/analysis/debug_types.hpp"
#include "core/engine/analysis/type_collector.hpp"
#include "core/engine/analysis/type_layout.hpp"
#include "core/engine/analysis/units.hpp"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

namespace assay::engine {
namespace {

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

/// Where an access may be: at `whole`, or at a few places of each element of an array within it, which its counted
/// loops tell. Elements of a single array are one place to all who move them, however many there are.
llvm::SmallVector<Location, 4> TypeCollector::places_of(const llvm::Value &pointer, Location whole) const {
  constexpr std::size_t most_places = 16;
  const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(&pointer);
  if (gep == nullptr || whole.at.stride == 0)
    return {whole};
  const auto start = location(*gep->getPointerOperand());
  const OffsetSets offsets = bounded_offsets(*gep, layout_);
  if (!start || start->node != whole.node)
    return {whole};
  const auto starts = places_of(*gep->getPointerOperand(), *start);
  if (starts.size() * offsets.size() == 1 || starts.size() * offsets.size() > most_places)
    return {whole};
  llvm::SmallVector<Location, 4> places;
  for (const Location &at : starts)
    for (const OffsetSet &offset : offsets)
      places.push_back({at.node, at.at.plus(offset)});
  const bool is_single_array =
      llvm::any_of(places, [](const Location &place) { return place.at.stride == 0; }); // from a fixed start
  return is_single_array ? llvm::SmallVector<Location, 4>{whole} : places;
}

void TypeCollector::visit_access(const llvm::Instruction &access, const llvm::Value &pointer,
                                 const llvm::Value &moved) {
  auto at = location(pointer);
  if (!at || access.hasMetadata(zeros_metadata))
    return;
  if (at->at.stride == 1) // The index is unknown, but not that the access is aligned.
    at->at = aligned(at->at, access);
  const auto places = places_of(pointer, *at);
  for (const Location &place : places)
    visit_tag(access, place);
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
    for (auto byte = static_cast<std::uint64_t>(offset.base); byte < size && !scalar->isIntegerTy(); byte += step)
      for (const Location &place : places)
        add({place.node, place.at.plus({static_cast<std::int64_t>(byte), 0})}, basic_type(scalar), Rank::access, 1);
  });
}

void TypeCollector::visit_gep(const llvm::GEPOperator &gep) {
  auto at = location(*gep.getPointerOperand());
  llvm::Type *source = gep.getSourceElementType();
  if (!at || source->isIntegerTy(8) || !source->isSized() || source->isScalableTy())
    return;
  auto size = layout_.getTypeAllocSize(source).getFixedValue();
  const auto *first = llvm::dyn_cast<llvm::ConstantInt>(gep.idx_begin()->get());
  if (const auto reached = location(gep); reached && !source->isAggregateType() && gep.getNumIndices() == 1) {
    if (const auto places = places_of(gep, *reached); places.size() > 1) {
      for (const Location &place : places)
        add_layout(place, source);
      return;
    }
  }
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

} // namespace assay::engine
