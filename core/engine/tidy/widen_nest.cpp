#include "core/engine/tidy/widen_nest.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace assay::engine {
namespace {

using Instructions = SmallSetVector<Instruction *, 32>;

/// What of a nest becomes vectors.
class Shape {
public:
  Shape(const Loop &nest, const NestMemory &memory) : nest_(nest), memory_(memory) {}

  bool find() { return stays_inside() && find_moving() && find_wide(); }
  const Instructions &wide() const { return wide_; }

private:
  bool stays_inside() const {
    return all_of(nest_.blocks(), [&](const BasicBlock *block) {
      return all_of(*block, [&](const Instruction &instruction) {
        return all_of(instruction.users(), [&](const User *user) { return nest_.contains(cast<Instruction>(user)); });
      });
    });
  }

  /// What the outer loop's counters lead to: addresses, and whether it goes on.
  bool find_moving() {
    Instructions moving;
    for (PHINode &counter : nest_.getHeader()->phis())
      moving.insert(&counter);
    for (std::size_t next = 0; next < moving.size(); ++next) // it grows
      for (Use &use : moving[next]->uses()) {
        auto *user = cast<Instruction>(use.getUser());
        if (isa<LoadInst>(user) ||
            (isa<StoreInst>(user) && use.getOperandNo() == StoreInst::getPointerOperandIndex())) {
          if (!moves_by_one(*user))
            return false;
          wide_.insert(user);
        } else if (is_address(*user) || decides_outer_loop(*user)) {
          moving.insert(user);
        } else if (user != nest_.getLoopLatch()->getTerminator()) {
          return false;
        }
      }
    return true;
  }

  static bool is_address(const Instruction &instruction) {
    return instruction.getType()->isIntOrPtrTy() &&
           (isa<GetElementPtrInst, PHINode, SExtInst, ZExtInst, TruncInst>(instruction) ||
            is_contained({Instruction::Add, Instruction::Sub, Instruction::Mul, Instruction::Shl, Instruction::Or},
                         instruction.getOpcode()));
  }
  bool decides_outer_loop(const Instruction &instruction) const {
    return isa<ICmpInst>(instruction) &&
           all_of(instruction.users(), [&](const User *user) { return user == nest_.getLoopLatch()->getTerminator(); });
  }
  bool moves_by_one(const Instruction &access) const {
    const Type *type = getLoadStoreType(&access);
    return (type->isDoubleTy() || type->isFloatTy()) && any_of(memory_.places(), [&](const Place &place) {
             const auto *step = dyn_cast<SCEVConstant>(place.outer_step);
             return is_contained(place.accesses, &access) && step && step->getAPInt() == place.bytes;
           });
  }

  bool find_wide() {
    for (std::size_t next = 0; next < wide_.size(); ++next) // it grows
      for (User *user : wide_[next]->users()) {
        auto *instruction = cast<Instruction>(user);
        if (isa<StoreInst>(instruction) ? !wide_.contains(instruction) : !can_be_wide(*instruction))
          return false;
        wide_.insert(instruction);
      }
    return true;
  }

  static bool can_be_wide(const Instruction &instruction) {
    if (!instruction.getType()->isDoubleTy() && !instruction.getType()->isFloatTy())
      return false;
    if (const auto *call = dyn_cast<IntrinsicInst>(&instruction))
      return is_contained({Intrinsic::fmuladd, Intrinsic::fma, Intrinsic::fabs, Intrinsic::sqrt},
                          call->getIntrinsicID());
    return isa<PHINode>(instruction) || instruction.getOpcode() == Instruction::FNeg ||
           (isa<BinaryOperator>(instruction) && instruction.getOpcode() != Instruction::FRem);
  }

  const Loop &nest_;
  const NestMemory &memory_;
  Instructions wide_;
};

/// Makes vectors of some instructions of a copy of the nest.
class Widener {
public:
  explicit Widener(unsigned width) : width_(width) {}

