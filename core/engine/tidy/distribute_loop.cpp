#include "core/engine/tidy/distribute_loop.hpp"
#include "core/engine/support/convention_names.hpp"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// Sums of one key share a buffer, because they have the same addend.
const Value *key_of(const MemorySum &sum) {
  const MemorySum::Term &first = sum.terms.front();
  const bool is_plain = sum.terms.size() == 1 && !first.factor;
  return is_plain ? first.value : sum.store;
}

/// The loop as it was becomes the first of several in a loop over blocks:
///
///   before -> head -> body (itself) -> add -> ... -> add -> latch -> after
///
/// Each `add` is a loop for one group of sums. A buffer has room for zeros on either side of the
/// addends, which sums that come to a place later or earlier than others read.
class Distribution {
public:
  Distribution(Loop &loop, ArrayRef<MemorySum> sums, ScalarEvolution &evolution)
      : loop_(loop), body_(*loop.getHeader()), before_(*loop.getLoopPreheader()), after_(*loop.getExitBlock()),
        sums_(sums), groups_(near_sums(sums, evolution)), evolution_(evolution) {}

  void run() {
    write_before();
    write_head();
    BasicBlock *end = write_body();
    for (const auto &[group, start] : zip(groups_, starts_))
      end = write_group(group, *start, *end);
    write_latch(*end);
    for (const MemorySum &sum : sums_)
      sum.load->eraseFromParent();
  }

private:
  static constexpr unsigned room = NearSums::most_span, longest = iterations_of_block + fewest_iterations;

  BasicBlock *new_block(const Twine &name) {
    return BasicBlock::Create(body_.getContext(), name, body_.getParent(), &after_);
  }
  Value *index(std::uint64_t value) const { return ConstantInt::get(index_, value); }

  void write_before() {
    SCEVExpander expander(evolution_, "sums");
    Instruction *end = before_.getTerminator();
    const SCEV *count = evolution_.getBackedgeTakenCount(&loop_);
    count_ = expander.expandCodeFor(evolution_.getTruncateOrZeroExtend(count, index_), index_, end);
    for (const NearSums &group : groups_) {
      const MemorySum &first = *group.members.front().sum;
      starts_.push_back(expander.expandCodeFor(first.address->getStart(), first.store->getPointerOperandType(), end));
    }
    write_buffers();
  }

  void write_buffers() {
    BasicBlock &entry = body_.getParent()->getEntryBlock();
    IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
    for (const MemorySum &sum : sums_)
      if (AllocaInst *&buffer = buffers_[key_of(sum)]; !buffer) {
        buffer = builder.CreateAlloca(ArrayType::get(sum.load->getType(), longest + 2 * room), nullptr, "added");
        buffer->setAlignment(Align(64));
      }
    builder.SetInsertPoint(before_.getTerminator());
    for (const auto &[key, buffer] : buffers_)
      write_zeros(*buffer, *index(0), builder);
  }

  void write_zeros(AllocaInst &buffer, Value &from, IRBuilder<> &builder) {
    Type *number = cast<ArrayType>(buffer.getAllocatedType())->getElementType();
    const std::uint64_t size = body_.getDataLayout().getTypeStoreSize(number).getFixedValue();
    builder.CreateMemSet(builder.CreateInBoundsGEP(number, &buffer, {&from}), builder.getInt8(0), room * size,
                         Align(size));
  }

  /// The phis of the body pass through here from block to block.
  void write_head() {
    head_ = new_block("sums");
    IRBuilder<> builder(head_);
    done_ = builder.CreatePHI(index_, 2, "done");
    done_->addIncoming(index(0), &before_);
    for (PHINode &phi : body_.phis()) {
      PHINode *carried = builder.CreatePHI(phi.getType(), 2, phi.getName());
      carried->addIncoming(phi.getIncomingValueForBlock(&before_), &before_);
      phi.setIncomingValueForBlock(&before_, carried);
      phi.replaceIncomingBlockWith(&before_, head_);
      carried_.emplace_back(carried, &phi);
    }
    left_ = builder.CreateSub(count_, done_);
    Value *are_few = builder.CreateICmpULT(left_, index(longest));
    last_ = builder.CreateSelect(are_few, left_, index(iterations_of_block - 1));
    builder.CreateBr(&body_);
    before_.getTerminator()->replaceSuccessorWith(&body_, head_);
  }

  /// Returns the block behind it.
  BasicBlock *write_body() {
    IRBuilder<> builder(&body_, body_.begin());
    PHINode *place = builder.CreatePHI(index_, 2, "in.block");
    place->addIncoming(index(0), head_);
    Instruction *end = body_.getTerminator();
    builder.SetInsertPoint(end);
    Value *in_buffer = builder.CreateAdd(place, index(room), "", true, true);
    for (const MemorySum &sum : sums_)
      write_added(sum, *in_buffer, builder);
    place->addIncoming(builder.CreateAdd(place, index(1), "", true, true), &body_);
    BasicBlock *behind = new_block("sums.begin");
    auto *branch = builder.CreateCondBr(builder.CreateICmpEQ(place, last_), behind, &body_);
    branch->setMetadata(LLVMContext::MD_loop, end->getMetadata(LLVMContext::MD_loop));
    end->eraseFromParent();
    builder.SetInsertPoint(behind);
    Value *end_of_buffer = builder.CreateAdd(last_, index(room + 1), "", true, true);
    for (const auto &[key, buffer] : buffers_)
      write_zeros(*buffer, *end_of_buffer, builder);
    return behind;
  }

