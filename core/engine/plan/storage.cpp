#include "core/engine/plan/storage.hpp"
#include "core/engine/plan/min_cut.hpp"
#include "core/engine/plan/overlap_check.hpp"
#include "core/engine/plan/repeated_stores.hpp"
#include "core/engine/plan/undo.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// A store that is restored.
struct UndoChoice {
  Instruction *store = nullptr;
  /// When not empty, it is restored where its memory overlaps that of one of these loads, and for no others.
  SmallVector<const LoadInst *, 4> checked{};

  bool helps(const LoadInst &load) const { return checked.empty() || is_contained(checked, &load); }
};

class Planner {
public:
  /// Where `restored` is given, these stores are restored and no others; else the cut chooses.
  Planner(const StorageInput &input, OverlapChecks &checks, std::optional<ArrayRef<UndoChoice>> restored)
      : input_(input), checks_(checks), restored_(restored) {
    for (BasicBlock &block : input.sweep)
      if (isa<ReturnInst>(block.getTerminator()))
        exit_ = &block;
  }

  StoragePlan run() {
    collect();
    reject_late_reloads();
    cut();
    find_arguments_read();
    return std::move(plan_);
  }
  SmallVector<UndoChoice, 4> choices() { return std::move(choices_); }

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
    if (!input_.split && exit_ && !input_.loops.getLoopFor(value.getParent()) && is_there_at_exit(value))
      return Storage::direct;
    return std::nullopt;
  }

  /// The result of a call that throws is not there where its exception is handled.
  bool is_there_at_exit(const Instruction &value) const {
    return value.getParent() == exit_ || input_.dominators.dominates(&value, exit_);
  }

  std::optional<Storage> ways_to_recompute(const Instruction &value) const {
    if (const auto *phi = dyn_cast<PHINode>(&value)) {
      if (input_.control.closed_forms.contains(phi))
        return Storage::closed_form;
      return is_copy(*phi) ? std::optional(Storage::recompute) : std::nullopt;
    }
    if (const auto *load = dyn_cast<LoadInst>(&value))
      return is_repeatable(*load, input_.reload(*load)) ? std::optional(Storage::recompute) : std::nullopt;
    if (const auto *call = dyn_cast<CallBase>(&value); call && input_.may_call_again(*call))
      return Storage::recompute;
    if (isa<FreezeInst, LandingPadInst>(value) || value.isTerminator() || value.mayReadOrWriteMemory())
      return std::nullopt;
    if (const auto *call = dyn_cast<CallBase>(&value))
      return isa<IntrinsicInst>(call) && call->doesNotAccessMemory() && !input_.is_expensive(value)
                 ? std::optional(Storage::recompute)
                 : std::nullopt;
    if (const auto *extract = dyn_cast<ExtractValueInst>(&value);
        extract && isa<CallBase, LandingPadInst>(extract->getAggregateOperand()))
      return std::nullopt; // of a call's results and of a caught exception, only the parts that are needed are kept
    return Storage::recompute;
  }

  bool is_repeatable(const LoadInst &load, const Reload &reload) const {
    if (!reload.possible)
      return false;
    return !restored_ || all_of(reload.restored, [&](const Instruction *store) {
      return any_of(*restored_, [&](const UndoChoice &choice) { return choice.store == store && choice.helps(load); });
    });
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
    for (Value *value : input_.needed.values)
      visit(value);
    while (!pending.empty()) {
      Instruction *value = pending.pop_back_val();
      if (std::optional<Storage> storage = free_storage(*value)) {
        plan_.storage[value] = *storage;
        continue;
      }
      if (std::optional<Storage> storage = ways_to_recompute(*value)) {
        plan_.storage[value] = *storage;
        for (Value *operand : operands_for(*value, *storage)) {
          visit(operand);
          readers_[operand].push_back(value);
        }
      }
    }
  }

  // --- restored stores
  // -------------------------------------------------------------------------------------------------

  /// A load that is repeated where a store that it counts on to be restored is not restored yet would read what was
  /// stored.
  void reject_late_reloads() {
    UndoOrder order;
    for (Instruction *value : seen_) {
      const auto *load = dyn_cast<LoadInst>(value);
      if (!load || plan_.storage.lookup_or(load, Storage::tape) != Storage::recompute)
        continue;
      const SmallVector<Instruction *, 2> &restored = input_.reload(*load).restored;
      if (restored.empty())
        continue;
      const auto places = places_of(*load);
      const bool late = !places || any_of(*places, [&](const Instruction *place) {
        return any_of(restored, [&](const Instruction *store) { return order.comes_between(*load, *store, *place); });
      });
      if (late)
        plan_.storage.erase(load);
    }
  }

  /// Where the reverse sweep may repeat the load: the places of all that is computed from it. Nothing when they are
  /// many.
  std::optional<SmallPtrSet<const Instruction *, 16>> places_of(const LoadInst &load) const {
    constexpr unsigned most = 256;
    SmallPtrSet<const Instruction *, 16> places;
    SmallSetVector<const Value *, 16> values;
    values.insert(&load);
    for (unsigned index = 0; index < values.size(); ++index) {
      if (index == most)
        return std::nullopt;
      if (auto found = input_.needed.places.find(values[index]); found != input_.needed.places.end())
        places.insert(found->second.begin(), found->second.end());
      if (auto found = readers_.find(values[index]); found != readers_.end())
        values.insert(found->second.begin(), found->second.end());
    }
    return places;
  }

  /// To undo a store costs more than to keep a value: it is read before it is overwritten, and in the end all that was
  /// undone is done again.
  VertexCut::Capacity undo_cost(const Instruction &store) const {
    constexpr VertexCut::Capacity accesses = 4, filled = 16;
    if (const auto *single = dyn_cast<StoreInst>(&store))
      return accesses * cost_at(store, *single->getValueOperand()->getType());
    return accesses * filled * cost_at(store, *Type::getInt64Ty(store.getContext()));
  }

  /// To be ready to undo it, should memory overlap, costs next to nothing.
  VertexCut::Capacity check_cost(const Instruction &store) const {
    return cost_at(store, *Type::getInt8Ty(store.getContext()));
  }

  /// Loads hang on the vertex of a store, or, where a check can tell whether they overlap, on a second one behind it.
  struct UndoVertices {
    unsigned always = 0;
    std::optional<unsigned> checked{};
    OverlapChecks::Group group{}; ///< The loads behind the second one.
  };

  void add_restored_stores(VertexCut &graph, const DenseMap<const Instruction *, unsigned> &vertex) {
    for (Instruction *value : seen_) {
      const auto *load = dyn_cast<LoadInst>(value);
      if (!load || !vertex.contains(load) || !plan_.storage.contains(load))
        continue;
      for (Instruction *store : input_.reload(*load).restored)
        graph.add_edge(undo_vertex(graph, *store, *load), vertex.at(load));
    }
  }

  unsigned undo_vertex(VertexCut &graph, Instruction &store, const LoadInst &load) {
    constexpr std::size_t most_pieces = 8;
    auto [found, fresh] = undo_vertices_.try_emplace(&store);
    UndoVertices &vertices = found->second;
    const bool only_for_overlap = input_.is_only_for_overlap(store);
    if (fresh) {
      vertices.always = graph.add_vertex(only_for_overlap ? VertexCut::unlimited : undo_cost(store));
      graph.mark_source(vertices.always);
    }
    // On a device, values kept for a check are on a stack that grows: other stores are restored without one.
    if (is_device_code(store) && !only_for_overlap)
      return vertices.always;
    if (!checks_.join(vertices.group, load, store, most_pieces))
      return vertices.always;
    if (!vertices.checked) {
      vertices.checked = graph.add_vertex(check_cost(store));
      graph.add_edge(vertices.always, *vertices.checked);
    }
    return *vertices.checked;
  }

  void choose_restored(ArrayRef<unsigned> cut) {
    for (const auto &[store, vertices] : undo_vertices_) {
      if (is_contained(cut, vertices.always))
        choices_.push_back({store, {}});
      else if (vertices.checked && is_contained(cut, *vertices.checked))
        choices_.push_back({store, vertices.group.loads});
    }
  }

  // --- the cut -------------------------------------------------------------------------------------------------------

  /// Bytes of `type` as often as `place` runs.
  VertexCut::Capacity cost_at(const Instruction &place, Type &type) const {
    const DataLayout &layout = input_.sweep.getParent()->getDataLayout();
    const VertexCut::Capacity bytes = layout.getTypeStoreSize(&type).getKnownMinValue();
    VertexCut::Capacity frequency = 4;
    for (unsigned depth = std::min(input_.loops.getLoopDepth(place.getParent()), 8u); depth > 0; --depth)
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
        vertex[value] = graph.add_vertex(cost_at(*value, *value->getType()));
        values.push_back(value);
      }
    for (Instruction *value : values) {
      if (input_.needed.values.contains(value))
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
    if (!restored_)
      add_restored_stores(graph, vertex);
    SmallPtrSet<const Instruction *, 16> chosen;
    const std::vector<unsigned> cut = graph.solve();
    for (unsigned index : cut)
      if (index < values.size())
        chosen.insert(values[index]);
    choose_restored(cut);
    record(chosen);
  }

  void record(const SmallPtrSetImpl<const Instruction *> &chosen) {
    for (BasicBlock &block : input_.sweep)
      for (Instruction &instruction : block)
        if (chosen.contains(&instruction)) {
          plan_.storage[&instruction] = Storage::tape;
          plan_.kept.push_back({&instruction});
        }
  }

  /// Those that are needed, and those that needed values are computed from.
  void find_arguments_read() {
    plan_.arguments_read = input_.needed.arguments;
    SmallSetVector<const Value *, 32> read;
    for (const Value *value : input_.needed.values)
      read.insert(value);
    for (unsigned index = 0; index < read.size(); ++index) {
      const auto *instruction = dyn_cast<Instruction>(read[index]);
      if (const auto *argument = dyn_cast<Argument>(read[index]))
        plan_.arguments_read.insert(argument);
      if (!instruction)
        continue;
      const Storage storage = plan_.storage.lookup_or(instruction, Storage::tape);
      if (storage == Storage::recompute || storage == Storage::closed_form)
        for (const Value *operand : operands_for(*instruction, storage))
          read.insert(operand);
    }
  }

  const StorageInput &input_;
  OverlapChecks &checks_;
  std::optional<ArrayRef<UndoChoice>> restored_;
  const BasicBlock *exit_ = nullptr;
  SetVector<Instruction *> seen_;
  DenseMap<const Value *, SmallVector<const Value *, 4>> readers_; ///< What is computed again from a value.
  MapVector<Instruction *, UndoVertices> undo_vertices_;
  SmallVector<UndoChoice, 4> choices_;
  StoragePlan plan_;
};

} // namespace