  /// In an order in which operands come first, but for those of phi nodes.
  void widen(ArrayRef<Instruction *> instructions) {
    for (Instruction *instruction : instructions)
      if (auto *phi = dyn_cast<PHINode>(instruction))
        wide_[phi] = PHINode::Create(wide_type(*phi->getType()), phi->getNumIncomingValues(), phi->getName() + ".wide",
                                     phi->getIterator());
    for (Instruction *instruction : instructions)
      if (!isa<PHINode>(instruction))
        write(*instruction);
    for (Instruction *instruction : instructions)
      if (auto *phi = dyn_cast<PHINode>(instruction))
        for (auto [value, block] : zip(phi->incoming_values(), phi->blocks()))
          cast<PHINode>(wide_[phi])->addIncoming(of(*value, *block->getTerminator()), block);
    for (Instruction *instruction : instructions) {
      instruction->replaceAllUsesWith(PoisonValue::get(instruction->getType()));
      instruction->eraseFromParent();
    }
  }

private:
  Type *wide_type(Type &type) const { return FixedVectorType::get(&type, width_); }

  Value *of(Value &value, Instruction &user) {
    if (Value *wide = wide_.lookup(&value))
      return wide;
    return IRBuilder<>(&user).CreateVectorSplat(width_, &value);
  }

  void write(Instruction &instruction) {
    IRBuilder<> builder(&instruction);
    Instruction *written = nullptr;
    if (auto *load = dyn_cast<LoadInst>(&instruction)) {
      written = builder.CreateAlignedLoad(wide_type(*load->getType()), load->getPointerOperand(), load->getAlign());
    } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
      written = builder.CreateAlignedStore(of(*store->getValueOperand(), *store), store->getPointerOperand(),
                                           store->getAlign());
    } else if (auto *call = dyn_cast<IntrinsicInst>(&instruction)) {
      SmallVector<Value *, 3> operands;
      for (Value *operand : call->args())
        operands.push_back(of(*operand, *call));
      written = builder.CreateIntrinsic(wide_type(*call->getType()), call->getIntrinsicID(), operands);
    } else {
      written = Instruction::isUnaryOp(instruction.getOpcode())
                    ? static_cast<Instruction *>(UnaryOperator::Create(Instruction::UnaryOps(instruction.getOpcode()),
                                                                       of(*instruction.getOperand(0), instruction)))
                    : BinaryOperator::Create(Instruction::BinaryOps(instruction.getOpcode()),
                                             of(*instruction.getOperand(0), instruction),
                                             of(*instruction.getOperand(1), instruction));
      builder.Insert(written);
    }
    written->copyMetadata(instruction, {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
    if (isa<FPMathOperator>(instruction))
      written->copyIRFlags(&instruction);
    wide_[&instruction] = written;
  }

  const unsigned width_;
  DenseMap<Value *, Value *> wide_;
};

class Widening {
public:
  Widening(Loop &nest, unsigned width, LoopInfo &loops, DominatorTree &dominators, ScalarEvolution &evolution)
      : nest_(nest), width_(width), loops_(loops), dominators_(dominators), evolution_(evolution) {}

  void run(const Instructions &wide) {
    count_iterations();
    ValueToValueMapTy copies;
    Loop &copy = write_copy(copies);
    SmallVector<Instruction *, 32> in_order;
    for (BasicBlock *block : {nest_.getHeader(), nest_.getSubLoops().front()->getHeader(), nest_.getLoopLatch()})
      for (Instruction &instruction : *block)
        if (wide.contains(&instruction))
          in_order.push_back(cast<Instruction>(copies[&instruction]));
    Widener(width_).widen(in_order);
    dominators_.recalculate(*nest_.getHeader()->getParent());
    for (Loop *loop : {&nest_, &copy})
      formDedicatedExitBlocks(loop, &dominators_, &loops_, /*MSSAU=*/nullptr, /*PreserveLCSSA=*/true);
  }

private:
  struct Counter {
    PHINode *phi;
    Value *step; ///< Of the vectors' loop.
    Value *rest; ///< Where the iterations that are left over start.
  };

