// The function and its derivatives with code that tells how they compute: operations counted, numbers probed,
// comparisons recorded.

#include "core/jit/entries.hpp"
#include "core/jit/operation_count.hpp"
#include "core/jit/program_state.hpp"
#include "core/trace/comparison_run.hpp"
#include "core/trace/run.hpp"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include <fmt/format.h>

namespace assay::jit {

std::variant<CountedFunction, NoDerivative> Program::State::compile_counted() {
  const std::string names[] = {primal_entry_name};
  std::unique_ptr<llvm::Module> module = copy_with_primal_entry();
  reached.drop_unreached(*module);
  CountedFunction counted;
  const auto add_counters = [&](llvm::Module &simplified) {
    counted.code_size = code_size(simplified);
    insert_operation_counters(simplified);
  };
  auto made = single(make(
      std::move(module),
      {.level = file.level(), .changes = {.simplified = add_counters}, .symbols = operation_count_symbols()}, names));
  if (auto *none = std::get_if<NoDerivative>(&made))
    return std::move(*none);
  counted.function = std::get<Entry>(made);
  return counted;
}

/// The function is called by its entry instead of becoming part of it.
static void keep_call_of(llvm::Function &checked) {
  for (llvm::User *user : checked.users())
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(user); call && call->getCalledOperand() == &checked)
      if (call->getFunction()->getName() == primal_entry_name)
        call->setIsNoInline();
}

/// Both in one module, so that they have the same probes.
std::variant<TracedDerivative, NoDerivative> Program::State::compile_traced(const Derivative &wanted) {
  const std::string names[] = {primal_entry_name, "assay_entry_derivative"};
  std::unique_ptr<llvm::Module> module = copy_with_primal_entry();
  llvm::Function &checked = reached.checked_function(*module);
  write_derivative_entry(checked, wanted, names[1]);
  keep_call_of(checked);
  reached.drop_unreached(*module);
  TracedDerivative traced;
  const auto add_probes = [&](llvm::Module &simplified) { traced.sites = trace::insert_probes(simplified); };
  auto made = make(std::move(module),
                   {.level = file.level(),
                    .test_hooks = interference.test_hooks,
                    .changes = {.simplified = add_probes},
                    .symbols = trace::runtime_symbols(),
                    .watches_heap = false},
                   names);
  if (auto *none = std::get_if<NoDerivative>(&made))
    return std::move(*none);
  const auto &entries = std::get<std::vector<Entry>>(made);
  traced.function = entries[0];
  traced.derivative = entries[1];
  return traced;
}

std::variant<RecordedComparisons, NoDerivative> Program::State::compile_recording(std::span<const Derivative> wanted) {
  std::vector<std::string> names = {primal_entry_name};
  std::unique_ptr<llvm::Module> module = copy_with_primal_entry();
  for (const Derivative &derivative : wanted) {
    names.push_back(fmt::format("assay_entry_{}", names.size()));
    write_derivative_entry(reached.checked_function(*module), derivative, names.back());
  }
  reached.drop_unreached(*module);
  RecordedComparisons recording;
  PipelineChanges changes;
  if (interference.simplified) { // Its changes are recorded as well.
    keep_call_of(reached.checked_function(*module));
    changes.simplified = [&](llvm::Module &simplified) {
      interference.simplified(simplified);
      recording.sites = trace::record_comparisons(simplified);
    };
  } else
    recording.sites = trace::record_comparisons(*module);
  auto made = make(std::move(module),
                   {.level = file.level(),
                    .test_hooks = interference.test_hooks,
                    .changes = changes,
                    .symbols = trace::comparison_symbols()},
                   names);
  if (auto *none = std::get_if<NoDerivative>(&made))
    return std::move(*none);
  auto &entries = std::get<std::vector<Entry>>(made);
  recording.function = entries.front();
  recording.derivatives.assign(entries.begin() + 1, entries.end());
  return recording;
}

} // namespace assay::jit
