#include "core/engine/plan/control.hpp"
#include "core/engine/analysis/blocks_reaching_return.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace assay::engine {
namespace {

class ControlRecorder {
public:
  ControlRecorder(Function &function, LoopInfo &loops, DominatorTree &dominators, ScalarEvolution &evolution,
                  const ReverseWork &work)
      : function_(function), loops_(loops), dominators_(dominators), evolution_(evolution), work_(work) {}

  Expected<ControlRecord> run() {
    const BlocksReachingReturn live(function_);
    for (BasicBlock &block : function_)
      if (live.contains(&block))
        record_.live.insert(&block);
    // Closed forms first: they are read off the loops as they are.
    for (Loop *loop : loops_.getLoopsInPreorder())
      if (is_live(loop->getHeader()))
        for (PHINode &phi : loop->getHeader()->phis())
          record_closed_form(*loop, phi);
    for (Loop *loop : loops_.getLoopsInPreorder())
      if (is_live(loop->getHeader()))
        if (Error error = record_loop(*loop))
          return std::move(error);
    for (BasicBlock &block : function_)
      if (is_live(&block))
        record_join(block);
    return std::move(record_);
  }

private:
  bool is_live(const BasicBlock *block) const { return record_.live.contains(block); }

  // --- loops ---------------------------------------------------------------------------------------------------------

  Error record_loop(Loop &loop) {
    if (!loop.getLoopPreheader() || !loop.getLoopLatch())
      return unsupported(*loop.getHeader()->getTerminator(), "a loop that cannot be brought into simple form",
                         "avoid jumping into the middle of a loop by computed goto or exceptions");
    LoopRecord record;
    record.loop = &loop;
    record.iteration = add_iteration_counter(loop);
    SmallVector<Loop::Edge, 4> exits;
    loop.getExitEdges(exits);
    erase_if(exits, [&](const Loop::Edge &edge) { return !is_live(edge.second); });
    if (exits.size() == 1)
      std::tie(record.only_exiting, record.only_exit) = exits.front();
    if (record.only_exit)
      record.count = expand_count(loop, record);
    record.most = record.constant_count;
    if (const auto *most = dyn_cast<SCEVConstant>(evolution_.getConstantMaxBackedgeTakenCount(&loop));
        most && !record.most && most->getAPInt().getActiveBits() <= 63)
      record.most = most->getAPInt().getZExtValue();
    if (!record.count)
      for (auto [inside, exit] : exits)
        if (!record.count_at_exit.contains(exit))
          record.count_at_exit[exit] = count_phi(*record.iteration, *exit);
    record_.loops[&loop] = record;
    return Error::success();
  }

  PHINode *add_iteration_counter(Loop &loop) {
    Type *type = Type::getInt64Ty(function_.getContext());
    BasicBlock *header = loop.getHeader();
    PHINode *phi = PHINode::Create(type, 2, "iteration", header->begin());
    IRBuilder<> builder(loop.getLoopLatch()->getTerminator());
    Value *next = builder.CreateAdd(phi, ConstantInt::get(type, 1), "iteration.next", /*NUW=*/true, /*NSW=*/true);
    phi->addIncoming(ConstantInt::get(type, 0), loop.getLoopPreheader());
    phi->addIncoming(next, loop.getLoopLatch());
    return phi;
  }

  /// The exact trip count as a value of the preheader, where scalar evolution knows it.
  Value *expand_count(Loop &loop, LoopRecord &record) {
    const SCEV *count = evolution_.getExitCount(&loop, record.only_exiting);
    if (isa<SCEVCouldNotCompute>(count))
      return nullptr;
    Type *type = Type::getInt64Ty(function_.getContext());
    if (count->getType()->getIntegerBitWidth() > 64)
      return nullptr;
    count = evolution_.getNoopOrZeroExtend(count, type);
    if (const auto *constant = dyn_cast<SCEVConstant>(count)) {
      record.constant_count = constant->getAPInt().getZExtValue();
      return constant->getValue();
    }
    Instruction *place = loop.getLoopPreheader()->getTerminator();
    SCEVExpander expander(evolution_, "count");
    if (!expander.isSafeToExpandAt(count, place))
      return nullptr;
    return expander.expandCodeFor(count, type, place->getIterator());
  }