  void count_iterations() {
    Instruction &before = *nest_.getLoopPreheader()->getTerminator();
    SCEVExpander expander(evolution_, "wide");
    const SCEV *again = evolution_.getBackedgeTakenCount(&nest_);
    const SCEV *count = evolution_.getAddExpr(again, evolution_.getOne(again->getType()));
    count_ = expander.expandCodeFor(count, count->getType(), &before);
    in_vectors_ =
        IRBuilder<>(&before).CreateAnd(count_, ConstantInt::getSigned(count_->getType(), -std::int64_t(width_)));
    for (PHINode &phi : nest_.getHeader()->phis()) {
      const auto *moving = cast<SCEVAddRecExpr>(evolution_.getSCEV(&phi));
      const SCEV *step = moving->getStepRecurrence(evolution_);
      const SCEV *passed = evolution_.getTruncateOrZeroExtend(evolution_.getUnknown(in_vectors_), step->getType());
      const SCEV *rest = evolution_.getAddExpr(moving->getStart(), evolution_.getMulExpr(step, passed));
      const SCEV *steps = evolution_.getMulExpr(step, evolution_.getConstant(step->getType(), width_));
      counters_.push_back({&phi, expander.expandCodeFor(steps, steps->getType(), &before),
                           expander.expandCodeFor(rest, phi.getType(), &before)});
    }
  }

  Loop &write_copy(ValueToValueMapTy &copies) {
    BasicBlock *before = nest_.getLoopPreheader(), *exit = nest_.getExitBlock();
    BasicBlock *entry = SplitBlock(before, before->getTerminator(), &dominators_, &loops_);
    SmallVector<BasicBlock *, 8> blocks;
    Loop &copy = *cloneLoopWithPreheader(entry, before, &nest_, copies, ".wide", &loops_, &dominators_, blocks);
    remapInstructionsInBlocks(blocks, copies);
    auto *after = BasicBlock::Create(before->getContext(), "wide.done", before->getParent(), entry);
    if (Loop *parent = nest_.getParentLoop())
      parent->addBasicBlockToLoop(after, loops_);

    IRBuilder<> builder(before->getTerminator());
    builder.CreateCondBr(builder.CreateIsNull(in_vectors_), entry, copy.getLoopPreheader());
    before->getTerminator()->eraseFromParent();
    builder.SetInsertPoint(after);
    builder.CreateCondBr(builder.CreateICmpEQ(in_vectors_, count_), exit, entry);
    builder.SetInsertPoint(entry, entry->begin());
    for (const Counter &counter : counters_) {
      PHINode *start = builder.CreatePHI(counter.phi->getType(), 2);
      start->addIncoming(counter.phi->getIncomingValueForBlock(entry), before);
      start->addIncoming(counter.rest, after);
      counter.phi->setIncomingValueForBlock(entry, start);
    }
    count_in_steps(copy, copies, *after);
    return copy;
  }

  void count_in_steps(Loop &copy, ValueToValueMapTy &copies, BasicBlock &after) {
    BasicBlock *header = copy.getHeader(), *latch = copy.getLoopLatch();
    IRBuilder<> builder(latch->getTerminator());
    for (const Counter &counter : counters_) {
      auto *phi = cast<PHINode>(copies[counter.phi]);
      phi->setIncomingValueForBlock(latch, phi->getType()->isPointerTy() ? builder.CreatePtrAdd(phi, counter.step)
                                                                         : builder.CreateAdd(phi, counter.step));
    }
    PHINode *done = PHINode::Create(count_->getType(), 2, "wide.count", header->begin());
    Value *next = builder.CreateAdd(done, ConstantInt::get(done->getType(), width_));
    done->addIncoming(ConstantInt::get(done->getType(), 0), copy.getLoopPreheader());
    done->addIncoming(next, latch);
    auto *branch = builder.CreateCondBr(builder.CreateICmpEQ(next, in_vectors_), &after, header);
    branch->copyMetadata(*latch->getTerminator());
    latch->getTerminator()->eraseFromParent();
  }

  Loop &nest_;
  const unsigned width_;
  LoopInfo &loops_;
  DominatorTree &dominators_;
  ScalarEvolution &evolution_;
  Value *count_ = nullptr, *in_vectors_ = nullptr; ///< Iterations: all, and those in vectors.
  SmallVector<Counter, 4> counters_;
};

} // namespace

bool widen_nest(Loop &nest, const NestMemory &memory, unsigned width, LoopInfo &loops, DominatorTree &dominators,
                ScalarEvolution &evolution) {
  Shape shape(nest, memory);
  if (!shape.find())
    return false;
  Widening(nest, width, loops, dominators, evolution).run(shape.wide());
  evolution.forgetAllLoops();
  return true;
}

} // namespace assay::engine
