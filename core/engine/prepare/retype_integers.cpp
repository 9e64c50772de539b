#include "core/engine/prepare/retype_integers.hpp"
#include "core/engine/analysis/basic_type.hpp"
#include "core/engine/prepare/joined_words.hpp"
#include "core/engine/prepare/memory_pieces.hpp"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

namespace assay::engine {
namespace {

constexpr std::uint64_t most_copied_bytes = 64;

/// The floating type (or vector) with the bits of `integer` when its elements are `element`, or null.
llvm::Type *floating_counterpart(llvm::Type *integer, llvm::Type *element) {
  std::uint64_t bits = integer->getPrimitiveSizeInBits().getFixedValue();
  std::uint64_t element_bits = element->getPrimitiveSizeInBits().getFixedValue();
  if (bits == 0 || element_bits == 0 || bits % element_bits != 0)
    return nullptr;
  if (bits == element_bits)
    return element;
  return llvm::FixedVectorType::get(element, static_cast<unsigned>(bits / element_bits));
}

/// A word of which only the run tells what it is: it is moved as such, whatever is known of where it goes.
bool is_joined_word(const llvm::Value &value) {
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(&value);
  return load != nullptr && stands_for_joined_word(*load->getPointerOperand());
}

class IntegerRetyper {
public:
  IntegerRetyper(llvm::Function &function, const TypeAnalysis &types, bool loose_types)
      : function_(function), loose_types_(loose_types) {
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        note(*store->getValueOperand(), types);
      if (llvm::isa<llvm::LoadInst, llvm::PHINode, llvm::SelectInst, llvm::FreezeInst>(instruction))
        note(instruction, types);
    }
  }

  void run() {
    for (auto &[value, type] : wanted_)
      if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(value))
        if (llvm::isa<llvm::LoadInst, llvm::PHINode, llvm::SelectInst, llvm::FreezeInst>(instruction))
          as_floating(*value);
    retype_stores();
    retype_other_uses();
    remove_replaced();
  }

private:
  void note(llvm::Value &value, const TypeAnalysis &types) {
    if (!value.getType()->isIntOrIntVectorTy() || llvm::isa<llvm::Constant>(value) || is_joined_word(value))
      return;
    BasicType carried = types.of(value);
    if (carried.kind == ByteKind::unknown && loose_types_)
      carried = guess(value);
    if (carried.kind != ByteKind::floating)
      return;
    if (llvm::Type *type = floating_counterpart(value.getType(), carried.floating))
      wanted_[&value] = type;
  }

  /// Where nothing tells: a float of the same size.
  static BasicType guess(const llvm::Value &value) {
    switch (value.getType()->getScalarSizeInBits()) {
    case 64:
      return basic_type(llvm::Type::getDoubleTy(value.getContext()));
    case 32:
      return basic_type(llvm::Type::getFloatTy(value.getContext()));
    default:
      return {};
    }
  }

  /// The float whose bits `value` has; made at the first question.
  llvm::Value *as_floating(llvm::Value &value) {
    auto known = made_.find(&value);
    if (known != made_.end())
      return known->second;
    return convert(value, wanted_.lookup(&value));
  }

  llvm::Value *operand_as(llvm::Value &operand, llvm::Type *type) {
    if (auto *constant = llvm::dyn_cast<llvm::Constant>(&operand))
      return llvm::ConstantExpr::getBitCast(constant, type);
    auto wanted = wanted_.find(&operand);
    if (wanted != wanted_.end() && wanted->second == type)
      return as_floating(operand);
    return convert(operand, type);
  }

