#include "core/engine/tidy/block_sums.hpp"
#include "core/engine/emit/block_table.hpp"
#include "core/engine/emit/warp_adds.hpp"
#include "core/engine/emit/warp_code.hpp"
#include "core/engine/support/adjoint_sums.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/tidy/kernel_barriers.hpp"
#include "core/engine/tidy/kernel_memory.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// Static shared memory that any device has for a block, less what the driver may take.
constexpr std::uint64_t most_shared_bytes = 47 << 10;
constexpr unsigned least_threads = 2 * lanes_of_warp;
constexpr StringLiteral suffix = ".by_block";

/// The kernel and what it calls; nothing where it calls what is not known.
std::optional<SmallPtrSet<const Function *, 8>> code_of(const Function &kernel) {
  SmallPtrSet<const Function *, 8> result{&kernel};
  SmallVector<const Function *, 8> open{&kernel};
  while (!open.empty())
    for (const Instruction &instruction : instructions(*open.pop_back_val()))
      if (const auto *call = dyn_cast<CallBase>(&instruction); call && !call->isInlineAsm()) {
        const Function *callee = call->getCalledFunction();
        if (!callee)
          return std::nullopt;
        if (result.insert(callee).second && !callee->isDeclaration())
          open.push_back(callee);
      }
  return result;
}

bool is_used_in(const Value &value, const SmallPtrSetImpl<const Function *> &code) {
  return any_of(value.users(), [&](const User *user) {
    const auto *instruction = dyn_cast<Instruction>(user);
    return instruction ? code.contains(instruction->getFunction()) : is_used_in(*user, code);
  });
}

/// Beside the arrays of the kernel, none of which is dynamic, of any size.
bool fits_in_shared_memory(const Function &kernel, std::uint64_t bytes) {
  const auto code = code_of(kernel);
  if (!code)
    return false;
  for (const GlobalVariable &global : kernel.getParent()->globals()) {
    if (!is_shared_memory(global) || !is_used_in(global, *code))
      continue;
    if (global.isDeclaration())
      return false;
    bytes += kernel.getDataLayout().getTypeAllocSize(global.getValueType()).getFixedValue();
  }
  return bytes <= most_shared_bytes;
}

bool makes_pointers_or_exits(const Instruction &instruction) {
  const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  return isa<IntToPtrInst>(instruction) || (intrinsic && intrinsic->getIntrinsicID() == Intrinsic::nvvm_exit);
}

class Kernel {
public:
  Kernel(Function &function, BlockUniformity &uniformity) : function_(function), uniformity_(uniformity) {}

  bool run() {
    find_sums();
    const auto written = written_pointers(function_);
    if (sums_.empty() || !written || reads_adjoints_after_synchronisation(function_, sums_.getArrayRef()) ||
        any_of(instructions(function_), makes_pointers_or_exits) ||
        !fits_in_shared_memory(function_, bytes_of_tables()))
      return false;
    Value *by_block = ask(written->getArrayRef());
    for (Instruction *sum : sums_)
      choose(*sum, *by_block);
    Instruction &end = only_return();
    for (Type *number : numbers_) {
      BlockTable table(*function_.getParent(), number);
      call_if(*by_block, std::next(cast<Instruction>(by_block)->getIterator()), *table.clear());
      call_if(*by_block, end.getIterator(), *table.flush());
    }
    // What was known of the function's memory did not count the table, nor waiting for others.
    function_.removeFnAttr(Attribute::Memory);
    function_.removeFnAttr(Attribute::NoSync);
    function_.setConvergent();
    return true;
  }

private:
  void find_sums() {
    for (Value *given : given_pointers(function_)) {
      const auto sums = sums_behind(*given);
      const std::size_t before = sums_.size();
      for (Instruction *sum : sums ? *sums : SmallVector<Instruction *, 8>())
        if (is_of_the_block(*sum) && sums_.insert(sum))
          numbers_.insert(type_of_sums(*sum));
      if (sums_.size() > before)
        added_.push_back(given);
    }
  }

  /// All threads mean one place, as far as their numbers tell.
  bool is_of_the_block(const Instruction &sum) const {
    return has_warp_add(*type_of_sums(sum)) && uniformity_.is_uniform(*place_of_sums(sum));
  }

  std::uint64_t bytes_of_tables() const {
    std::uint64_t bytes = 0;
    for (Type *number : numbers_)
      bytes += BlockTable::bytes(*number);
    return bytes;
  }

