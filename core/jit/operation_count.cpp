#include "core/jit/operation_count.hpp"

#include "core/engine/support/library_table.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include <array>
#include <optional>

using namespace llvm;

namespace assay::jit {

namespace {

constexpr const char *counters_name = "assay_operation_counters";
std::array<std::uint64_t, 2> counters{};
enum Counter : unsigned { all, real };

/// Of a function that is not in the module, such as one of the mathematical library.
constexpr std::uint64_t cost_of_library_call = 40;
/// Of memory that is allocated or released: the check watches each block, and derivatives have shadows of it.
constexpr std::uint64_t cost_of_allocation = 1000;
/// Of one in which the threads of a warp wait for one another, and of one with a lane of each thread's choice, whose
/// adjoint asks each lane in turn.
constexpr std::uint64_t cost_of_warp_operation = 200, cost_of_chosen_lane = 1500;
/// Of one that is: in a derivative its tape is allocated.
constexpr std::uint64_t cost_of_call = 60;
/// Of a copy, beside its bytes.
constexpr std::uint64_t cost_of_copy = 8;
constexpr std::uint64_t bytes_in_operation = 16;

bool costs_nothing(const Instruction &instruction) {
  return isa<PHINode>(instruction) || instruction.isDebugOrPseudoInst() || instruction.isLifetimeStartOrEnd();
}

/// Of the intrinsics those that become calls of the mathematical library.
bool is_library_function(const Function &function) {
  switch (function.getIntrinsicID()) {
  case Intrinsic::not_intrinsic:
    return function.isDeclaration();
  case Intrinsic::sin:
  case Intrinsic::cos:
  case Intrinsic::sincos:
  case Intrinsic::tan:
  case Intrinsic::asin:
  case Intrinsic::acos:
  case Intrinsic::atan:
  case Intrinsic::atan2:
  case Intrinsic::sinh:
  case Intrinsic::cosh:
  case Intrinsic::tanh:
  case Intrinsic::exp:
  case Intrinsic::exp2:
  case Intrinsic::exp10:
  case Intrinsic::log:
  case Intrinsic::log2:
  case Intrinsic::log10:
  case Intrinsic::pow:
    return true;
  default:
    return false;
  }
}

/// Of the device's intrinsics those in which threads wait.
std::optional<std::uint64_t> cost_of_warp_intrinsic(StringRef name) {
  if (!name.consume_front("llvm.nvvm."))
    return std::nullopt;
  if (name.starts_with("shfl.sync.idx"))
    return cost_of_chosen_lane;
  const bool waits = name.starts_with("shfl.") || name.starts_with("vote.") || name.starts_with("match.") ||
                     name.starts_with("redux.") || name.starts_with("bar");
  return waits ? std::optional(cost_of_warp_operation) : std::nullopt;
}

bool allocates_or_releases(const Function &function) {
  const engine::LibraryFunction *known = function.isDeclaration() ? engine::library_function(function) : nullptr;
  return known &&
         (known->effect == engine::LibraryEffect::allocation || known->effect == engine::LibraryEffect::reallocation ||
          known->effect == engine::LibraryEffect::out_allocation ||
          known->effect == engine::LibraryEffect::deallocation);
}

std::uint64_t cost_of(const Instruction &instruction) {
  if (costs_nothing(instruction))
    return 0;
  if (isa<MemIntrinsic>(instruction))
    return cost_of_copy;
  const auto *call = dyn_cast<CallBase>(&instruction);
  if (!call)
    return 1;
  const Function *callee = call->getCalledFunction();
  if (const auto cost = callee ? cost_of_warp_intrinsic(callee->getName()) : std::nullopt)
    return *cost;
  if (callee && callee->isIntrinsic() && !is_library_function(*callee))
    return 1;
  if (callee && allocates_or_releases(*callee))
    return cost_of_allocation;
  return callee && is_library_function(*callee) ? cost_of_library_call : cost_of_call;
}

bool is_real(const Instruction &instruction) {
  const Type *type = isa<StoreInst>(instruction) ? instruction.getOperand(0)->getType() : instruction.getType();
  return type->isFPOrFPVectorTy() && !costs_nothing(instruction);
}

class CounterWriter {
public:
  explicit CounterWriter(Module &module)
      : type_(ArrayType::get(Type::getInt64Ty(module.getContext()), counters.size())),
        counters_(module.getOrInsertGlobal(counters_name, type_)) {}

  void count(BasicBlock &block) {
    std::uint64_t operations = 0, real_operations = 0;
    SmallVector<MemIntrinsic *> copies;
    for (Instruction &instruction : block) {
      operations += cost_of(instruction);
      real_operations += is_real(instruction) ? 1 : 0;
      if (auto *copy = dyn_cast<MemIntrinsic>(&instruction))
        copies.push_back(copy);
    }
    for (MemIntrinsic *copy : copies) {
      IRBuilder<> builder(copy);
      Value *bytes = builder.CreateZExtOrTrunc(copy->getLength(), builder.getInt64Ty());
      add(builder, all, builder.CreateUDiv(bytes, builder.getInt64(bytes_in_operation)));
    }
    const auto first = block.getFirstInsertionPt();
    if (first == block.end())
      return;
    IRBuilder<> builder(&block, first);
    add(builder, all, builder.getInt64(operations));
    if (real_operations != 0)
      add(builder, real, builder.getInt64(real_operations));
  }

private:
  void add(IRBuilder<> &builder, Counter counter, Value *amount) {
    Value *address = builder.CreateConstInBoundsGEP2_32(type_, counters_, 0, counter);
    Value *before = builder.CreateLoad(builder.getInt64Ty(), address);
    builder.CreateStore(builder.CreateAdd(before, amount), address);
  }

  ArrayType *type_;
  Constant *counters_;
};

bool may_count(const Function &function) {
  return !function.isDeclaration() && !function.hasFnAttribute(Attribute::Naked);
}

} // namespace

void insert_operation_counters(Module &module) {
  CounterWriter writer(module);
  for (Function &function : module)
    if (may_count(function))
      for (BasicBlock &block : function) {
        function.setMemoryEffects(MemoryEffects::unknown());
        writer.count(block);
      }
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction);
          call && call->getCalledFunction() && may_count(*call->getCalledFunction()))
        call->setMemoryEffects(MemoryEffects::unknown());
}

NamedFunctions operation_count_symbols() {
  return {{counters_name, counters.data()}};
}

OperationCount counted_operations() {
  return {counters[all], counters[real]};
}

void reset_operation_count() {
  counters = {};
}

std::size_t code_size(const Module &module) {
  std::size_t size = 0;
  for (const Function &function : module)
    size += function.getInstructionCount();
  return size;
}

} // namespace assay::jit