  llvm::Value *convert(llvm::Value &value, llvm::Type *type) {
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&value); load != nullptr && is_wanted(value, type)) {
      llvm::IRBuilder<> builder(load);
      auto *typed = builder.CreateAlignedLoad(type, load->getPointerOperand(), load->getAlign(), load->isVolatile());
      typed->setAtomic(load->getOrdering(), load->getSyncScopeID());
      typed->takeName(load);
      typed->copyMetadata(*load, {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope,
                                  llvm::LLVMContext::MD_noalias, llvm::LLVMContext::MD_invariant_load});
      return remember(value, typed);
    }
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&value); phi != nullptr && is_wanted(value, type)) {
      llvm::IRBuilder<> builder(phi);
      auto *typed = builder.CreatePHI(type, phi->getNumIncomingValues());
      typed->takeName(phi);
      remember(value, typed);
      for (unsigned index = 0; index < phi->getNumIncomingValues(); ++index)
        typed->addIncoming(operand_as(*phi->getIncomingValue(index), type), phi->getIncomingBlock(index));
      return typed;
    }
    if (auto *select = llvm::dyn_cast<llvm::SelectInst>(&value);
        select != nullptr && is_wanted(value, type) && !select->getCondition()->getType()->isVectorTy()) {
      llvm::Value *chosen = operand_as(*select->getTrueValue(), type);
      llvm::Value *other = operand_as(*select->getFalseValue(), type);
      llvm::IRBuilder<> builder(select);
      return remember(value, builder.CreateSelect(select->getCondition(), chosen, other, select->getName() + ".bits"));
    }
    if (auto *freeze = llvm::dyn_cast<llvm::FreezeInst>(&value); freeze != nullptr && is_wanted(value, type)) {
      llvm::Value *inner = operand_as(*freeze->getOperand(0), type);
      llvm::IRBuilder<> builder(freeze);
      return remember(value, builder.CreateFreeze(inner));
    }
    if (auto *cast = llvm::dyn_cast<llvm::BitCastInst>(&value)) {
      if (cast->getOperand(0)->getType() == type)
        return cast->getOperand(0);
      if (cast->getOperand(0)->getType()->isIntOrIntVectorTy() && wanted_.contains(cast->getOperand(0)))
        return operand_as(*cast->getOperand(0), type);
    }
    return cast_after(value, type);
  }

  bool is_wanted(llvm::Value &value, llvm::Type *type) const { return wanted_.lookup(&value) == type; }

  llvm::Value *remember(llvm::Value &value, llvm::Value *typed) {
    made_[&value] = typed;
    return typed;
  }

  /// Bitcast of a value that stays, right after its definition.
  llvm::Value *cast_after(llvm::Value &value, llvm::Type *type) {
    llvm::Value *&cast = casts_[{&value, type}];
    if (cast != nullptr)
      return cast;
    llvm::BasicBlock::iterator position = function_.getEntryBlock().getFirstInsertionPt();
    if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value))
      position = *instruction->getInsertionPointAfterDef();
    llvm::IRBuilder<> builder(position->getParent(), position);
    cast = builder.CreateBitCast(&value, type, value.getName() + ".bits");
    return cast;
  }

  void retype_stores() {
    llvm::SmallVector<llvm::StoreInst *, 16> stores;
    for (llvm::Instruction &instruction : llvm::instructions(function_))
      if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        if (wanted_.contains(store->getValueOperand()))
          stores.push_back(store);
    for (llvm::StoreInst *store : stores)
      store->setOperand(0, as_floating(*store->getValueOperand()));
  }

  void retype_other_uses() {
    for (auto &[value, typed] : made_) {
      llvm::Value *bits = nullptr;
      for (llvm::Use &use : llvm::make_early_inc_range(value->uses())) {
        auto *cast = llvm::dyn_cast<llvm::BitCastInst>(use.getUser());
        if (cast != nullptr && cast->getType() == typed->getType()) {
          cast->replaceAllUsesWith(typed);
          continue;
        }
        if (made_.contains(llvm::cast<llvm::Value>(use.getUser())))
          continue; // It goes away as well.
        if (bits == nullptr)
          bits = cast_after(*typed, value->getType());
        use.set(bits);
      }
    }
  }

  void remove_replaced() {
    for (auto &[value, typed] : made_)
      value->replaceAllUsesWith(llvm::PoisonValue::get(value->getType()));
    for (auto &[value, typed] : made_)
      llvm::cast<llvm::Instruction>(value)->eraseFromParent();
    llvm::SmallVector<llvm::WeakTrackingVH, 16> dead;
    for (llvm::Instruction &instruction : llvm::instructions(function_))
      if (llvm::isa<llvm::BitCastInst>(instruction) && instruction.use_empty())
        dead.push_back(&instruction);
    llvm::RecursivelyDeleteTriviallyDeadInstructions(dead);
  }

  llvm::Function &function_;
  bool loose_types_;
  llvm::MapVector<llvm::Value *, llvm::Type *> wanted_;
  llvm::MapVector<llvm::Value *, llvm::Value *> made_;
  llvm::DenseMap<std::pair<llvm::Value *, llvm::Type *>, llvm::Value *> casts_;
};

/// An integer load whose value goes to stores only.
bool is_only_copied(const llvm::LoadInst &load) {
  return load.isSimple() && !load.use_empty() && llvm::all_of(load.uses(), [](const llvm::Use &use) {
           const auto *store = llvm::dyn_cast<llvm::StoreInst>(use.getUser());
           return store != nullptr && store->isSimple() && use.getOperandNo() == 0;
         });
}

void split_copy(llvm::LoadInst &load, llvm::ArrayRef<MemoryPiece> pieces) {
  llvm::IRBuilder<> builder(&load);
  const auto loaded = load_pieces(builder, pieces, load.getPointerOperand(), load.getAlign());
  llvm::SmallVector<llvm::StoreInst *, 2> stores;
  for (llvm::User *user : load.users())
    stores.push_back(llvm::cast<llvm::StoreInst>(user));
  for (llvm::StoreInst *store : stores) {
    builder.SetInsertPoint(store);
    for (auto [piece, value] : llvm::zip_equal(pieces, loaded)) {
      llvm::Value *to = builder.CreatePtrAdd(store->getPointerOperand(), builder.getInt64(piece.offset));
      builder.CreateAlignedStore(value, to, llvm::commonAlignment(store->getAlign(), piece.offset));
    }
    store->eraseFromParent();
  }
  load.eraseFromParent();
}

void split_copies(llvm::Function &function, const TypeAnalysis &types, bool loose_types) {
  llvm::SmallVector<std::pair<llvm::LoadInst *, llvm::SmallVector<MemoryPiece, 8>>, 4> found;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (load == nullptr || !load->getType()->isIntOrIntVectorTy() || !is_only_copied(*load) || is_joined_word(*load) ||
        types.of(*load).kind != ByteKind::unknown)
      continue;
    std::uint64_t size = types.layout().getTypeStoreSize(load->getType()).getFixedValue();
    const auto *store = llvm::cast<llvm::StoreInst>(*load->user_begin());
    if (size > most_copied_bytes)
      continue;
    auto pieces = pieces_behind_both(types, *load->getPointerOperand(), *store->getPointerOperand(), size, loose_types);
    if (pieces && pieces->size() > 1)
      found.push_back({load, std::move(*pieces)});
  }
  for (auto &[load, pieces] : found)
    split_copy(*load, pieces);
}

} // namespace

void retype_integers(llvm::Function &function, const TypeAnalysis &types, bool loose_types) {
  IntegerRetyper floats(function, types, loose_types);
  split_copies(function, types, loose_types);
  floats.run();
}

} // namespace assay::engine