  Value *ask(ArrayRef<Value *> written) {
    IRBuilder<> builder(&*function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    Value *holds = builder.CreateICmpUGE(threads_of_block(builder), builder.getInt32(least_threads));
    for (Value *added : added_)
      for (Value *other : written)
        holds = builder.CreateAnd(holds, builder.CreateICmpNE(at_begin(*added, builder), at_begin(*other, builder)));
    return builder.CreateFreeze(holds);
  }

  /// One lane alone adds to memory at once: it may be the only thread that means the place, and read it yet.
  static Value *has_several_lanes(Instruction &sum) {
    IRBuilder<> builder(&sum);
    if (sum.hasMetadata(sum_of_warp))
      return builder.getTrue();
    Value *lanes = builder.CreateIntrinsic(builder.getInt32Ty(), Intrinsic::nvvm_activemask, {});
    return builder.CreateICmpNE(builder.CreateAnd(lanes, builder.CreateSub(lanes, builder.getInt32(1))),
                                builder.getInt32(0));
  }

  static void choose(Instruction &sum, Value &by_block) {
    Instruction *with_table = nullptr, *without = nullptr;
    Value *condition = IRBuilder<>(&sum).CreateAnd(&by_block, has_several_lanes(sum));
    SplitBlockAndInsertIfThenElse(condition, sum.getIterator(), &with_table, &without);
    Instruction *copy = sum.clone();
    copy->insertBefore(with_table->getIterator());
    sum.moveBefore(without->getIterator());
    add_by_table(*copy);
  }

  static void add_by_table(Instruction &sum) {
    if (auto *call = dyn_cast<CallInst>(&sum)) {
      call->setCalledFunction(with_table(*call->getCalledFunction()));
      call->setAttributes(AttributeList());
      call->setConvergent();
      return;
    }
    auto &atomic = cast<AtomicRMWInst>(sum);
    IRBuilder<> builder(&atomic);
    auto *global = PointerType::get(atomic.getContext(), static_cast<unsigned>(DeviceMemory::global));
    builder.CreateCall(
        BlockTable(*atomic.getModule(), atomic.getType()).add(),
        {builder.CreatePointerBitCastOrAddrSpaceCast(atomic.getPointerOperand(), global), atomic.getValOperand()});
    atomic.eraseFromParent();
  }

  /// The function that adds up what lanes have, with the table in the place of memory.
  static Function *with_table(Function &of_warp) {
    const std::string name = (of_warp.getName() + suffix).str();
    if (Function *existing = of_warp.getParent()->getFunction(name))
      return existing;
    ValueToValueMapTy copies;
    Function *result = CloneFunction(&of_warp, copies);
    result->setName(name);
    result->removeFnAttr(Attribute::Memory);
    SmallVector<Instruction *, 8> sums;
    for (Instruction &instruction : instructions(*result))
      if (place_of_sums(instruction))
        sums.push_back(&instruction);
    for (Instruction *sum : sums)
      add_by_table(*sum);
    return result;
  }

  Instruction &only_return() {
    SmallVector<Instruction *, 4> returns;
    for (BasicBlock &block : function_)
      if (isa<ReturnInst>(block.getTerminator()))
        returns.push_back(block.getTerminator());
    if (returns.size() == 1)
      return *returns.front();
    auto *last = BasicBlock::Create(function_.getContext(), "end", &function_);
    for (Instruction *before : returns)
      ReplaceInstWithInst(before, BranchInst::Create(last));
    return *ReturnInst::Create(function_.getContext(), last);
  }

  static void call_if(Value &by_block, BasicBlock::iterator position, Function &function) {
    Instruction *then = SplitBlockAndInsertIfThen(&by_block, position, false);
    CallInst *call = IRBuilder<>(then).CreateCall(&function);
    call->setConvergent();
    InlineFunctionInfo information;
    InlineFunction(*call, information);
  }

  Function &function_;
  BlockUniformity &uniformity_;
  SmallSetVector<Instruction *, 8> sums_;
  SmallSetVector<Type *, 2> numbers_;
  SmallVector<Value *, 4> added_;
};

} // namespace

PreservedAnalyses BlockSumsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  if (function.getCallingConv() != CallingConv::PTX_Kernel ||
      none_of(function, [](const BasicBlock &block) { return isa<ReturnInst>(block.getTerminator()); }))
    return PreservedAnalyses::all();
  BlockUniformity uniformity(function);
  if (has_divergent_barrier(function, uniformity, analyses.getResult<PostDominatorTreeAnalysis>(function)))
    return PreservedAnalyses::all();
  return Kernel(function, uniformity).run() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace assay::engine
