#include "core/engine/analysis/debug_types.hpp"
#include "core/engine/analysis/basic_type.hpp"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include <set>
#include <utility>

namespace assay::engine {
namespace {

constexpr std::uint64_t bits_of_byte = 8;
constexpr std::uint64_t most_single_elements = 16; // of an array; those of longer ones repeat without end

class DebugTypeWalk {
public:
  DebugTypeWalk(const MemoryClasses &memory, llvm::LLVMContext &context,
                llvm::function_ref<void(Location, BasicType, Rank)> visit)
      : memory_(memory), context_(context), visit_(visit) {}

  void memory_holds(Location at, const llvm::DIType *type) {
    if (type == nullptr || !seen_.insert({at.node, type, at.at.base, rank_}).second)
      return;
    if (const auto *basic = llvm::dyn_cast<llvm::DIBasicType>(type))
      visit_(at, basic_type(*basic), rank_);
    else if (const auto *derived = llvm::dyn_cast<llvm::DIDerivedType>(type))
      derived_holds(at, *derived);
    else if (const auto *composite = llvm::dyn_cast<llvm::DICompositeType>(type))
      composite_holds(at, *composite);
  }

  /// `at` is where a pointer of type `type` points.
  void pointer_points(Location at, const llvm::DIType *type) {
    while (const auto *derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
      type = derived->getBaseType();
      if (!is_pointer(*derived))
        continue;
      if (at.at.stride != 0 && at.at.stride < size_of(type))
        return; // Objects overlap nowhere: where it is, is not known.
      memory_holds(at, type);
      if (derived->getTag() == llvm::dwarf::DW_TAG_pointer_type)
        array_holds(at, type);
      return;
    }
  }

private:
  static bool is_pointer(const llvm::DIDerivedType &type) {
    return type.getTag() == llvm::dwarf::DW_TAG_pointer_type || type.getTag() == llvm::dwarf::DW_TAG_reference_type ||
           type.getTag() == llvm::dwarf::DW_TAG_rvalue_reference_type;
  }

  /// What a pointer to numbers or addresses points to may be an array, or one field among others: the latter is told by
  /// more than this. An object may be the base or the member of a larger one.
  void array_holds(Location at, const llvm::DIType *type) {
    const std::uint64_t size = size_of(type);
    if (size == 0 || is_composite(type))
      return;
    at.at = at.at.plus({0, size});
    const Rank rank = std::exchange(rank_, Rank::layout);
    memory_holds(at, type);
    rank_ = rank;
  }

  static bool is_composite(const llvm::DIType *type) {
    while (const auto *derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
      if (is_pointer(*derived))
        return false;
      type = derived->getBaseType();
    }
    return llvm::isa_and_nonnull<llvm::DICompositeType>(type);
  }

  static std::uint64_t size_of(const llvm::DIType *type) {
    while (type != nullptr && type->getSizeInBits() == 0) {
      const auto *derived = llvm::dyn_cast<llvm::DIDerivedType>(type);
      type = derived != nullptr ? derived->getBaseType() : nullptr;
    }
    return type != nullptr ? type->getSizeInBits() / bits_of_byte : 0;
  }

  BasicType basic_type(const llvm::DIBasicType &type) {
    switch (type.getEncoding()) {
    case llvm::dwarf::DW_ATE_float:
      switch (type.getSizeInBits()) {
      case 32:
        return {ByteKind::floating, llvm::Type::getFloatTy(context_)};
      case 64:
        return {ByteKind::floating, llvm::Type::getDoubleTy(context_)};
      case 128:
        return type.getName() == "long double" ? BasicType{ByteKind::floating, llvm::Type::getX86_FP80Ty(context_)}
                                               : BasicType{};
      default:
        return {};
      }
    case llvm::dwarf::DW_ATE_signed:
    case llvm::dwarf::DW_ATE_unsigned:
    case llvm::dwarf::DW_ATE_boolean:
      return integer_type();
    default: // Characters may be anything.
      return {};
    }
  }

  void derived_holds(Location at, const llvm::DIDerivedType &type) {
    if (!is_pointer(type)) {
      memory_holds(at, type.getBaseType());
      return;
    }
    visit_(at, pointer_type(), rank_);
    const MemoryGraph &graph = memory_.graph();
    const auto &node = graph[at.node];
    if (at.at.stride != 0 && node.modulus == 0)
      return;
    auto slot = node.slots.find(node.modulus == 0 ? at.at.base : floor_modulo(at.at.base, node.modulus));
    if (slot != node.slots.end())
      pointer_points({graph.node(slot->second.place), graph.at(slot->second.place)}, &type);
  }

  void composite_holds(Location at, const llvm::DICompositeType &type) {
    if (type.getTag() == llvm::dwarf::DW_TAG_enumeration_type) {
      visit_(at, integer_type(), rank_);
    } else if (type.getTag() == llvm::dwarf::DW_TAG_array_type) {
      elements_hold(at, type);
    } else if (type.getTag() != llvm::dwarf::DW_TAG_union_type) {
      for (const llvm::DINode *element : type.getElements()) {
        const auto *member = llvm::dyn_cast_or_null<llvm::DIDerivedType>(element);
        bool is_field =
            member != nullptr && !member->isStaticMember() && !member->isBitField() &&
            (member->getTag() == llvm::dwarf::DW_TAG_member || member->getTag() == llvm::dwarf::DW_TAG_inheritance);
        if (is_field && !member->isVirtual())
          memory_holds({at.node, at.at.plus({static_cast<std::int64_t>(member->getOffsetInBits() / bits_of_byte), 0})},
                       member->getBaseType());
      }
    }
  }

  /// One by one where they are few: what stands behind the array in a struct is something else.
  void elements_hold(Location at, const llvm::DICompositeType &array) {
    const std::uint64_t size = size_of(array.getBaseType());
    if (size == 0)
      return;
    const std::uint64_t count = array.getSizeInBits() / bits_of_byte / size;
    if (count == 0 || count > most_single_elements) {
      memory_holds({at.node, at.at.plus({0, size})}, array.getBaseType());
      return;
    }
    for (std::uint64_t index = 0; index < count; ++index)
      memory_holds({at.node, at.at.plus({static_cast<std::int64_t>(index * size), 0})}, array.getBaseType());
  }

  const MemoryClasses &memory_;
  llvm::LLVMContext &context_;
  llvm::function_ref<void(Location, BasicType, Rank)> visit_;
  Rank rank_ = Rank::declaration;
  std::set<std::tuple<NodeId, const llvm::DIType *, std::int64_t, Rank>> seen_;
};

} // namespace

void for_each_debug_evidence(const llvm::Instruction &instruction, FrameId frame, const MemoryClasses &memory,
                             llvm::function_ref<void(Location, BasicType, Rank)> visit) {
  for (const llvm::DbgVariableRecord &record : llvm::filterDbgVars(instruction.getDbgRecordRange())) {
    const llvm::Value *value = record.getNumVariableLocationOps() == 1 ? record.getVariableLocationOp(0) : nullptr;
    if (value == nullptr || record.getExpression()->getNumElements() != 0 || !value->getType()->isPointerTy())
      continue;
    auto at = memory.location(*value, frame);
    if (!at)
      continue;
    DebugTypeWalk walk(memory, instruction.getContext(), visit);
    if (record.isDbgDeclare())
      walk.memory_holds(*at, record.getVariable()->getType());
    else if (record.isDbgValue())
      walk.pointer_points(*at, record.getVariable()->getType());
  }
}

} // namespace assay::engine
