#include "core/engine/plan/memory_plan.hpp"
#include "core/engine/analysis/blocks_reaching_return.hpp"
#include "core/engine/plan/value_text.hpp"
#include "core/engine/prepare/stack_memory.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/support/memory_calls.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

class MemoryPlanner {
public:
  explicit MemoryPlanner(const MemoryPlanInput &input)
      : input_(input), late_(find_late_releases(input.prepared, input.function_info)) {}

  MemoryPlan run() {
    const BlocksReachingReturn live(input_.prepared);
    for (const BasicBlock &block : input_.prepared)
      if (live.contains(&block))
        for (const Instruction &instruction : block)
          if (const auto *call = dyn_cast<CallBase>(&instruction))
            visit(*call);
    return std::move(result_);
  }

private:
  void visit(const CallBase &call) {
    const MemoryCall memory = classify_memory_call(call, input_.function_info);
    if (memory.action == MemoryAction::allocate || memory.action == MemoryAction::allocate_zeroed)
      visit_allocation(call);
    else if (memory.action == MemoryAction::release)
      visit_release(call, *call.getArgOperand(memory.pointer));
  }

  /// Between two functions the order of allocations is not known to be kept.
  void visit_allocation(const CallBase &call) {
    const bool has_shadow = input_.activity.has_shadow(call);
    if (!late_.allocations.contains(&call) || !(has_shadow || is_stack_memory(call)))
      return;
    if (input_.keeps_address_log && has_shadow) { // Elsewhere the program's own releases tell when shadows are due.
      if (is_stack_memory(call))
        result_.released_late[&call] = MemorySource::lasting_heap;
      return;
    }
    const bool is_plain = !input_.split && !is_device_code(call) && is_plain_allocation(call, input_.function_info);
    result_.released_late[&call] = is_plain ? MemorySource::memory_stack : MemorySource::heap;
  }

  void visit_release(const CallBase &call, const Value &memory) {
    if (!input_.activity.has_shadow(memory) || isa<Constant>(memory))
      return;
    if (late_.dropped.contains(&call) && !input_.keeps_address_log)
      result_.left_out.insert(&call);
    else if (input_.tables.is_row(memory) && !input_.keeps_address_log && !is_device_code(call))
      result_.deferred_rows.insert(&call);
    else
      result_.deferred_frees.insert(&call);
  }

  const MemoryPlanInput &input_;
  LateReleases late_;
  MemoryPlan result_;
};

} // namespace

StringRef text_of(MemorySource source) {
  switch (source) {
  case MemorySource::memory_stack:
    return "by the reverse sweep, from the memory stack";
  case MemorySource::heap:
    return "by the reverse sweep, from the heap";
  case MemorySource::lasting_heap:
    return "when the whole gradient ends, from the heap";
  }
  llvm_unreachable("unknown source of memory");
}

MemoryPlan plan_memory(const MemoryPlanInput &input) {
  return MemoryPlanner(input).run();
}

void MemoryPlan::print(raw_ostream &out) const {
  for (const auto &[call, source] : released_late)
    out << "released " << text_of(source) << ": " << name_of(*call) << '\n';
  for (const CallBase *call : left_out)
    out << "release left out: " << text_of(*call) << '\n';
  for (const CallBase *call : deferred_frees)
    out << "release of shadows deferred: " << text_of(*call) << '\n';
  for (const CallBase *call : deferred_rows)
    out << "release of a row and its shadows deferred: " << text_of(*call) << '\n';
}

} // namespace assay::engine