  /// At the end, where all that goes on to the next iteration is known: the vectoriser asks for that.
  void write_added(const MemorySum &sum, Value &place, IRBuilder<> &builder) {
    AllocaInst *buffer = buffers_[key_of(sum)];
    if (is_written_.insert(buffer).second)
      builder.CreateStore(write_terms(sum, builder), builder.CreateInBoundsGEP(sum.load->getType(), buffer, {&place}));
    flags_[&sum] = sum.operations.front()->getFastMathFlags();
    sum.store->eraseFromParent();
    for (Instruction *operation : sum.operations)
      operation->eraseFromParent();
  }

  static Value *write_terms(const MemorySum &sum, IRBuilder<> &builder) {
    IRBuilderBase::FastMathFlagGuard guard(builder);
    builder.setFastMathFlags(sum.operations.front()->getFastMathFlags());
    Value *all = nullptr;
    for (const MemorySum::Term &term : sum.terms) {
      Value *value = term.factor ? builder.CreateFMul(term.value, term.factor) : term.value;
      const bool is_subtracted = term.is_subtracted && !sum.subtracts_all();
      if (!all)
        all = is_subtracted ? builder.CreateFNeg(value) : value;
      else
        all = is_subtracted ? builder.CreateFSub(all, value) : builder.CreateFAdd(all, value);
    }
    return all;
  }

  /// Goes on at `entry`, and returns the block behind it.
  BasicBlock *write_group(const NearSums &group, Value &start, BasicBlock &entry) {
    const MemorySum &first = *group.members.front().sum;
    Type *number = first.load->getType();
    BasicBlock *add = new_block("sums.add"), *behind = new_block("sums.next");
    IRBuilder<> builder(&entry);
    const auto in_order = [&](Value *offset) { return first.is_upward ? offset : builder.CreateNeg(offset); };
    Value *places = builder.CreateGEP(number, &start, {in_order(done_)});
    Value *last = builder.CreateAdd(last_, index(group.span()), "", true, true);
    builder.CreateBr(add);

    builder.SetInsertPoint(add);
    PHINode *counter = builder.CreatePHI(index_, 2);
    counter->addIncoming(index(0), &entry);
    Value *place = builder.CreateInBoundsGEP(number, places, {in_order(counter)});
    LoadInst *old = builder.CreateAlignedLoad(number, place, first.load->getAlign());
    StoreInst *store =
        builder.CreateAlignedStore(write_group_sum(group, *old, *counter, builder), place, first.load->getAlign());
    store->setMetadata(sum_in_memory, MDNode::get(body_.getContext(), {}));
    for (Instruction *access : {static_cast<Instruction *>(old), static_cast<Instruction *>(store)})
      access->setMetadata(LLVMContext::MD_tbaa, first.load->getMetadata(LLVMContext::MD_tbaa));
    counter->addIncoming(builder.CreateAdd(counter, index(1), "", true, true), add);
    builder.CreateCondBr(builder.CreateICmpEQ(counter, last), behind, add);
    return behind;
  }

  Value *write_group_sum(const NearSums &group, Value &old, Value &counter, IRBuilder<> &builder) {
    Value *all = &old;
    for (const NearSums::Member &member : group.members) {
      const MemorySum &sum = *member.sum;
      Value *place = builder.CreateAdd(&counter, index(room - member.shift), "", true, true);
      Value *added =
          builder.CreateLoad(old.getType(), builder.CreateInBoundsGEP(old.getType(), buffers_[key_of(sum)], {place}));
      IRBuilderBase::FastMathFlagGuard guard(builder);
      builder.setFastMathFlags(flags_[&sum]);
      all = sum.subtracts_all() ? builder.CreateFSub(all, added) : builder.CreateFAdd(all, added);
    }
    return all;
  }

  void write_latch(BasicBlock &latch) {
    IRBuilder<> builder(&latch);
    Value *done = builder.CreateAdd(done_, builder.CreateAdd(last_, index(1), "", true, true), "", true, true);
    done_->addIncoming(done, &latch);
    for (const auto &[carried, phi] : carried_)
      carried->addIncoming(phi->getIncomingValueForBlock(&body_), &latch);
    builder.CreateCondBr(builder.CreateICmpEQ(left_, last_), &after_, head_);
    after_.replacePhiUsesWith(&body_, &latch);
  }

  Loop &loop_;
  BasicBlock &body_, &before_, &after_;
  ArrayRef<MemorySum> sums_;
  const SmallVector<NearSums, 4> groups_;
  ScalarEvolution &evolution_;
  Type *index_ = Type::getInt64Ty(body_.getContext());
  Value *count_ = nullptr; ///< Of iterations, less one.
  Value *left_ = nullptr;  ///< Behind the first of the block.
  Value *last_ = nullptr;  ///< Of the block.
  PHINode *done_ = nullptr;
  BasicBlock *head_ = nullptr;
  SmallVector<std::pair<PHINode *, PHINode *>, 4> carried_; ///< Of the head, of the body.
  SmallVector<Value *, 4> starts_;                          ///< Where the first place of each group is at first.
  DenseMap<const MemorySum *, FastMathFlags> flags_;
  MapVector<const Value *, AllocaInst *> buffers_;
  SmallPtrSet<AllocaInst *, 8> is_written_;
};

} // namespace

unsigned count_buffers(ArrayRef<MemorySum> sums) {
  SmallPtrSet<const Value *, 8> keys;
  for (const MemorySum &sum : sums)
    keys.insert(key_of(sum));
  return keys.size();
}

void distribute(Loop &loop, ArrayRef<MemorySum> sums, ScalarEvolution &evolution) {
  Distribution(loop, sums, evolution).run();
}

} // namespace assay::engine
