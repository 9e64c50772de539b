#include "core/engine/tidy/own_places.hpp"
#include "core/engine/support/adjoint_sums.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/tidy/own_sums.hpp"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// Which bytes all threads together may mean, as two ends; nothing where that is not known.
using Range = std::optional<std::pair<ThreadOffset, ThreadOffset>>;

struct Sum {
  Instruction *instruction = nullptr;
  ThreadAddress address;
  std::int64_t size = 0;
  std::optional<OwnSum> own;
  std::optional<ThreadOffset> end; ///< No thread means bytes behind it, or before the first.
};

/// All sums behind one argument, where each thread has places of its own.
struct OwnMemory {
  const Argument *base = nullptr;
  std::int64_t multiple = 0;
  ThreadOffset row;
  SmallVector<ThreadOffset, 2> shifts;
  bool goes_on = false, keeps_in_row = false;
  std::optional<ThreadOffset> end; ///< Of the bytes of all threads, where they go on.
  std::int64_t size = 0;           ///< Of its smallest number, in bytes.
};

bool join(OwnMemory &memory, const Sum &sum) {
  const OwnSum &own = *sum.own;
  if (memory.shifts.empty()) {
    memory.multiple = own.multiple;
    memory.row = own.row;
    memory.end = sum.end;
  } else if (memory.multiple != own.multiple || !(memory.row == own.row)) {
    return false;
  }
  if (!is_contained(memory.shifts, own.shift))
    memory.shifts.push_back(own.shift);
  if (memory.shifts.size() > 1 && (memory.keeps_in_row || own.keeps_in_row))
    return false;
  if (sum.end != memory.end)
    memory.end.reset();
  memory.goes_on |= own.goes_on;
  memory.keeps_in_row |= own.keeps_in_row;
  return true;
}

/// Ends of what a sum that is nobody's own may mean.
Range range_of(const Sum &sum, const Counters &counters) {
  if (!sum.address.bytes)
    return std::nullopt;
  if (sum.end)
    return std::pair(ThreadOffset(0), *sum.end);
  ThreadOffset low, high(sum.size);
  for (ThreadTerm term : sum.address.bytes->terms()) {
    const bool moves = !is_uniform(term);
    if (!moves) {
      low.add(term);
      high.add(term);
      continue;
    }
    // Up to the last thread or block of so many, times what is not negative.
    if (term.number < 0 || term.count(Symbol::argument) != 0)
      return std::nullopt;
    ThreadOffset largest(term.number);
    for (const auto &[symbol, value] : term.factors) {
      const std::optional<std::int64_t> most =
          symbol == Symbol::counter ? counters.most(*value) : std::optional<std::int64_t>(0);
      if (!most)
        return std::nullopt;
      largest = largest.times(symbol == Symbol::thread    ? ThreadOffset::symbol(Symbol::threads)
                              : symbol == Symbol::block   ? ThreadOffset::symbol(Symbol::blocks)
                              : symbol == Symbol::counter ? ThreadOffset(*most)
                                                          : ThreadOffset::symbol(symbol));
    }
    high.add(largest);
  }
  return std::pair(low, high);
}

Range range_of(const OwnMemory &memory) {
  if (memory.goes_on)
    return memory.end ? Range(std::pair(ThreadOffset(0), *memory.end)) : std::nullopt;
  return std::pair(ThreadOffset(0), memory.row.times(ThreadOffset::symbol(Symbol::blocks)));
}

/// Writes the questions of a kernel to its launch.
class LaunchQuestions {
public:
  explicit LaunchQuestions(Function &kernel) : builder_(&*kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca()) {}

  Value *one_dimension() {
    Value *product = builder_.getInt64(1);
    for (const Intrinsic::ID id : {Intrinsic::nvvm_read_ptx_sreg_ntid_y, Intrinsic::nvvm_read_ptx_sreg_ntid_z,
                                   Intrinsic::nvvm_read_ptx_sreg_nctaid_y, Intrinsic::nvvm_read_ptx_sreg_nctaid_z})
      product = builder_.CreateMul(
          product, builder_.CreateZExt(builder_.CreateIntrinsic(builder_.getInt32Ty(), id, {}), builder_.getInt64Ty()));
    return builder_.CreateICmpEQ(product, builder_.getInt64(1));
  }

