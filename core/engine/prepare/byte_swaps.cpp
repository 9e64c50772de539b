#include "core/engine/prepare/byte_swaps.hpp"
#include "core/engine/support/memory_calls.hpp"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <optional>

using namespace llvm;

namespace assay::engine {
namespace {

constexpr std::uint64_t most_stack_bytes = 4096;

struct Swap {
  Loop *loop;
  std::array<StoreInst *, 2> stores;
  const SCEV *first, *second; ///< Where the pieces begin.
  const SCEV *bytes;
};

/// The memory accesses of a loop of one block, when they are two loads of bytes and then two stores.
std::optional<std::pair<SmallVector<LoadInst *, 2>, SmallVector<StoreInst *, 2>>> byte_accesses(BasicBlock &body) {
  SmallVector<LoadInst *, 2> loads;
  SmallVector<StoreInst *, 2> stores;
  for (Instruction &instruction : body) {
    if (!instruction.mayReadOrWriteMemory())
      continue;
    auto *load = dyn_cast<LoadInst>(&instruction);
    auto *store = dyn_cast<StoreInst>(&instruction);
    if (load && load->isSimple() && load->getType()->isIntegerTy(8) && stores.empty())
      loads.push_back(load);
    else if (store && store->isSimple() && store->getValueOperand()->getType()->isIntegerTy(8))
      stores.push_back(store);
    else
      return std::nullopt;
  }
  if (loads.size() != 2 || stores.size() != 2)
    return std::nullopt;
  return std::pair{loads, stores};
}

bool is_used_outside(const BasicBlock &body) {
  return any_of(body, [&](const Instruction &instruction) {
    return any_of(instruction.users(), [&](const User *user) { return cast<Instruction>(user)->getParent() != &body; });
  });
}

/// Where the bytes begin that `pointer` passes through, one in each iteration.
const SCEV *start_of(Value *pointer, const Loop &loop, ScalarEvolution &evolution) {
  const auto *recurrence = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(pointer));
  const bool is_by_bytes =
      recurrence && recurrence->getLoop() == &loop && recurrence->getStepRecurrence(evolution)->isOne();
  return is_by_bytes ? recurrence->getStart() : nullptr;
}

std::optional<Swap> swap_in(Loop &loop, ScalarEvolution &evolution) {
  if (loop.getNumBlocks() != 1 || !loop.getLoopPreheader() || is_used_outside(*loop.getHeader()))
    return std::nullopt;
  const SCEV *count = evolution.getBackedgeTakenCount(&loop);
  const auto accesses = byte_accesses(*loop.getHeader());
  if (!accesses || isa<SCEVCouldNotCompute>(count))
    return std::nullopt;
  const auto &[loads, stores] = *accesses;
  const unsigned crossed = stores[0]->getValueOperand() == loads[1] ? 0 : 1;
  const auto place = [&](Value *pointer) { return start_of(pointer, loop, evolution); };
  const SCEV *first = place(loads[0]->getPointerOperand()), *second = place(loads[1]->getPointerOperand());
  if (!first || !second || stores[crossed]->getValueOperand() != loads[1] ||
      stores[1 - crossed]->getValueOperand() != loads[0] || place(stores[crossed]->getPointerOperand()) != first ||
      place(stores[1 - crossed]->getPointerOperand()) != second)
    return std::nullopt;
  Type *word = Type::getInt64Ty(loop.getHeader()->getContext());
  const SCEV *bytes = evolution.getAddExpr(evolution.getNoopOrZeroExtend(count, word), evolution.getOne(word));
  return Swap{&loop, {stores[0], stores[1]}, first, second, bytes};
}

/// The third piece: in the function's frame, or on the heap where it may be large.
Value *temporary(IRBuilder<> &builder, Value *bytes) {
  Function &function = *builder.GetInsertBlock()->getParent();
  const auto *constant = dyn_cast<ConstantInt>(bytes);
  if (constant && constant->getValue().ule(most_stack_bytes)) {
    BasicBlock &entry = function.getEntryBlock();
    IRBuilder<> at_entry(&entry, entry.getFirstInsertionPt());
    auto *memory =
        at_entry.CreateAlloca(ArrayType::get(at_entry.getInt8Ty(), constant->getZExtValue()), nullptr, "exchanged");
    memory->setAlignment(Align(16));
    return memory;
  }
  return builder.CreateCall(malloc_function(*function.getParent()), {bytes}, "exchanged");
}

void stop_where_parts_overlap(Instruction &before, Value *first, Value *second, Value *bytes) {
  IRBuilder<> builder(&before);
  Type *word = builder.getInt64Ty();
  Value *distance = builder.CreateSub(builder.CreatePtrToInt(second, word), builder.CreatePtrToInt(first, word));
  Value *size = builder.CreateBinaryIntrinsic(Intrinsic::umin, distance, builder.CreateNeg(distance));
  Value *overlap = builder.CreateAnd(builder.CreateIsNotNull(distance), builder.CreateICmpULT(size, bytes));
  Instruction *end = SplitBlockAndInsertIfThen(overlap, before.getIterator(), /*Unreachable=*/true);
  IRBuilder<>(end).CreateIntrinsic(Intrinsic::trap, {});
}

void rewrite(const Swap &swap, ScalarEvolution &evolution) {
  Instruction *end = swap.loop->getLoopPreheader()->getTerminator();
  SCEVExpander expander(evolution, "swap");
  IRBuilder<> builder(end);
  Value *first = expander.expandCodeFor(swap.first, builder.getPtrTy(), end);
  Value *second = expander.expandCodeFor(swap.second, builder.getPtrTy(), end);
  Value *bytes = expander.expandCodeFor(swap.bytes, builder.getInt64Ty(), end);
  for (StoreInst *store : swap.stores)
    store->eraseFromParent();
  exchange_pieces(*end, first, second, bytes);
}

} // namespace

void exchange_pieces(Instruction &before, Value *first, Value *second, Value *bytes) {
  stop_where_parts_overlap(before, first, second, bytes);
  IRBuilder<> builder(&before);
  Value *between = temporary(builder, bytes);
  builder.CreateMemCpy(between, Align(1), first, Align(1), bytes);
  builder.CreateMemMove(first, Align(1), second, Align(1), bytes);
  builder.CreateMemCpy(second, Align(1), between, Align(1), bytes);
  if (isa<CallInst>(between))
    builder.CreateCall(free_function(*before.getModule()), {between});
}

bool rewrite_byte_swaps(Function &function, FunctionAnalysisManager &analyses) {
  SmallVector<Swap, 2> swaps;
  ScalarEvolution &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (const std::optional<Swap> swap = swap_in(*loop, evolution))
      swaps.push_back(*swap);
  for (const Swap &swap : swaps)
    rewrite(swap, evolution);
  if (!swaps.empty())
    analyses.invalidate(function, PreservedAnalyses::none());
  return !swaps.empty();
}

} // namespace assay::engine
