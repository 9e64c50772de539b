// The requests that a program answers; its code is made as program_state.hpp says.

#include "core/jit/program.hpp"

#include "core/engine/support/device_target.hpp"

#include "core/jit/derivative_function.hpp"
#include "core/jit/program_state.hpp"
#include "core/jit/source_names.hpp"
#include "gpu/runtime/host_entry.hpp"
#include "llvm/IR/Module.h"
#include <algorithm>
#include <iterator>

namespace assay::jit {

Program::Program(const ModuleFile &file, const FunctionSignature &function, Repetition repetition, LeftOut left_out)
    : state_(std::make_unique<State>(file, function, repetition, std::move(left_out))) {}

Program::Program(const ModuleFile &file, const FunctionSignature &function, const Derivative &derivative,
                 LeftOut left_out)
    : state_(std::make_unique<State>(file, function, Repetition::little, std::move(left_out), derivative)) {}

Program::~Program() = default;
Program::Program(Program &&) noexcept = default;

Entry Program::function() const {
  return state_->primal;
}

/// The code of a derivative, which `compile` makes at the first call.
static std::variant<Entry, NoDerivative>
compiled_once(std::map<Derivative, std::variant<Entry, NoDerivative>> &compiled, const Derivative &derivative,
              llvm::function_ref<std::variant<Entry, NoDerivative>()> compile) {
  const auto known = compiled.find(derivative);
  return known != compiled.end() ? known->second : compiled.insert_or_assign(derivative, compile()).first->second;
}

std::variant<Entry, NoDerivative> Program::widened() {
  if (!state_->widened)
    state_->widened = state_->compile_widened(widen::TwinKind::movement);
  return *state_->widened;
}

std::variant<Entry, NoDerivative> Program::corrected() {
  if (!state_->corrected)
    state_->corrected = state_->compile_widened(widen::TwinKind::correction);
  return *state_->corrected;
}

std::variant<Entry, NoDerivative> Program::corrected(const Derivative &derivative) {
  return compiled_once(state_->corrected_derivatives, derivative,
                       [&] { return state_->compile_corrected(derivative); });
}

std::variant<CountedFunction, NoDerivative> Program::counted() {
  if (!state_->counted)
    state_->counted = state_->compile_counted();
  return *state_->counted;
}

std::variant<Entry, NoDerivative> Program::with_other_rounding(const Derivative &derivative) {
  return compiled_once(state_->otherwise_rounded, derivative,
                       [&] { return state_->compile_with_other_rounding(derivative); });
}

void Program::reset() const {
  for (const GlobalState &state : state_->loaded.variables())
    state.restore();
  if (state_->file.kernels())
    gpu::forget_errors();
}

void Program::put_back(Entry entry, std::string_view variable) const {
  state_->loaded.variables_of(entry).restore(variable);
}

std::vector<std::string> Program::changed_variables(Entry entry) const {
  return state_->loaded.variables_of(entry).changed();
}

std::vector<std::uintptr_t> Program::addresses_in_variables(Entry entry) const {
  return state_->loaded.has_variables_of(entry) ? state_->loaded.variables_of(entry).addresses()
                                                : std::vector<std::uintptr_t>();
}

std::vector<StateDifference> Program::state_differences(Entry derivative) const {
  const GlobalState &function = state_->loaded.variables_of(state_->primal);
  return state_->loaded.variables_of(derivative).differences_from(function);
}

std::string Program::name_of_variable(std::string_view symbol) const {
  return source_name_of_variable(state_->file.module(), symbol);
}

std::vector<std::string> Program::variables_only_read() const {
  std::vector<std::string> names;
  for (const auto &variable : state_->own_variables)
    if (variable.second == Access::only_read && state_->file.module().getNamedValue(variable.first()))
      names.push_back(name_of_variable(variable.first()));
  std::ranges::sort(names);
  return names;
}

bool Program::has_lasting_objects() const {
  return jit::has_lasting_objects(state_->reached.module());
}

std::string Program::name_of_code(const void *address) const {
  const llvm::Function *function = state_->file.module().getFunction(state_->loaded.functions().symbol_at(address));
  return function ? source_name_of_function(*function) : std::string();
}

std::vector<RegisteredRule> Program::rules() const {
  std::vector<RegisteredRule> rules = registered_rules(state_->file.module(), state_->signature.linkage_name);
  std::erase_if(rules, [&](const RegisteredRule &rule) {
    return std::ranges::find(state_->left_out.tables, rule.symbol) != state_->left_out.tables.end();
  });
  return rules;
}

const LeftOut &Program::left_out() const {
  return state_->left_out;
}

/// Whether derivatives may need a shadow of it.
static bool holds_numbers(const llvm::Type *type) {
  while (type->isArrayTy())
    type = type->getArrayElementType();
  return !type->isIntegerTy();
}

std::uint64_t Program::shared_bytes(unsigned width) const {
  const llvm::Module &module = state_->reached.module();
  std::uint64_t bytes = (1 + width) * dynamic_share(state_->signature.launch->shared_bytes);
  for (const llvm::GlobalVariable &global : module.globals())
    if (engine::is_shared_memory(global) && !global.isDeclaration())
      bytes += module.getDataLayout().getTypeAllocSize(global.getValueType()) *
               (holds_numbers(global.getValueType()) ? 1 + width : 1);
  return bytes;
}

void Program::scramble() const {
  for (const GlobalState &state : state_->loaded.variables())
    state.scramble(state_->tables);
}

void Program::find_tables(const std::function<void(std::size_t point)> &call) {
  const GlobalState &variables = state_->loaded.variables_of(state_->primal);
  const auto after = [&](std::size_t point) {
    reset();
    call(point);
    return variables.changed_contents();
  };
  const GlobalState::Contents first = after(0), second = after(1);
  reset();
  state_->tables.clear();
  for (const auto &[name, contents] : first)
    if (const auto known = second.find(name); known != second.end() && known->second == contents)
      state_->tables.insert(name);
}

void Program::compile(std::span<const Derivative> derivatives) {
  std::vector<Derivative> wanted;
  std::ranges::copy_if(derivatives, std::back_inserter(wanted),
                       [&](const Derivative &each) { return !state_->compiled_alike.contains(each); });
  if (wanted.empty() || !state_->compile_together(wanted))
    return;
  for (const Derivative &derivative : wanted)
    static_cast<void>(this->derivative(derivative));
  state_->compiled_alike.insert(wanted.begin(), wanted.end());
}

std::variant<Entry, NoDerivative> Program::derivative(const Derivative &derivative) {
  const auto known = state_->derivatives.find(derivative);
  if (known != state_->derivatives.end())
    return known->second;
  if (auto none = state_->compile_together({&derivative, 1}))
    state_->derivatives.insert_or_assign(derivative, std::move(*none));
  return state_->derivatives.at(derivative);
}

std::variant<Entry, NoDerivative> Program::interruptible(const Derivative &derivative) {
  return compiled_once(state_->interruptible, derivative, [&] { return state_->compile_interruptible(derivative); });
}

std::variant<Entry, NoDerivative> Program::watched() {
  if (!state_->watched)
    state_->watched = state_->compile_watched();
  return *state_->watched;
}

std::variant<Entry, NoDerivative> Program::watched(const Derivative &derivative) {
  return compiled_once(state_->watched_derivatives, derivative, [&] { return state_->compile_watched(derivative); });
}

bool Program::has_thread_local_variables() const {
  return std::ranges::any_of(state_->reached.own_variables(), [&](const auto &variable) {
    const llvm::GlobalVariable *global = state_->reached.module().getNamedGlobal(variable.first());
    return global && global->isThreadLocal();
  });
}

const GlobalState &Program::variables_of(Entry entry) const {
  return state_->loaded.variables_of(entry);
}

std::variant<TracedDerivative, NoDerivative> Program::traced(const Derivative &derivative) {
  return state_->compile_traced(derivative);
}

std::variant<RecordedComparisons, NoDerivative> Program::recording(std::span<const Derivative> derivatives) {
  const std::vector<Derivative> wanted(derivatives.begin(), derivatives.end());
  const auto known = state_->recordings.find(wanted);
  if (known != state_->recordings.end())
    return known->second;
  return state_->recordings.emplace(wanted, state_->compile_recording(derivatives)).first->second;
}

void Program::interfere(Interference interference) {
  state_->interference = std::move(interference);
  state_->compiled_alike.clear();
}

void Program::forget(const Derivative &derivative) {
  state_->derivatives.erase(derivative);
  state_->compiled_alike.erase(derivative);
  state_->corrected_derivatives.erase(derivative);
  state_->otherwise_rounded.erase(derivative);
  state_->interruptible.erase(derivative);
  state_->watched_derivatives.erase(derivative);
  std::erase_if(state_->recordings, [&](const auto &recording) {
    return std::ranges::find(recording.first, derivative) != recording.first.end();
  });
}

void Program::forget_derivatives() {
  state_->derivatives.clear();
  state_->compiled_alike.clear();
  state_->corrected_derivatives.clear();
  state_->otherwise_rounded.clear();
  state_->interruptible.clear();
  state_->watched_derivatives.clear();
  state_->recordings.clear();
}

} // namespace assay::jit