  /// Threads of one block mean other bytes, and keep within the block's; indices stay below 2^31.
  Value *keeps_apart(const OwnMemory &memory) {
    Value *row = memory.row.emit(builder_);
    Value *block = width_of_block(memory).emit(builder_);
    Value *blocks = ThreadOffset::symbol(Symbol::blocks).emit(builder_);
    Value *holds = both(builder_.CreateICmpSGT(row, builder_.getInt64(0)),
                        builder_.CreateICmpSLT(row, builder_.getInt64(std::int64_t{1} << 32U)));
    holds = both(holds, builder_.CreateICmpULE(builder_.CreateMul(row, blocks), builder_.getInt64(memory.size << 31U)));
    for (const ThreadOffset &shift : memory.shifts) {
      if (memory.keeps_in_row) // There is one shift, zero.
        break;
      Value *begin = shift.emit(builder_);
      holds = both(holds, builder_.CreateICmpSGE(begin, builder_.getInt64(0)));
      holds = both(holds, builder_.CreateICmpSLE(begin, builder_.CreateSub(row, block)));
    }
    for (std::size_t first = 0; first < memory.shifts.size(); ++first)
      for (std::size_t second = first + 1; second < memory.shifts.size(); ++second) {
        ThreadOffset difference = memory.shifts[first];
        difference.add(memory.shifts[second], -1);
        Value *distance = builder_.CreateBinaryIntrinsic(Intrinsic::smax, difference.emit(builder_),
                                                         builder_.CreateNeg(difference.emit(builder_)));
        holds = both(holds, builder_.CreateICmpSGE(distance, block));
      }
    return holds;
  }

  /// Bytes behind two arguments.
  Value *lie_apart(const Argument &base, const Range &range, const Argument &other, const Range &of_other) {
    const auto end = [&](const Argument &argument, const ThreadOffset &offset) {
      return builder_.CreateAdd(builder_.CreatePtrToInt(const_cast<Argument *>(&argument), builder_.getInt64Ty()),
                                offset.emit(builder_));
    };
    return builder_.CreateOr(builder_.CreateICmpULE(end(base, range->second), end(other, of_other->first)),
                             builder_.CreateICmpULE(end(other, of_other->second), end(base, range->first)));
  }
  /// Two arguments are one, so that the same thread means the same places.
  Value *are_one(const Argument &base, const Argument &other) {
    return builder_.CreateICmpEQ(const_cast<Argument *>(&base), const_cast<Argument *>(&other));
  }

  Value *both(Value *a, Value *b) { return builder_.CreateAnd(a, b); }
  Value *either(Value *a, Value *b) { return builder_.CreateOr(a, b); }

private:
  static ThreadOffset width_of_block(const OwnMemory &memory) {
    return ThreadOffset::symbol(Symbol::threads).times(ThreadOffset(memory.multiple));
  }
  IRBuilder<> builder_;
};

class Kernel {
public:
  Kernel(Function &function, ScalarEvolution &evolution, const DominatorTree &dominators)
      : function_(function), counters_(evolution), dominators_(dominators) {}

  bool run() {
    if (!read_sums())
      return false;
    form_memories();
    bool changed = false;
    for (auto &[base, memory] : memories_)
      changed |= add_plainly(memory);
    return changed;
  }

private:
  bool read_sums() {
    for (Instruction &instruction : instructions(function_)) {
      if (const Value *place = place_of_adjoint_sum(instruction))
        add_sum(instruction, *place);
      else if (may_hide_sums(instruction))
        return false;
    }
    return any_of(sums_, [](const Sum &sum) { return sum.own.has_value(); });
  }

  void add_sum(Instruction &instruction, const Value &place) {
    Sum sum;
    sum.instruction = &instruction;
    sum.address = thread_address(place);
    if (is_in(*sum.address.base->getType(), DeviceMemory::shared) || isa<AllocaInst>(sum.address.base))
      return;
    sum.size = function_.getDataLayout().getTypeStoreSize(type_of_adjoint_sum(instruction)).getFixedValue();
    const auto *argument = dyn_cast<Argument>(sum.address.base);
    const std::optional<std::int64_t> multiple = sum.address.bytes ? multiple_in(*sum.address.bytes) : std::nullopt;
    if (argument && multiple) {
      const Bounds bounds = bounds_at(instruction);
      sum.end = end_by(bounds, *sum.address.bytes, *multiple);
      if (isa<AtomicRMWInst>(instruction))
        sum.own = read_own_sum(*sum.address.bytes, *multiple, sum.size, counters_, bounds);
    }
    sums_.push_back(std::move(sum));
  }

  /// What is assumed in the instruction's block, and in those that every way there runs through.
  Bounds bounds_at(const Instruction &instruction) const {
    Bounds bounds;
    for (const DomTreeNode *node = dominators_.getNode(instruction.getParent()); node; node = node->getIDom())
      for (const Instruction &other : *node->getBlock())
        if (const auto *assumption = dyn_cast<AssumeInst>(&other))
          add_bound(*assumption, bounds);
    return bounds;
  }

  static void add_bound(const AssumeInst &assumption, Bounds &bounds) {
    const auto *comparison = dyn_cast<ICmpInst>(assumption.getArgOperand(0));
    const bool is_swapped = comparison && comparison->getPredicate() == CmpInst::ICMP_SGT;
    if (!comparison || (!is_swapped && comparison->getPredicate() != CmpInst::ICMP_SLT))
      return;
    const auto index = thread_offset(*comparison->getOperand(is_swapped ? 1 : 0)),
               below = thread_offset(*comparison->getOperand(is_swapped ? 0 : 1));
    if (index && below)
      bounds.emplace_back(*index, *below);
  }