  /// The iteration counter seen from an exit block. Its predecessors are all inside the loop (dedicated exits), or the
  /// block is an exit of an inner loop as well; either way the counter dominates them.
  Value *count_phi(PHINode &iteration, BasicBlock &exit) {
    PHINode *phi = PHINode::Create(iteration.getType(), pred_size(&exit), "count", exit.begin());
    for (BasicBlock *before : predecessors(&exit))
      phi->addIncoming(&iteration, before);
    return phi;
  }

  /// What the loop adds, where that is a value from before the loop, as the number of threads in `i += blockDim.x *
  /// gridDim.x`.
  static Value *added_in_each_iteration(const Loop &loop, PHINode &phi) {
    auto *sum =
        loop.getLoopLatch() ? dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(loop.getLoopLatch())) : nullptr;
    if (!sum || sum->getOpcode() != Instruction::Add || !is_contained(sum->operands(), &phi))
      return nullptr;
    Value *added = sum->getOperand(sum->getOperand(0) == &phi ? 1 : 0);
    return added != &phi && loop.isLoopInvariant(added) ? added : nullptr;
  }

  void record_closed_form(Loop &loop, PHINode &phi) {
    if (!evolution_.isSCEVable(phi.getType()) || !loop.getLoopPreheader())
      return;
    const auto *recurrence = dyn_cast<SCEVAddRecExpr>(evolution_.getSCEV(&phi));
    if (!recurrence || recurrence->getLoop() != &loop || !recurrence->isAffine())
      return record_geometric_form(loop, phi);
    const SCEV *step = recurrence->getStepRecurrence(evolution_);
    Value *step_value = nullptr;
    if (const auto *constant = dyn_cast<SCEVConstant>(step))
      step_value = constant->getValue();
    else if (const auto *unknown = dyn_cast<SCEVUnknown>(step))
      step_value = unknown->getValue();
    else
      step_value = added_in_each_iteration(loop, phi);
    if (step_value)
      record_.closed_forms[&phi] = {phi.getIncomingValueForBlock(loop.getLoopPreheader()), step_value, &loop};
  }

  /// Of a value that is doubled or halved in each iteration, any number of times.
  void record_geometric_form(Loop &loop, PHINode &phi) {
    using Kind = ClosedForm::Kind;
    const BasicBlock *latch = loop.getLoopLatch();
    if (!latch || !phi.getType()->isIntegerTy())
      return;
    Value *next = phi.getIncomingValueForBlock(latch);
    const auto record = [&](Kind kind, const APInt &shift) {
      record_.closed_forms[&phi] = {phi.getIncomingValueForBlock(loop.getLoopPreheader()),
                                    ConstantInt::get(phi.getType(), shift), &loop, kind};
    };
    const unsigned bits = phi.getType()->getIntegerBitWidth();
    const auto once = [&](Kind kind) { record(kind, APInt(bits, 1)); };
    const APInt *number = nullptr;
    const auto is_power = [&] { return number->isPowerOf2() && !number->isSignMask(); };
    const auto exponent = [&] { return APInt(bits, number->logBase2()); };
    if (match(next, m_Add(m_Specific(&phi), m_Specific(&phi))))
      once(Kind::left_shift);
    else if (match(next, m_Shl(m_Specific(&phi), m_APInt(number))) && number->ult(bits))
      record(Kind::left_shift, *number);
    else if (match(next, m_LShr(m_Specific(&phi), m_APInt(number))) && number->ult(bits))
      record(Kind::right_shift, *number);
    else if (match(next, m_AShr(m_Specific(&phi), m_APInt(number))) && number->ult(bits))
      record(Kind::sign_shift, *number);
    else if (match(next, m_c_Mul(m_Specific(&phi), m_APInt(number))) && is_power())
      record(Kind::left_shift, exponent());
    else if (match(next, m_UDiv(m_Specific(&phi), m_APInt(number))) && is_power())
      record(Kind::right_shift, exponent());
    else if (match(next, m_SDiv(m_Specific(&phi), m_APInt(number))) && is_power())
      record(Kind::quotient, exponent());
  }

