#include "core/jit/mutate/lane_sites.hpp"

#include "core/jit/mutate/derivative_parts.hpp"
#include "core/jit/mutate/lanes.hpp"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::jit {

namespace {

class LaneFinder {
public:
  LaneFinder(Function &written, unsigned width)
      : written_(written), parts_(written), lanes_(written, width), width_(width), last_(width - 1),
        middle_(width / 2) {}

  SmallVector<Site, 64> run() {
    for (Argument &argument : written_.args())
      visit_seed(argument);
    for (Instruction &instruction : instructions(written_)) {
      visit_operands(instruction);
      visit_end(instruction);
      if (auto *store = dyn_cast<StoreInst>(&instruction))
        visit_packed(*store);
    }
    return std::move(sites_);
  }

private:
  void add(FaultClass kind, Instruction &place, unsigned operand = 0, Value *other = nullptr) {
    sites_.push_back({kind, &place, operand, other});
  }

  /// Seeds of the result, or tangents of a scalar: one argument for each lane.
  void visit_seed(Argument &argument) {
    if (!argument.getType()->isFloatingPointTy() || lanes_.lane_of(&argument) != 0U)
      return;
    const auto broadcast = [&argument, width = width_] {
      for (unsigned lane = 1; lane < width; ++lane)
        argument.getParent()->getArg(argument.getArgNo() + lane)->replaceAllUsesWith(&argument);
    };
    Instruction *entry = &written_.getEntryBlock().front();
    sites_.push_back({FaultClass::lane_seed, entry, 0, nullptr, broadcast,
                      "with the first lane's " + argument.getName().str() + " for all lanes"});
  }

  /// Where numbers of a lane come from and where they go; what lies between is arithmetic like that of one lane.
  static bool may_be_confused(const Instruction &instruction) {
    return isa<LoadInst, StoreInst, CallInst, InsertValueInst>(instruction);
  }

  void visit_operands(Instruction &instruction) {
    if (!may_be_confused(instruction))
      return;
    for (Use &operand : instruction.operands()) {
      const std::optional<unsigned> lane = lanes_.lane_of(operand);
      if (lane == last_)
        exchange(FaultClass::lane_swapped, instruction, operand, last_ - 1);
      if (lane == middle_ && width_ > 2)
        exchange(FaultClass::lane_broadcast, instruction, operand, 0);
    }
  }

  void exchange(FaultClass kind, Instruction &instruction, const Use &operand, unsigned lane) {
    if (Value *twin = lanes_.twin(*operand, lane))
      add(kind, instruction, operand.getOperandNo(), twin);
  }

  /// Where numbers of a lane leave: stores, copies, what is returned.
  void visit_end(Instruction &instruction) {
    if (const auto *store = dyn_cast<StoreInst>(&instruction)) {
      if (lanes_.lane_of(store->getPointerOperand()) == last_ && !isa<Constant>(store->getValueOperand()))
        add(FaultClass::lane_dropped, instruction);
    } else if (const auto *copy = dyn_cast<MemTransferInst>(&instruction)) {
      if (lanes_.lane_of(copy->getRawDest()) == last_)
        add(FaultClass::lane_dropped, instruction);
    } else if (const auto *insert = dyn_cast<InsertValueInst>(&instruction)) {
      const Value *inserted = insert->getInsertedValueOperand();
      if (lanes_.lane_of(inserted) == last_ && holds_floats(*inserted->getType()))
        add(FaultClass::lane_dropped, instruction, 1);
    }
  }

  /// All lanes of a number side by side.
  void visit_packed(StoreInst &store) {
    const auto *type = dyn_cast<FixedVectorType>(store.getValueOperand()->getType());
    if (!type || type->getNumElements() != width_ || !parts_.carries_derivative(store.getValueOperand()))
      return;
    add(FaultClass::lane_swapped, store);
    add(FaultClass::lane_dropped, store);
    if (width_ > 2)
      add(FaultClass::lane_broadcast, store);
  }

  Function &written_;
  DerivativeParts parts_;
  Lanes lanes_;
  unsigned width_, last_, middle_;
  SmallVector<Site, 64> sites_;
};

} // namespace

SmallVector<Site, 64> find_lane_sites(Function &written, unsigned width) {
  return LaneFinder(written, width).run();
}

} // namespace assay::jit
