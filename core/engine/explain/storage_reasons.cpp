#include "core/engine/explain/storage_reasons.hpp"
#include "core/engine/explain/loop_formulas.hpp"
#include "core/engine/rules/own_function.hpp"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include <deque>

using namespace llvm;

namespace assay::engine {
namespace {

std::string at_line(const Instruction &instruction) {
  const SourcePlace place = source_place(instruction);
  return place.line > 0 ? " at " + place_text(place) : "";
}

std::string loop_text(const Loop &loop) {
  const SourcePlace place = source_place(loop);
  return place.line > 0 ? "the loop at " + place_text(place) : "the loop";
}

std::string callee_text(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  if (callee && callee->isIntrinsic())
    return intrinsic_text(*callee);
  return callee ? short_name(*callee) : "a function pointer";
}

/// Of a function that the engine writes for its own use.
bool is_own(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee && callee->getName().starts_with("assay.");
}

} // namespace

SweepNames::SweepNames(const PlannedDerivative &derivative, const SourceNames &prepared_names)
    : names_(prepared_names), own_(derivative.sweep.function) {
  // All in the order of the program, so that the same program always gets the same words.
  for (const Argument &argument : derivative.sweep.prepared.args())
    note_copies(derivative.sweep, argument);
  for (const Instruction &instruction : instructions(derivative.sweep.prepared))
    note_copies(derivative.sweep, instruction);
  note_control(derivative);
}

void SweepNames::note_copies(const ForwardSweep &sweep, const Value &value) {
  if (const Value *copy = sweep.primal(&value); copy && !isa<Constant>(copy))
    prepared_.try_emplace(copy, &value);
  if (const auto lanes = sweep.shadows.find(&value); lanes != sweep.shadows.end())
    for (const Value *shadow : lanes->second)
      if (isa<Instruction>(shadow))
        shadows_.try_emplace(shadow, "the shadow of " + names_.text(value));
  const auto *call = dyn_cast<CallBase>(&value);
  if (const auto record = call ? sweep.calls.find(call) : sweep.calls.end();
      record != sweep.calls.end() && record->second.tape)
    tapes_.try_emplace(record->second.tape, call);
}

void SweepNames::note_control(const PlannedDerivative &derivative) {
  for (const BasicBlock &block : derivative.sweep.function)
    if (const auto join = derivative.control.joins.find(&block);
        join != derivative.control.joins.end() && join->second.selector)
      control_.try_emplace(join->second.selector,
                           "the branch that was taken" + SourceNames::line_text(source_place(block.front())));
  for (const Loop *loop : derivative.analyses.getResult<LoopAnalysis>(derivative.sweep.function).getLoopsInPreorder()) {
    const auto found = derivative.control.loops.find(loop);
    if (found == derivative.control.loops.end())
      continue;
    const LoopRecord &record = found->second;
    const std::string count = "how often " + loop_text(*loop) + " ran";
    if (record.count)
      control_.try_emplace(record.count, count);
    for (const auto &[exit, value] : record.count_at_exit)
      control_.try_emplace(value, count);
    control_.try_emplace(record.iteration, "the iteration of " + loop_text(*loop));
  }
}

std::string SweepNames::text(const Value &value) const {
  if (const auto found = control_.find(&value); found != control_.end() && !prepared_.contains(&value))
    return found->second;
  if (const CallBase *call = tapes_.lookup(&value))
    return "the tape of " + names_.text(*call);
  if (const Value *original = prepared_.lookup(&value))
    return names_.text(*original);
  if (const auto found = shadows_.find(&value); found != shadows_.end())
    return found->second;
  return own_.text(value);
}

std::string SweepNames::definition(const Value &value) const {
  const Value *original = prepared_.lookup(&value);
  return original ? names_.definition(*original) : text(value);
}

std::string SweepNames::symbol(const Value &value) const {
  const Value *original = prepared_.lookup(&value);
  if (std::string name = original ? names_.variable(*original) : own_.variable(value); !name.empty())
    return name;
  std::string name = original ? names_.text(*original) : own_.text(value);
  const bool is_expression = StringRef(name).find("...") == StringRef::npos && !StringRef(name).starts_with("a ");
  return !is_expression ? std::string() : StringRef(name).contains(' ') ? "(" + name + ")" : name;
}

StorageReasons::StorageReasons(const PlannedDerivative &derivative, const SweepNames &names)
    : derivative_(derivative), names_(names),
      loops_(derivative.analyses.getResult<LoopAnalysis>(derivative.sweep.function)) {}

std::string StorageReasons::reason(const Instruction &value, Storage storage) const {
  switch (storage) {
  case Storage::direct:
    return "computed once, in the same function as the reverse sweep";
  case Storage::frame:
    return "its memory lies in the frame that both sweeps share";
  case Storage::iteration:
    return "the reverse loop counts by itself";
  case Storage::closed_form:
    return "it grows by the same step in each iteration";
  case Storage::tape:
    return why_taped(value);
  case Storage::recompute:
    break;
  }
  const auto *load = dyn_cast<LoadInst>(&value);
  if (!load)
    return "to compute it again costs less than to keep it";
  const Reload &reload = derivative_.reloads.find(*load);
  if (reload.restored.empty())
    return "nothing overwrites its memory before it is read again";
  const Instruction &writer = *reload.restored.front();
  if (overlap_of(writer, *load, derivative_.plan.restored))
    return "nothing overwrites its memory before it is read again, unless a test finds that " + writer_text(writer) +
           " does: then that is restored on the way back";
  return writer_text(writer) + " overwrites its memory, and is restored on the way back";
}

std::string StorageReasons::reason(const RestoredStore &store) const {
  const Loop *loop = loops_.getLoopFor(store.store->getParent());
  std::string text = "what it overwrites is put back on the way back, so that ";
  std::string loads;
  unsigned count = 0;
  for (const Instruction &instruction : instructions(derivative_.sweep.function)) {
    const auto *load = dyn_cast<LoadInst>(&instruction);
    if (!load || derivative_.plan.storage.lookup_or(load, Storage::tape) != Storage::recompute ||
        !is_contained(derivative_.reloads.find(*load).restored, store.store))
      continue;
    if (count++ == 0)
      loads = names_.text(*load) + at_line(*load);
  }
  text += count == 0 ? "loads" : loads;
  if (count > 1)
    text += " and " + std::to_string(count - 1) + " more";
  text += " can be read again";
  if (store.check)
    text += "; only where a test finds that their memory overlaps";
  if (loop && !store.repeating.empty())
    text += "; each iteration of " + loop_text(*store.repeating.front()) + " overwrites the same memory";
  if (store.redo != Redo::none)
    text += "; what the program stored is put there again in the end";
  return text;
}

std::string StorageReasons::why_taped(const Instruction &value) const {
  if (const CallBase *call = names_.tape_of(value))
    return "the derivative of " + callee_text(*call) + " keeps a tape of its own, to which this leads";
  if (const auto *phi = dyn_cast<PHINode>(&value))
    return why_phi_is_taped(*phi);
  if (const auto *load = dyn_cast<LoadInst>(&value))
    return why_load_is_taped(*load);
  if (const auto *call = dyn_cast<CallBase>(&value))
    return why_call_is_taped(*call);
  if (const auto *extract = dyn_cast<ExtractValueInst>(&value))
    if (const auto *call = dyn_cast<CallBase>(extract->getAggregateOperand()))
      return why_call_is_taped(*call);
  if (isa<FreezeInst>(value))
    return "it may be another value each time that it is computed";
  if (value.mayReadOrWriteMemory())
    return "it changes memory: it cannot run twice";
  if (derivative_.is_expensive(value))
    return "to compute it again costs more than to keep it";
  return "it is less to keep than what it is computed from";
}

std::string StorageReasons::why_phi_is_taped(const PHINode &phi) const {
  const Loop *loop = loops_.getLoopFor(phi.getParent());
  if (loop && loop->getHeader() == phi.getParent())
    return "each iteration of " + loop_text(*loop) + " computes it from the one before, by no fixed step";
  if (names_.is_control(phi))
    return "the reverse sweep has to go back the same way";
  if (phi.getNumIncomingValues() == 1)
    if (const auto *inside = dyn_cast<Instruction>(phi.getIncomingValue(0)))
      if (const Loop *left = loops_.getLoopFor(inside->getParent()))
        return "it is the last value that " + loop_text(*left) + " computed";
  return "it depends on the branch that was taken";
}

std::string StorageReasons::writer_text(const Instruction &writer) const {
  if (isa<StoreInst>(writer))
    return "the store" + at_line(writer);
  if (isa<MemIntrinsic>(writer))
    return "the copy or fill" + at_line(writer);
  if (const auto *call = dyn_cast<CallBase>(&writer); call && is_own(*call))
    return (call->getCalledFunction()->getName().starts_with(list_prefix) ? "the release of memory"
                                                                          : "what reverse mode adds") +
           at_line(writer);
  if (const auto *call = dyn_cast<CallBase>(&writer))
    return "the call of " + callee_text(*call) + at_line(writer);
  return "an operation" + at_line(writer);
}

/// The first in the order of the function that can run behind the load and may write to its memory.
const Instruction *StorageReasons::writer_after(const LoadInst &load) const {
  const DominatorTree &dominators = derivative_.analyses.getResult<DominatorTreeAnalysis>(derivative_.sweep.function);
  const Instruction *from_call = nullptr;
  for (const Instruction &writer : instructions(derivative_.sweep.function)) {
    if (!writer.mayWriteToMemory() || !derivative_.reloads.may_write(writer, load) ||
        !isPotentiallyReachable(&load, &writer, nullptr, &dominators, &loops_))
      continue;
    if (isa<StoreInst, MemIntrinsic>(writer))
      return &writer;
    if (!from_call && isa<CallBase>(writer) && !isa<IntrinsicInst>(writer))
      from_call = &writer;
  }
  return from_call;
}

std::string StorageReasons::why_load_is_taped(const LoadInst &load) const {
  if (derivative_.sweep.passing_addresses.contains(&load))
    return "its place may hold a number at other times, and then an adjoint stands there";
  if (!load.isSimple())
    return "it is volatile or atomic: it cannot run twice";
  const Reload &reload = derivative_.reloads.find(load);
  if (reload.possible && reload.restored.empty())
    return "it is less to keep than what its address is computed from";
  if (reload.possible)
    return writer_text(*reload.restored.front()) +
           " overwrites its memory, and to undo that would cost more than to keep the value";
  if (const Instruction *writer = writer_after(load))
    return writer_text(*writer) + " may overwrite its memory before the reverse sweep reads it";
  return derivative_.sweep.split ? "the caller may change its memory between the two sweeps"
                                 : "its memory may change before the reverse sweep reads it";
}

std::string StorageReasons::why_call_is_taped(const CallBase &call) const {
  if (derivative_.is_expensive(call))
    return "to compute " + callee_text(call) + " again costs more than to keep its result";
  if (isa<IntrinsicInst>(call) && call.doesNotAccessMemory())
    return "it is less to keep than what it is computed from";
  if (is_own(call))
    return "it is where memory lies that is allocated once";
  return "it is the result of " + callee_text(call) + ", which is called once only";
}

/// Breadth first over what is computed again from the value, to the nearest that is read itself.
std::vector<ExplainedStep> StorageReasons::needed_for(const Value &value) const {
  DenseMap<const Value *, const Value *> before{{&value, nullptr}};
  std::deque<const Value *> queue{&value};
  while (!queue.empty()) {
    const Value *at = queue.front();
    queue.pop_front();
    const auto found = derivative_.needed.places.find(at);
    if (found == derivative_.needed.places.end()) {
      for (const User *user : at->users())
        if (const auto storage = derivative_.plan.storage.find(user);
            storage != derivative_.plan.storage.end() &&
            (storage->second == Storage::recompute || storage->second == Storage::closed_form) &&
            before.try_emplace(user, at).second)
          queue.push_back(user);
      continue;
    }
    SmallVector<const Value *, 4> way;
    for (const Value *step = at; step != &value; step = before.lookup(step))
      way.push_back(step);
    std::vector<ExplainedStep> steps;
    for (const Value *step : reverse(way))
      steps.push_back({"to compute " + names_.text(*step) + " again", source_place(*cast<Instruction>(step))});
    const Instruction &place = *found->second.front();
    if (names_.is_control(*at))
      steps.push_back({"to run back through the same control flow", source_place(place)});
    else if (place.isTerminator() || isa<PHINode>(place))
      steps.push_back({"for the derivatives of the code there", source_place(place)});
    else if (isa<StoreInst>(place))
      steps.push_back({"for the adjoint of what is stored", source_place(place)});
    else
      steps.push_back({"for the derivative of " + names_.definition(place), source_place(place)});
    return steps;
  }
  return {};
}

} // namespace assay::engine
