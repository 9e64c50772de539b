// Derivatives as machine code. Where the engine refuses one of many, they are compiled again one by one, so that the
// message belongs to the derivative that it is about.

#include "core/jit/effort.hpp"
#include "core/jit/entries.hpp"
#include "core/jit/program_state.hpp"
#include "core/jit/yield_points.hpp"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Module.h"
#include <fmt/format.h>

namespace assay::jit {

namespace {

std::vector<std::string> numbered_entries(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t index = 0; index < count; ++index)
    names.push_back(fmt::format("assay_entry_{}", index));
  return names;
}

void limit_effort_for(llvm::Module &module, std::span<const Derivative> derivatives,
                      std::span<const std::string> names) {
  const std::vector<bool> is_optimised = choose_optimised(derivatives);
  llvm::SmallPtrSet<const llvm::Function *, 16> entries;
  for (std::size_t index = 0; index < derivatives.size(); ++index)
    if (is_optimised[index])
      entries.insert(module.getFunction(names[index]));
  limit_effort(module, [&](const llvm::Function &function) { return entries.contains(&function); });
}

} // namespace

std::optional<NoDerivative> Program::State::compile_together(std::span<const Derivative> wanted) {
  std::unique_ptr<llvm::Module> module = reached.copy();
  const std::vector<std::string> names = numbered_entries(wanted.size());
  for (std::size_t index = 0; index < wanted.size(); ++index)
    leave_as_it_is(*write_derivative_entry(reached.checked_function(*module), wanted[index], names[index]));
  reached.drop_unreached(*module);
  PipelineChanges changes{interference.simplified, interference.differentiated, interference.compiled};
  if (repetition == Repetition::little)
    changes.differentiated = [&](llvm::Module &differentiated) {
      if (interference.differentiated)
        interference.differentiated(differentiated);
      limit_effort_for(differentiated, wanted, names);
    };
  auto made = make(std::move(module), {file.level(), interference.test_hooks, changes}, names);
  if (auto *none = std::get_if<NoDerivative>(&made))
    return std::move(*none);
  for (std::size_t index = 0; index < wanted.size(); ++index)
    derivatives.insert_or_assign(wanted[index], std::get<std::vector<Entry>>(made)[index]);
  compiled_alike.insert(wanted.begin(), wanted.end());
  return std::nullopt;
}

/// Two threads may meet at every access that the source has, so none of them is optimised away.
Program::State::Compiled Program::State::compile_interruptible(const Derivative &wanted) {
  const std::string names[] = {"assay_entry_interruptible"};
  if (signature.launch)
    return NoDerivative{"it is a kernel"};
  if (reached.module().getFunction("__cxa_thread_atexit"))
    return NoDerivative{"it has objects of threads"};
  return single(make(copy_with_derivative_entry(wanted, names[0]),
                     {.level = OptimizationLevel::none,
                      .test_hooks = interference.test_hooks,
                      .changes = {.differentiated = insert_yield_points},
                      .symbols = yield_symbols()},
                     names));
}

namespace {

/// The access log takes longer than the code around it.
PipelineChanges without_optimisation(const Interference &interference) {
  return {.simplified = interference.simplified, .differentiated = [&](llvm::Module &differentiated) {
            if (interference.differentiated)
              interference.differentiated(differentiated);
            leave_as_it_is(differentiated);
          }};
}

} // namespace

Program::State::Compiled Program::State::compile_watched() {
  if (!runs_kernels())
    return NoDerivative{"it runs no kernels"};
  const std::string names[] = {primal_entry_name};
  std::unique_ptr<llvm::Module> module = copy_with_primal_entry();
  reached.drop_unreached(*module);
  const Interference nothing;
  return single(make(std::move(module),
                     {.level = file.level(),
                      .changes = without_optimisation(nothing),
                      .access_log = gpu::AccessLog::present,
                      .repetition = Repetition::little},
                     names));
}

Program::State::Compiled Program::State::compile_watched(const Derivative &wanted) {
  if (!signature.launch)
    return NoDerivative{"it is not a kernel"};
  const std::string names[] = {"assay_entry_watched"};
  return single(make(copy_with_derivative_entry(wanted, names[0]),
                     {.level = file.level(),
                      .test_hooks = interference.test_hooks,
                      .changes = without_optimisation(interference),
                      .access_log = gpu::AccessLog::present,
                      .repetition = Repetition::little},
                     names));
}

} // namespace assay::jit
