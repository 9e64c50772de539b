#include "core/engine/explain/explain_plan.hpp"
#include "core/engine/explain/explain_sums.hpp"
#include "core/engine/explain/ir_text.hpp"
#include "core/engine/explain/loop_formulas.hpp"
#include "core/engine/explain/storage_reasons.hpp"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace assay::engine {
namespace {

ExplainedStorage explained(Storage storage) {
  switch (storage) {
  case Storage::direct:
    return ExplainedStorage::direct;
  case Storage::recompute:
    return ExplainedStorage::recompute;
  case Storage::closed_form:
    return ExplainedStorage::closed_form;
  case Storage::iteration:
    return ExplainedStorage::iteration;
  case Storage::frame:
    return ExplainedStorage::frame;
  case Storage::tape:
    return ExplainedStorage::tape;
  }
  return ExplainedStorage::unread;
}

class PlanExplainer {
public:
  PlanExplainer(const PlannedDerivative &derivative, const SourceNames &names, const ValueIndex &index,
                Explanation &explanation)
      : derivative_(derivative), names_(derivative, names), ir_text_(derivative.sweep.function),
        reasons_(derivative, names_), index_(index), explanation_(explanation),
        loops_(derivative.analyses.getResult<LoopAnalysis>(derivative.sweep.function)),
        layout_(derivative.sweep.function.getDataLayout()),
        symbol_([this](const Value &value) { return names_.symbol(value); }),
        formulas_(derivative.control, derivative.analyses.getResult<ScalarEvolutionAnalysis>(derivative.sweep.function),
                  symbol_) {}

  void run() {
    for (const Instruction &instruction : instructions(derivative_.sweep.function)) {
      if (const auto found = derivative_.plan.storage.find(&instruction); found != derivative_.plan.storage.end())
        add_value(instruction, found->second);
      for (const RestoredStore &store : derivative_.plan.restored)
        if (store.store == &instruction)
          add_store(store);
    }
    for (ExplainedLoop &loop : explanation_.loops)
      explanation_.tape = explanation_.tape + loop.tape;
    explanation_.tape = explanation_.tape + Formula(static_cast<std::int64_t>(explanation_.bytes_once));
    explanation_.is_planned = true;
    note_called_tapes();
  }

private:
  /// Each function once.
  void note_called_tapes() {
    for (const Instruction &instruction : instructions(derivative_.sweep.prepared)) {
      const auto *call = dyn_cast<CallBase>(&instruction);
      const auto record = call ? derivative_.sweep.calls.find(call) : derivative_.sweep.calls.end();
      if (record == derivative_.sweep.calls.end() || !record->second.tape || !call->getCalledFunction())
        continue;
      std::string name = short_name(*call->getCalledFunction());
      if (!is_contained(explanation_.called_tapes, name))
        explanation_.called_tapes.push_back(std::move(name));
    }
  }

  /// That of the prepared value, or a new one for what reverse mode added.
  ExplainedValue &explained_of(const Instruction &instruction) {
    const Value *prepared = names_.prepared(instruction);
    if (const auto found = prepared ? index_.find(prepared) : index_.end(); found != index_.end())
      return explanation_.values[found->second];
    ExplainedValue added;
    added.name = names_.text(instruction);
    added.ir = ir_text_(instruction);
    added.place = source_place(instruction);
    added.activity_reason = "added by reverse mode";
    explanation_.values.push_back(std::move(added));
    return explanation_.values.back();
  }

  void add_value(const Instruction &instruction, Storage storage) {
    ExplainedValue &value = explained_of(instruction);
    value.storage = explained(storage);
    value.storage_reason = reasons_.reason(instruction, storage);
    value.needed_for = reasons_.needed_for(instruction);
    value.loop = loop_of(instruction);
    if (storage != Storage::tape)
      return;
    value.bytes = layout_.getTypeAllocSize(instruction.getType());
    add_bytes(value.bytes, instruction);
  }

  void add_store(const RestoredStore &restored) {
    const auto *store = dyn_cast<StoreInst>(restored.store);
    ExplainedValue value;
    value.name = store ? "what is overwritten by " + names_.text(*store->getValueOperand()) : "what a copy overwrites";
    value.ir = ir_text_(*restored.store);
    value.place = source_place(*restored.store);
    value.type = "";
    value.storage = ExplainedStorage::restored;
    value.storage_reason = reasons_.reason(restored);
    value.loop = loop_of(*restored.store);
    value.activity_reason = "a store";
    if (!restored.is_kept_on_stack()) {
      value.bytes = layout_.getTypeAllocSize(store->getValueOperand()->getType());
      add_bytes(value.bytes, *store);
    }
    explanation_.values.push_back(std::move(value));
  }

  void add_bytes(std::uint64_t bytes, const Instruction &place) {
    const Loop *loop = loops_.getLoopFor(place.getParent());
    if (!loop) {
      explanation_.bytes_once += bytes;
      return;
    }
    ExplainedLoop &entry = explanation_.loops[*loop_of(place)];
    entry.bytes += bytes;
    entry.tape = formulas_.total(entry.bytes, loop);
  }

  std::optional<std::size_t> loop_of(const Instruction &instruction) {
    const Loop *loop = loops_.getLoopFor(instruction.getParent());
    return loop ? std::optional(index_of(*loop)) : std::nullopt;
  }

  std::size_t index_of(const Loop &loop) {
    if (const auto found = loop_index_.find(&loop); found != loop_index_.end())
      return found->second;
    ExplainedLoop entry;
    if (const Loop *parent = loop.getParentLoop())
      entry.parent = index_of(*parent);
    entry.place = source_place(loop);
    entry.counter = formulas_.counter(loop);
    const std::optional<Formula> often = formulas_.iterations(loop);
    entry.iterations = often.value_or(Formula::symbol(LoopFormulas::iterations_text(loop)));
    const auto record = derivative_.control.loops.find(&loop);
    const bool is_counted = record != derivative_.control.loops.end() && record->second.count;
    entry.kind = is_counted ? "known when the loop begins" : "growing: how often the loop runs is not known before";
    explanation_.loops.push_back(std::move(entry));
    loop_index_[&loop] = explanation_.loops.size() - 1;
    return explanation_.loops.size() - 1;
  }

  const PlannedDerivative &derivative_;
  SweepNames names_;
  IrText ir_text_;
  StorageReasons reasons_;
  const ValueIndex &index_;
  Explanation &explanation_;
  const LoopInfo &loops_;
  const DataLayout &layout_;
  std::function<std::string(const Value &)> symbol_;
  LoopFormulas formulas_;
  DenseMap<const Loop *, std::size_t> loop_index_;
};

} // namespace

void explain_plan(const PlannedDerivative &derivative, const SourceNames &names, const ValueIndex &index,
                  Explanation &explanation) {
  PlanExplainer(derivative, names, index, explanation).run();
  explanation.sums = explain_sums(derivative, names);
}

} // namespace assay::engine
