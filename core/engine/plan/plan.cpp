#include "core/engine/plan/plan.hpp"
#include "core/engine/plan/min_cut.hpp"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace assay::engine {
namespace {

class Planner {
public:
  explicit Planner(const PlanInput &input) : input_(input) {
    for (BasicBlock &block : input.sweep)
      if (isa<ReturnInst>(block.getTerminator()))
        exit_ = &block;
  }

  Plan run() {
    collect();
    cut();
    return std::move(plan_);
  }

private:
  /// Values that reach the reverse sweep without any cost, and how; nothing for those that have to be chosen for.
  std::optional<Storage> free_storage(const Instruction &value) const {
    if (const auto *phi = dyn_cast<PHINode>(&value)) {
      const Loop *loop = input_.loops.getLoopFor(phi->getParent());
      if (auto found = input_.control.loops.find(loop);
          found != input_.control.loops.end() && found->second.iteration == phi)
        return Storage::iteration;
    }
    if (isa<AllocaInst>(value))
      return input_.split ? Storage::frame : Storage::direct;
    if (!input_.split && exit_ && !input_.loops.getLoopFor(value.getParent()) &&
        input_.dominators.dominates(value.getParent(), exit_))
      return Storage::direct;
    return std::nullopt;
  }

  std::optional<Storage> ways_to_recompute(const Instruction &value) const {
    if (const auto *phi = dyn_cast<PHINode>(&value)) {
      if (input_.control.closed_forms.contains(phi))
        return Storage::closed_form;
      return is_copy(*phi) ? std::optional(Storage::recompute) : std::nullopt;
    }
    if (const auto *load = dyn_cast<LoadInst>(&value))
      return input_.can_reload(*load) ? std::optional(Storage::recompute) : std::nullopt;
    if (isa<FreezeInst>(value) || value.isTerminator() || value.mayReadOrWriteMemory())
      return std::nullopt;
    if (const auto *call = dyn_cast<CallBase>(&value))
      return isa<IntrinsicInst>(call) && call->doesNotAccessMemory() && !input_.is_expensive(value)
                 ? std::optional(Storage::recompute)
                 : std::nullopt;
    if (const auto *extract = dyn_cast<ExtractValueInst>(&value);
        extract && isa<CallBase>(extract->getAggregateOperand()))
      return std::nullopt; // of a call's results only the parts that are needed are kept
    return Storage::recompute;
  }

  /// A phi of one predecessor whose value lives in the same loop is that value.
  bool is_copy(const PHINode &phi) const {
    if (phi.getNumIncomingValues() != 1)
      return false;
    const auto *source = dyn_cast<Instruction>(phi.getIncomingValue(0));
    return !source || input_.loops.getLoopFor(source->getParent()) == input_.loops.getLoopFor(phi.getParent());
  }

  SmallVector<Value *, 4> operands_for(const Instruction &value, Storage storage) const {
    if (storage == Storage::closed_form) {
      const ClosedForm &form = input_.control.closed_forms.at(cast<PHINode>(&value));
      return {form.start, form.step};
    }
    SmallVector<Value *, 4> operands;
    for (const Use &operand : value.operands())
      operands.push_back(operand.get());
    return operands;
  }

  /// Everything that the needed values can be computed from, back to where computing again stops.
  void collect() {
    SmallVector<Instruction *, 32> pending;
    const auto visit = [&](Value *value) {
      auto *instruction = dyn_cast<Instruction>(value);
      if (instruction && seen_.insert(instruction))
        pending.push_back(instruction);
    };
    for (Value *value : input_.needed)
      visit(value);
    while (!pending.empty()) {
      Instruction *value = pending.pop_back_val();
      if (std::optional<Storage> storage = free_storage(*value)) {
        plan_.storage[value] = *storage;
        continue;
      }
      if (std::optional<Storage> storage = ways_to_recompute(*value)) {
        plan_.storage[value] = *storage;
        for (Value *operand : operands_for(*value, *storage))
          visit(operand);
      }
    }
  }

  VertexCut::Capacity tape_cost(const Instruction &value) const {
    const DataLayout &layout = input_.sweep.getParent()->getDataLayout();
    const VertexCut::Capacity bytes = layout.getTypeStoreSize(value.getType()).getKnownMinValue();
    VertexCut::Capacity frequency = 4;
    for (unsigned depth = std::min(input_.loops.getLoopDepth(value.getParent()), 8u); depth > 0; --depth)
      frequency *= 16;
    return std::max<VertexCut::Capacity>(bytes, 1) * frequency;
  }

  bool is_free(const Instruction *value) const {
    auto found = plan_.storage.find(value);
    return found != plan_.storage.end() &&
           (found->second == Storage::direct || found->second == Storage::iteration || found->second == Storage::frame);
  }

  void cut() {
    VertexCut graph;
    DenseMap<const Instruction *, unsigned> vertex;
    SmallVector<Instruction *, 32> values;
    for (Instruction *value : seen_)
      if (!is_free(value)) {
        vertex[value] = graph.add_vertex(tape_cost(*value));
        values.push_back(value);
      }
    for (Instruction *value : values) {
      if (input_.needed.contains(value))
        graph.mark_sink(vertex[value]);
      auto storage = plan_.storage.find(value);
      if (storage == plan_.storage.end()) {
        graph.mark_source(vertex[value]);
        continue;
      }
      for (Value *operand : operands_for(*value, storage->second))
        if (auto *instruction = dyn_cast<Instruction>(operand); instruction && !is_free(instruction))
          graph.add_edge(vertex[instruction], vertex[value]);
    }
    SmallPtrSet<const Instruction *, 16> on_tape;
    for (unsigned index : graph.solve())
      on_tape.insert(values[index]);
    for (BasicBlock &block : input_.sweep)
      for (Instruction &instruction : block)
        if (on_tape.contains(&instruction)) {
          plan_.storage[&instruction] = Storage::tape;
          plan_.taped.push_back(&instruction);
        }
  }

  const PlanInput &input_;
  const BasicBlock *exit_ = nullptr;
  SetVector<Instruction *> seen_;
  Plan plan_;
};

StringRef name_of(Storage storage) {
  switch (storage) {
  case Storage::direct:
    return "direct";
  case Storage::recompute:
    return "recompute";
  case Storage::closed_form:
    return "closed form";
  case Storage::iteration:
    return "iteration";
  case Storage::frame:
    return "frame";
  case Storage::tape:
    return "tape";
  }
  llvm_unreachable("unknown storage");
}

} // namespace

Plan make_plan(const PlanInput &input) {
  return Planner(input).run();
}

void Plan::print(raw_ostream &out) const {
  SmallVector<std::pair<std::string, StringRef>, 16> lines;
  for (auto [value, how] : storage) {
    std::string text;
    raw_string_ostream stream(text);
    value->print(stream);
    lines.emplace_back(StringRef(text).trim().str(), name_of(how));
  }
  sort(lines);
  for (const auto &[text, how] : lines)
    out << how << ": " << text << '\n';
}

} // namespace assay::engine
