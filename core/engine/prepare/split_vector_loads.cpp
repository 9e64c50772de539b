#include "core/engine/prepare/split_vector_loads.hpp"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// How one vector load is used.
struct Uses {
  SmallVector<ExtractElementInst *, 4> extracts; ///< Of the load, or of its bits as integers of the same width.
  SmallVector<ShuffleVectorInst *, 4> shuffles;
  SmallBitVector lanes;
  bool has_pointer = false;
  bool is_whole = false; ///< Something uses the vector in another way.
};

std::optional<unsigned> constant_lane(const ExtractElementInst &extract, unsigned count) {
  const auto *index = dyn_cast<ConstantInt>(extract.getIndexOperand());
  if (!index || index->getValue().uge(count))
    return std::nullopt;
  return static_cast<unsigned>(index->getZExtValue());
}

bool becomes_pointer(const ExtractElementInst &extract) {
  return !extract.use_empty() && all_of(extract.users(), [](const User *user) { return isa<IntToPtrInst>(user); });
}

bool is_bits_of_lanes(const BitCastInst &cast) {
  const auto *from = dyn_cast<FixedVectorType>(cast.getSrcTy()), *to = dyn_cast<FixedVectorType>(cast.getDestTy());
  return from && to && from->getNumElements() == to->getNumElements() && to->getElementType()->isIntegerTy();
}

class UseFinder {
public:
  explicit UseFinder(LoadInst &load) : load_(load), count_(cast<FixedVectorType>(load.getType())->getNumElements()) {
    uses_.lanes.resize(count_);
  }

  Uses find() {
    for (User *user : load_.users())
      visit(*user, load_);
    return std::move(uses_);
  }

private:
  void visit(User &user, Value &vector) {
    if (auto *extract = dyn_cast<ExtractElementInst>(&user))
      visit_extract(*extract);
    else if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&user); shuffle && &vector == &load_)
      visit_shuffle(*shuffle);
    else if (auto *cast = dyn_cast<BitCastInst>(&user); cast && &vector == &load_ && is_bits_of_lanes(*cast))
      for (User *inner : cast->users())
        visit(*inner, *cast);
    else
      uses_.is_whole = true;
  }

  void visit_extract(ExtractElementInst &extract) {
    const auto lane = constant_lane(extract, count_);
    uses_.is_whole |= !lane;
    if (!lane)
      return;
    uses_.extracts.push_back(&extract);
    uses_.lanes.set(*lane);
    uses_.has_pointer |= becomes_pointer(extract);
  }

  void visit_shuffle(ShuffleVectorInst &shuffle) {
    const bool is_first = shuffle.getOperand(0) == &load_;
    if (is_first == (shuffle.getOperand(1) == &load_)) {
      uses_.is_whole = true;
      return;
    }
    if (!is_contained(uses_.shuffles, &shuffle))
      uses_.shuffles.push_back(&shuffle);
    const int start = is_first ? 0 : static_cast<int>(count_);
    for (int lane : shuffle.getShuffleMask())
      if (lane >= start && lane < start + static_cast<int>(count_))
        uses_.lanes.set(static_cast<unsigned>(lane - start));
  }

  LoadInst &load_;
  unsigned count_;
  Uses uses_;
};

Value *load_lane(IRBuilderBase &builder, LoadInst &load, unsigned lane, Type *type) {
  const std::uint64_t offset = std::uint64_t(lane) * load.getType()->getScalarSizeInBits() / 8;
  Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), load.getPointerOperand(), offset);
  auto *own = builder.CreateAlignedLoad(type, place, commonAlignment(load.getAlign(), offset));
  own->copyMetadata(load, {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
  return own;
}

void split_extract(IRBuilderBase &builder, LoadInst &load, ExtractElementInst &extract) {
  const unsigned lane = *constant_lane(extract, cast<FixedVectorType>(load.getType())->getNumElements());
  if (!becomes_pointer(extract)) {
    extract.replaceAllUsesWith(load_lane(builder, load, lane, extract.getType()));
    return;
  }
  Value *pointer = load_lane(builder, load, lane, extract.user_back()->getType());
  for (User *user : make_early_inc_range(extract.users()))
    if (user->getType() == pointer->getType()) {
      user->replaceAllUsesWith(pointer);
      cast<Instruction>(user)->eraseFromParent();
    }
}

/// The lanes that are used, in a vector of their own.
Value *used_lanes(IRBuilderBase &builder, LoadInst &load, const SmallBitVector &lanes) {
  Value *vector = PoisonValue::get(load.getType());
  for (unsigned lane : lanes.set_bits())
    vector = builder.CreateInsertElement(vector, load_lane(builder, load, lane, load.getType()->getScalarType()),
                                         std::uint64_t(lane));
  return vector;
}

SmallBitVector lanes_of_shuffles(const LoadInst &load, const Uses &uses) {
  const unsigned count = uses.lanes.size();
  SmallBitVector lanes(count);
  for (const ShuffleVectorInst *shuffle : uses.shuffles)
    for (int lane : shuffle->getShuffleMask())
      if (lane >= 0 && shuffle->getOperand(static_cast<unsigned>(lane) < count ? 0 : 1) == &load)
        lanes.set(static_cast<unsigned>(lane) % count);
  return lanes;
}

void split(LoadInst &load, const Uses &uses) {
  IRBuilder<> builder(&load);
  for (ExtractElementInst *extract : uses.extracts)
    split_extract(builder, load, *extract);
  if (!uses.shuffles.empty()) {
    Value *vector = used_lanes(builder, load, lanes_of_shuffles(load, uses));
    for (ShuffleVectorInst *shuffle : uses.shuffles)
      shuffle->replaceUsesOfWith(&load, vector);
  }
  SmallVector<WeakTrackingVH, 8> dead(uses.extracts.begin(), uses.extracts.end());
  dead.push_back(&load);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
}

bool can_be_split(const LoadInst &load) {
  const auto *type = dyn_cast<FixedVectorType>(load.getType());
  return type && load.isSimple() && !load.use_empty() && type->getScalarSizeInBits() % 8 == 0;
}

} // namespace

void split_vector_loads(Function &function) {
  SmallVector<LoadInst *, 16> loads;
  for (Instruction &instruction : instructions(function))
    if (auto *load = dyn_cast<LoadInst>(&instruction); load && can_be_split(*load))
      loads.push_back(load);
  for (LoadInst *load : loads) {
    const Uses uses = UseFinder(*load).find();
    if (!uses.is_whole && (uses.has_pointer || uses.lanes.count() < uses.lanes.size()))
      split(*load, uses);
  }
}

} // namespace assay::engine