  // --- joins ---------------------------------------------------------------------------------------------------------

  void record_join(BasicBlock &block) {
    JoinRecord record;
    for (BasicBlock *before : predecessors(&block))
      if (is_live(before) && !is_contained(record.predecessors, before))
        record.predecessors.push_back(before);
    const Loop *loop = loops_.getLoopFor(&block);
    const bool is_header = loop && loop->getHeader() == &block;
    if (!is_header && !record.predecessors.empty() && !work_.in_phis(block))
      record.jump_to = idle_region_entry(block);
    if (!is_header && !record.jump_to && record.predecessors.size() > 1)
      record.selector = make_selector(block, record.predecessors);
    record_.joins[&block] = std::move(record);
  }

  /// The nearest dominator of `block` in a loop that contains `block`, when no block between them has a reverse. Null
  /// when something in between has, or when it is a plain predecessor in the same loop anyway.
  BasicBlock *idle_region_entry(BasicBlock &block) {
    DomTreeNode *node = dominators_.getNode(&block)->getIDom();
    while (node && !contains(loops_.getLoopFor(node->getBlock()), block))
      node = node->getIDom();
    if (!node)
      return nullptr;
    BasicBlock *entry = node->getBlock();
    if (block.getSinglePredecessor() == entry)
      return nullptr;
    SmallVector<BasicBlock *, 8> pending{&block};
    SmallPtrSet<BasicBlock *, 16> seen{&block, entry};
    while (!pending.empty())
      for (BasicBlock *before : predecessors(pending.pop_back_val())) {
        if (!is_live(before) || !seen.insert(before).second)
          continue;
        if (work_.in_block(*before))
          return nullptr;
        pending.push_back(before);
      }
    return entry;
  }

  static bool contains(const Loop *loop, const BasicBlock &block) { return !loop || loop->contains(&block); }

  Value *make_selector(BasicBlock &block, MutableArrayRef<BasicBlock *> predecessors) {
    if (predecessors.size() == 2)
      if (Value *condition = deciding_condition(block, predecessors))
        return condition;
    Type *type =
        predecessors.size() <= 256 ? Type::getInt8Ty(function_.getContext()) : Type::getInt32Ty(function_.getContext());
    PHINode *phi = PHINode::Create(type, pred_size(&block), "came.from", block.begin());
    for (BasicBlock *before : llvm::predecessors(&block))
      phi->addIncoming(ConstantInt::get(type, find(predecessors, before) - predecessors.begin()), before);
    return phi;
  }

  /// For an if/else: its condition, when each predecessor lies on one side of it. `predecessors` is put in order: the
  /// side of `false` first.
  Value *deciding_condition(BasicBlock &block, MutableArrayRef<BasicBlock *> predecessors) {
    BasicBlock *split = dominators_.getNode(&block)->getIDom()->getBlock();
    auto *branch = dyn_cast<BranchInst>(split->getTerminator());
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1) ||
        loops_.getLoopFor(split) != loops_.getLoopFor(&block) || isa<Constant>(branch->getCondition()))
      return nullptr;
    const auto on_side = [&](BasicBlock *before, unsigned side) {
      if (before == split)
        return branch->getSuccessor(side) == &block;
      return dominators_.dominates(BasicBlockEdge(split, branch->getSuccessor(side)), before);
    };
    if (on_side(predecessors[0], 0) && on_side(predecessors[1], 1))
      std::swap(predecessors[0], predecessors[1]);
    if (on_side(predecessors[0], 1) && on_side(predecessors[1], 0))
      return branch->getCondition();
    return nullptr;
  }

  Function &function_;
  LoopInfo &loops_;
  DominatorTree &dominators_;
  ScalarEvolution &evolution_;
  const ReverseWork &work_;
  ControlRecord record_;
};

} // namespace

Expected<ControlRecord> record_control(Function &function, LoopInfo &loops, DominatorTree &dominators,
                                       ScalarEvolution &evolution, const ReverseWork &work) {
  return ControlRecorder(function, loops, dominators, evolution, work).run();
}

} // namespace assay::engine
