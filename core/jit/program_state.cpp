#include "core/jit/program_state.hpp"

#include "core/jit/bad_request.hpp"
#include "core/jit/bounds_checks.hpp"
#include "core/jit/code_generator.hpp"
#include "core/jit/derivative_function.hpp"
#include "core/jit/device_pipeline.hpp"
#include "core/jit/entries.hpp"
#include "core/jit/fortran_runtime.hpp"
#include "core/jit/function_names.hpp"
#include "core/jit/heap_watch.hpp"
#include "core/jit/launched_kernels.hpp"
#include "core/jit/nearest_rounding.hpp"
#include "core/jit/registered_rules.hpp"
#include "gpu/runtime/symbols.hpp"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Module.h"
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>

namespace assay::jit {

std::string joined(const std::vector<std::string> &lines) {
  return fmt::format("{}", fmt::join(lines, "\n"));
}

std::variant<Entry, NoDerivative> single(std::variant<std::vector<Entry>, NoDerivative> entries) {
  if (auto *none = std::get_if<NoDerivative>(&entries))
    return std::move(*none);
  return std::get<std::vector<Entry>>(entries).front();
}

Program::State::State(const ModuleFile &file, const FunctionSignature &function, Repetition repetition,
                      LeftOut left_out, const std::optional<Derivative> &derivative)
    : file(file), signature(derivative ? signature_of_derivative(function, *derivative) : function),
      repetition(repetition), left_out(std::move(left_out)), machine(target_machine(file.module())),
      reached(file, function, derivative, this->left_out.tables, *machine), own_variables(reached.own_variables()),
      loaded(file, repetition), primal(compile_primal()) {}

/// What emulated code of kernels calls.
static NamedFunctions runtime_of_kernels() {
  static const std::vector<gpu::Symbol> all = gpu::runtime_symbols();
  NamedFunctions symbols;
  for (const gpu::Symbol &symbol : all)
    symbols.emplace_back(symbol.name, symbol.address);
  return symbols;
}

std::vector<std::string> Program::State::optimise(llvm::Module &module, const Treatment &treatment,
                                                  std::span<const std::string> entries) {
  if (file.kernels())
    return optimise_with_kernels(module, treatment);
  if (!signature.launch)
    return run_pipeline(module, *machine, treatment.level, treatment.test_hooks, treatment.changes);
  return run_device_pipeline(module, *machine, treatment.level, treatment.test_hooks, treatment.changes,
                             {signature.name, *signature.launch, entries, treatment.access_log});
}

std::vector<std::string> Program::State::optimise_with_kernels(llvm::Module &module, const Treatment &treatment) {
  std::vector<std::string> refusals;
  PipelineChanges changes = treatment.changes;
  changes.differentiated = [&](llvm::Module &differentiated) {
    try {
      add_launched_kernels(differentiated, *file.kernels(),
                           treatment.access_log == gpu::AccessLog::absent ? gpu::AccessLog::absent
                                                                          : gpu::AccessLog::for_a_watch);
    } catch (const gpu::NotEmulated &refusal) {
      refusals.emplace_back(refusal.what());
      return;
    }
    if (treatment.changes.differentiated)
      treatment.changes.differentiated(differentiated);
  };
  std::vector<std::string> errors = run_pipeline(module, *machine, treatment.level, treatment.test_hooks, changes);
  std::ranges::move(refusals, std::back_inserter(errors));
  return errors;
}

Program::State::Treatment Program::State::with_bounds_checks(Treatment treatment) {
  treatment.changes.differentiated = [change = treatment.changes.differentiated](llvm::Module &module) {
    if (change)
      change(module);
    add_bounds_checks(module);
  };
  return treatment;
}

std::variant<std::vector<Entry>, NoDerivative> Program::State::make(std::unique_ptr<llvm::Module> module,
                                                                    const Treatment &treatment,
                                                                    std::span<const std::string> entries) {
  const bool has_rules = !runs_kernels() && !registered_rules(file.module(), signature.linkage_name).empty();
  const std::vector<std::string> errors =
      optimise(*module, has_rules ? with_bounds_checks(treatment) : treatment, entries);
  if (!errors.empty())
    return NoDerivative{joined(errors)};
  if (treatment.repetition == Repetition::little)
    mark_as_run_little(*module);
  llvm::StripDebugInfo(*module); // The engine has used it for its reports; nobody steps through machine code.
  keep_nearest_rounding(*module);
  NamedFunctions symbols = treatment.symbols;
  if (has_rules)
    std::ranges::copy(bounds_check_symbols(), std::back_inserter(symbols));
  std::ranges::copy(nearest_rounding_symbols(), std::back_inserter(symbols));
  if (signature.launch)
    std::ranges::copy(runtime_of_kernels(), std::back_inserter(symbols));
  std::ranges::copy(treatment.watches_heap ? watched_heap(*module) : limited_heap(*module),
                    std::back_inserter(symbols));
  return loaded.load(std::move(module), symbols, entries, reached.module(), own_variables);
}

std::unique_ptr<llvm::Module> Program::State::copy_with_primal_entry() const {
  std::unique_ptr<llvm::Module> module = reached.copy();
  write_primal_entry(reached.checked_function(*module), primal_entry_name);
  return module;
}

std::unique_ptr<llvm::Module> Program::State::copy_with_derivative_entry(const Derivative &wanted,
                                                                         llvm::StringRef name) const {
  std::unique_ptr<llvm::Module> module = reached.copy();
  write_derivative_entry(reached.checked_function(*module), wanted, name);
  reached.drop_unreached(*module);
  return module;
}

/// The JIT lists the symbols in brackets.
static std::string why_it_does_not_link(const std::string &failure) {
  constexpr std::string_view missing = "Symbols not found: [";
  if (!failure.starts_with(missing) || !failure.ends_with(']'))
    return failure;
  std::istringstream symbols(failure.substr(missing.size(), failure.size() - missing.size() - 1));
  std::vector<std::string> names;
  for (std::string symbol; std::getline(symbols, symbol, ',');)
    names.push_back(readable_name(llvm::StringRef(symbol).trim().str()));
  const bool is_of_fortran =
      std::ranges::all_of(names, [](const std::string &name) { return name.starts_with(fortran_runtime_prefix); });
  if (is_of_fortran)
    return fmt::format("{} {} of flang's run-time library, which was not found; install it: apt-get install "
                       "libflang-{}-dev",
                       fmt::join(names, ", "), names.size() == 1 ? "is" : "are", LLVM_VERSION_MAJOR);
  return fmt::format("{} {} declared and defined nowhere; give the source, bitcode or library with --with FILE",
                     fmt::join(names, ", "), names.size() == 1 ? "is" : "are");
}

Entry Program::State::compile_primal() {
  std::unique_ptr<llvm::Module> module = copy_with_primal_entry();
  reached.drop_unreached(*module);
  const std::string names[] = {primal_entry_name};
  const std::vector<std::string> errors = optimise(*module, {.level = file.level()}, names);
  if (!errors.empty())
    throw BadRequest(fmt::format("{} does not compile: {}", signature.name, errors.front()), joined(errors));
  for (std::string &variable : variables_of_kernels(*module))
    own_variables[variable] = Access::written;
  NamedFunctions symbols = watched_heap(*module);
  if (signature.launch)
    std::ranges::copy(runtime_of_kernels(), std::back_inserter(symbols));
  auto entry = single(loaded.load(std::move(module), symbols, names, reached.module(), own_variables));
  if (const auto *none = std::get_if<NoDerivative>(&entry))
    throw BadRequest(fmt::format("{} does not link: {}", signature.name, why_it_does_not_link(none->message)));
  return std::get<Entry>(entry);
}

/// Those that the module calls and does not define.
static NamedFunctions missing_in(const llvm::Module &module, NamedFunctions symbols) {
  std::erase_if(symbols, [&](const NamedFunction &symbol) {
    const llvm::Function *function = module.getFunction(symbol.first);
    return !function || !function->isDeclaration();
  });
  return symbols;
}

NamedFunctions Program::State::watched_heap(const llvm::Module &module) {
  return missing_in(module, heap_symbols());
}

NamedFunctions Program::State::limited_heap(const llvm::Module &module) {
  return missing_in(module, limited_heap_symbols());
}

} // namespace assay::jit