StoragePlan plan_storage(const StorageInput &input) {
  OverlapChecks checks(input.control, input.loops, input.dominators, input.evolution);
  Planner first(input, checks, std::nullopt);
  StoragePlan plan = first.run();
  const SmallVector<UndoChoice, 4> choices = first.choices();
  if (choices.empty())
    return plan;
  // To undo a store, its address is needed as well, while the stored value is still there.
  Needs needed = input.needed;
  SmallVector<RestoredStore, 4> restored;
  SmallVector<OverlapCheck, 4> overlap_checks;
  for (const UndoChoice &choice : choices) {
    std::optional<unsigned> check;
    if (!choice.checked.empty()) {
      check = unsigned(overlap_checks.size());
      overlap_checks.push_back(checks.describe(*choice.store, choice.checked));
    } else if (isa<StoreInst>(choice.store)) {
      needed.add(const_cast<Value *>(written_pointer(*choice.store)), *choice.store->getNextNode());
    }
    restored.push_back({choice.store, check, choice.checked,
                        repeating_loops(*choice.store, input.control, input.loops, input.dominators, input.evolution)});
  }
  const StorageInput complete{
      input.sweep, needed,       input.control,      input.loops,          input.dominators,         input.evolution,
      input.split, input.reload, input.is_expensive, input.may_call_again, input.is_only_for_overlap};
  StoragePlan result = Planner(complete, checks, choices).run();
  result.restored = std::move(restored);
  result.overlap_checks = std::move(overlap_checks);
  return result;
}

} // namespace assay::engine
