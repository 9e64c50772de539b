#include "core/engine/plan/atomic_updates.hpp"
#include "core/engine/analysis/atomic_choice.hpp"
#include "core/engine/analysis/blocks_reaching_return.hpp"
#include "core/engine/plan/value_text.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace assay::engine {
namespace {

using Form = AtomicUpdate::Form;

const Value *place_of(const Instruction &update) {
  const auto *swap = dyn_cast<AtomicCmpXchgInst>(&update);
  return swap ? swap->getPointerOperand() : cast<AtomicRMWInst>(update).getPointerOperand();
}

const Value *stored_by(const Instruction &update) {
  const auto *swap = dyn_cast<AtomicCmpXchgInst>(&update);
  return swap ? swap->getNewValOperand() : cast<AtomicRMWInst>(update).getValOperand();
}

/// The form of an update with a single instruction, but for a choice.
std::optional<Form> form_in_place(const Instruction &update) {
  const auto *in_place = dyn_cast<AtomicRMWInst>(&update);
  if (!in_place)
    return std::nullopt;
  switch (in_place->getOperation()) {
  case AtomicRMWInst::FAdd:
    return Form::sum;
  case AtomicRMWInst::FSub:
    return Form::difference;
  case AtomicRMWInst::Xchg:
    if (in_place->getType()->isFloatingPointTy() && is_device_code(update))
      return Form::exchange;
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

class UpdatePlanner {
public:
  explicit UpdatePlanner(const AtomicUpdateInput &input) : input_(input) {}

  bool has_adjoint(const Instruction &update) const {
    return isa<AtomicRMWInst, AtomicCmpXchgInst>(update) && input_.activity.has_shadow(*place_of(update)) &&
           updates_numbers(update);
  }

  Expected<AtomicUpdate> plan(const Instruction &update) const {
    const std::optional<Form> in_place = form_in_place(update);
    if (in_place == Form::exchange)
      return AtomicUpdate{Form::exchange, place_of(update), stored_by(update)};
    if (const Value *number = chosen_number(update)) {
      if (Error error = check_choice(update))
        return std::move(error);
      return AtomicUpdate{Form::choice, place_of(update), number};
    }
    if (!in_place)
      return unsupported(
          update,
          "an atomic update of active memory that is neither a sum, a maximum, a minimum nor an exchange: "
          "its adjoint depends on the order of the threads",
          "use an atomic addition, or reduce through shared memory or shuffles");
    if (is_device_code(update) && carries_derivative(update))
      return unsupported(
          update, "the old value of an atomic sum takes part in the derivative: it depends on the order of the threads",
          "use the value that all threads find behind a barrier");
    return AtomicUpdate{*in_place, place_of(update), stored_by(update)};
  }

private:
  bool carries_derivative(const Value &value) const {
    return !isa<Constant>(value) && input_.activity.carries_derivative(value);
  }

  bool updates_numbers(const Instruction &update) const {
    const Value &stored = *stored_by(update);
    return stored.getType()->isFPOrFPVectorTy() || input_.types.of(stored).kind == ByteKind::floating ||
           input_.types.of(update).kind == ByteKind::floating || carries_derivative(stored);
  }

  /// The final number has to be there in the reverse sweep: no other thread may still be in its forward sweep, and
  /// nothing may have overwritten it.
  Error check_choice(const Instruction &update) const {
    if (const Instruction *user =
            active_user_of_found(update, [&](const Instruction &value) { return carries_derivative(value); }))
      return unsupported(*user,
                         "the old value of an atomic update takes part in the derivative: it depends on the order of "
                         "the threads",
                         "use the value that all threads find behind a barrier");
    if (!is_in_shared_memory(*place_of(update)) && !input_.has_launch_for_each_sweep)
      return unsupported(update,
                         "the adjoint of an atomic maximum, minimum or swap in global memory needs the final number, "
                         "which other blocks may not have written yet",
                         "use the split form with a launch for each sweep, or reduce in shared memory");
    if (later_writer(update))
      return unsupported(update,
                         "the place of an atomic maximum, minimum or swap is written again later: its adjoint needs "
                         "the final number",
                         "use another place behind the barrier");
    return Error::success();
  }

  const AtomicUpdateInput &input_;
};

} // namespace

StringRef name_of(Form form) {
  switch (form) {
  case Form::sum:
    return "sum";
  case Form::difference:
    return "difference";
  case Form::exchange:
    return "exchange";
  case Form::choice:
    return "choice";
  }
  llvm_unreachable("unknown form of an atomic update");
}

Expected<AtomicUpdates> plan_atomic_updates(const AtomicUpdateInput &input) {
  AtomicUpdates result;
  const BlocksReachingReturn live(input.prepared);
  const UpdatePlanner planner(input);
  for (const BasicBlock &block : input.prepared) {
    if (!live.contains(&block))
      continue;
    for (const Instruction &instruction : block) {
      if (!planner.has_adjoint(instruction))
        continue;
      Expected<AtomicUpdate> update = planner.plan(instruction);
      if (!update)
        return update.takeError();
      result.updates_[&instruction] = *update;
    }
  }
  return result;
}

static StringRef adjoint_of(Form form) {
  switch (form) {
  case Form::sum:
  case Form::difference:
    return "reads the shadow";
  case Form::exchange:
    return "exchanges with the shadow";
  case Form::choice:
    return "takes the shadow where memory holds its number in the end";
  }
  llvm_unreachable("unknown form of an atomic update");
}

void AtomicUpdates::print(raw_ostream &out) const {
  for (const auto &[instruction, update] : updates_)
    out << "atomic " << name_of(update.form) << " of " << name_of(*update.number) << ", whose adjoint "
        << adjoint_of(update.form) << ": " << text_of(*instruction) << '\n';
}

} // namespace assay::engine