  static std::optional<ThreadOffset> end_by(const Bounds &bounds, const ThreadOffset &bytes, std::int64_t multiple) {
    for (const auto &[index, below] : bounds)
      if (index.times(ThreadOffset(multiple)) == bytes)
        return below.times(ThreadOffset(multiple));
    return std::nullopt;
  }

  void form_memories() {
    SmallPtrSet<const Value *, 4> shared;
    for (const Sum &sum : sums_) {
      const auto *base = dyn_cast<Argument>(sum.address.base);
      if (!base || !sum.own) {
        shared.insert(sum.address.base);
        continue;
      }
      OwnMemory &memory = memories_[base];
      memory.base = base;
      memory.size = memory.size == 0 ? sum.size : std::min(memory.size, sum.size);
      if (!join(memory, sum))
        shared.insert(base);
    }
    memories_.remove_if(
        [&](const auto &entry) { return shared.contains(entry.first) || meet_in_most_launches(entry.second); });
  }

  /// Neighbours' sums are less than the threads of a warp apart, or lie before the first thread's.
  static bool meet_in_most_launches(const OwnMemory &memory) {
    constexpr std::int64_t threads = 32;
    const auto is_below = [](const ThreadOffset &offset, std::int64_t limit) {
      return offset.is_constant() && offset.constant() < limit;
    };
    for (const ThreadOffset &shift : memory.shifts) {
      if (is_below(shift, 0))
        return true;
      for (const ThreadOffset &other : memory.shifts) {
        ThreadOffset distance = shift;
        distance.add(other, -1);
        if (!(shift == other) && is_below(distance, threads * memory.multiple) &&
            distance.constant() > -threads * memory.multiple)
          return true;
      }
    }
    return false;
  }

  /// The answer for one argument, or null where it is always no.
  Value *condition(LaunchQuestions &questions, const OwnMemory &memory) {
    Value *holds = questions.both(questions.one_dimension(), questions.keeps_apart(memory));
    if (memory.base->hasNoAliasAttr())
      return holds;
    for (const auto &[base, other] : memories_)
      if (base != memory.base && !base->hasNoAliasAttr()) {
        const bool alike =
            other.multiple == memory.multiple && other.row == memory.row && other.shifts == memory.shifts;
        const Range range = range_of(memory), of_other = range_of(other);
        if (!range || !of_other)
          return nullptr;
        Value *apart = questions.lie_apart(*memory.base, range, *base, of_other);
        holds = questions.both(holds, alike ? questions.either(apart, questions.are_one(*memory.base, *base)) : apart);
      }
    for (const Sum &sum : sums_) {
      const auto *base = dyn_cast<Argument>(sum.address.base);
      if (base && (memories_.contains(base) || base->hasNoAliasAttr()))
        continue;
      const Range range = range_of(memory), of_sum = base ? range_of(sum, counters_) : std::nullopt;
      if (!range || !of_sum)
        return nullptr;
      holds = questions.both(holds, questions.lie_apart(*memory.base, range, *base, of_sum));
    }
    return holds;
  }

  bool add_plainly(const OwnMemory &memory) {
    LaunchQuestions questions(function_);
    Value *own = condition(questions, memory);
    if (!own)
      return false;
    for (const Sum &sum : sums_)
      if (sum.address.base == memory.base)
        choose(cast<AtomicRMWInst>(*sum.instruction), *own);
    return true;
  }

  static void choose(AtomicRMWInst &atomic, Value &own) {
    Instruction *plain = nullptr, *common = nullptr;
    SplitBlockAndInsertIfThenElse(&own, atomic.getIterator(), &plain, &common);
    IRBuilder<> builder(plain);
    Value *place = atomic.getPointerOperand();
    Value *before = builder.CreateAlignedLoad(atomic.getType(), place, atomic.getAlign());
    builder.CreateAlignedStore(builder.CreateFAdd(before, atomic.getValOperand()), place, atomic.getAlign());
    atomic.moveBefore(common->getIterator());
  }

  Function &function_;
  Counters counters_;
  const DominatorTree &dominators_;
  SmallVector<Sum, 8> sums_;
  MapVector<const Argument *, OwnMemory> memories_;
};

} // namespace

PreservedAnalyses OwnPlacesPass::run(Function &function, FunctionAnalysisManager &analyses) {
  if (function.getCallingConv() != CallingConv::PTX_Kernel)
    return PreservedAnalyses::all();
  const bool changed = Kernel(function, analyses.getResult<ScalarEvolutionAnalysis>(function),
                              analyses.getResult<DominatorTreeAnalysis>(function))
                           .run();
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace assay::engine
