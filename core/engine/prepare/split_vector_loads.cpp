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
  SmallVector<ExtractElementInst *, 4>
      extracts;                          ///< Of the load, or of its lanes as integers or numbers of the same width.
  SmallVector<Instruction *, 4> vectors; ///< Shuffles, and operations lane by lane.
  SmallBitVector lanes;                  ///< That anything looks at.
  SmallBitVector vector_lanes;           ///< That `vectors` look at.
  bool has_pointer = false;
  bool is_whole = false; ///< Something uses the vector in another way.
};

std::optional<unsigned> constant_lane(const ExtractElementInst &extract, unsigned count) {
  const auto *index = dyn_cast<ConstantInt>(extract.getIndexOperand());
  if (!index || index->getValue().uge(count))
    return std::nullopt;
  return static_cast<unsigned>(index->getZExtValue());
}

/// The integers that have the bits of a lane: the lane itself, or what a number is cast to; none where it is a number.
SmallVector<Instruction *, 2> bits_of(ExtractElementInst &extract) {
  if (extract.getType()->isIntegerTy())
    return {&extract};
  SmallVector<Instruction *, 2> bits;
  for (User *user : extract.users()) {
    if (!isa<BitCastInst>(user) || !user->getType()->isIntegerTy())
      return {};
    bits.push_back(cast<Instruction>(user));
  }
  return bits;
}

bool is_address(const User *user) {
  return isa<IntToPtrInst>(user);
}

bool becomes_pointer(ExtractElementInst &extract) {
  return any_of(bits_of(extract), [](const Instruction *bits) { return any_of(bits->users(), is_address); });
}

bool is_bits_of_lanes(const BitCastInst &cast) {
  const auto *from = dyn_cast<FixedVectorType>(cast.getSrcTy()), *to = dyn_cast<FixedVectorType>(cast.getDestTy());
  return from && to && from->getNumElements() == to->getNumElements();
}

/// Each lane of the result comes from the same lane of the operands.
bool is_lane_wise(const Instruction &operation, unsigned count) {
  const auto *type = dyn_cast<FixedVectorType>(operation.getType());
  return type && type->getNumElements() == count &&
         (isa<BinaryOperator, UnaryOperator, CastInst, FreezeInst, SelectInst, CmpInst>(operation));
}

void add_mask_lanes(const ShuffleVectorInst &shuffle, const Value &vector, SmallBitVector &lanes) {
  const int count = static_cast<int>(lanes.size());
  for (const int lane : shuffle.getShuffleMask())
    if (lane >= 0 && shuffle.getOperand(lane < count ? 0 : 1) == &vector)
      lanes.set(static_cast<unsigned>(lane % count));
}

/// The lanes of `vector` that anything looks at.
SmallBitVector lanes_looked_at(const Value &vector, unsigned depth) {
  SmallBitVector lanes(cast<FixedVectorType>(vector.getType())->getNumElements());
  for (const User *user : vector.users()) {
    const auto *extract = dyn_cast<ExtractElementInst>(user);
    const auto lane = extract ? constant_lane(*extract, lanes.size()) : std::nullopt;
    if (lane)
      lanes.set(*lane);
    else if (const auto *shuffle = dyn_cast<ShuffleVectorInst>(user))
      add_mask_lanes(*shuffle, vector, lanes);
    else if (depth > 0 && is_lane_wise(*cast<Instruction>(user), lanes.size()))
      lanes |= lanes_looked_at(*user, depth - 1);
    else
      lanes.set();
  }
  return lanes;
}

class UseFinder {
public:
  explicit UseFinder(LoadInst &load) : load_(load), count_(cast<FixedVectorType>(load.getType())->getNumElements()) {
    uses_.lanes.resize(count_);
    uses_.vector_lanes.resize(count_);
  }

  Uses find() {
    for (User *user : load_.users())
      visit(*user, load_);
    uses_.lanes |= uses_.vector_lanes;
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
    else if (&vector == &load_ && is_lane_wise(*llvm::cast<Instruction>(&user), count_))
      visit_operation(*llvm::cast<Instruction>(&user));
    else
      uses_.is_whole = true;
  }

  void visit_operation(Instruction &operation) {
    constexpr unsigned most_steps = 6;
    uses_.vectors.push_back(&operation);
    uses_.vector_lanes |= lanes_looked_at(operation, most_steps);
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
    if (shuffle.getOperand(0) == shuffle.getOperand(1)) {
      uses_.is_whole = true;
      return;
    }
    uses_.vectors.push_back(&shuffle);
    add_mask_lanes(shuffle, load_, uses_.vector_lanes);
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
  Value *pointer = load_lane(builder, load, lane, builder.getPtrTy());
  for (Instruction *bits : bits_of(extract)) {
    for (User *user : make_early_inc_range(bits->users()))
      if (is_address(user) && user->getType() == pointer->getType())
        user->replaceAllUsesWith(pointer);
    if (!all_of(bits->users(), is_address))
      bits->replaceUsesWithIf(builder.CreatePtrToInt(pointer, bits->getType()),
                              [](const Use &use) { return !is_address(use.getUser()); });
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

/// An extract whose lane was loaded by itself, and the casts of it that nobody needs any more.
void add_dead(ExtractElementInst &extract, SmallVectorImpl<WeakTrackingVH> &dead) {
  for (Instruction *bits : bits_of(extract)) {
    for (User *user : bits->users())
      dead.emplace_back(user);
    dead.emplace_back(bits);
  }
  dead.emplace_back(&extract);
}

void split(LoadInst &load, const Uses &uses) {
  IRBuilder<> builder(&load);
  for (ExtractElementInst *extract : uses.extracts)
    split_extract(builder, load, *extract);
  if (!uses.vectors.empty()) {
    Value *vector = used_lanes(builder, load, uses.vector_lanes);
    for (Instruction *user : uses.vectors)
      user->replaceUsesOfWith(&load, vector);
  }
  SmallVector<WeakTrackingVH, 8> dead;
  for (ExtractElementInst *extract : uses.extracts)
    add_dead(*extract, dead);
  dead.push_back(&load);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
}

/// Vectors that leave a loop do so by a phi of one value.
void drop_phis_of_one_vector(Function &function) {
  for (BasicBlock &block : function)
    for (PHINode &phi : make_early_inc_range(block.phis()))
      if (phi.getType()->isVectorTy() && phi.getNumIncomingValues() == 1) {
        phi.replaceAllUsesWith(phi.getIncomingValue(0));
        phi.eraseFromParent();
      }
}

bool can_be_split(const LoadInst &load) {
  const auto *type = dyn_cast<FixedVectorType>(load.getType());
  return type && load.isSimple() && !load.use_empty() && type->getScalarSizeInBits() % 8 == 0;
}

} // namespace

void split_vector_loads(Function &function) {
  drop_phis_of_one_vector(function);
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
