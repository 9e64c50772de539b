// What the function reaches is taken out of the file's module once. Each compilation clones that, adds the entries,
// drops what they do not reach, runs the pipeline and hands the module to ORC. Where the engine refuses one derivative
// of many, they are compiled again one by one, so that the message belongs to the derivative that it is about.

#include "core/jit/program.hpp"

#include "core/jit/bad_request.hpp"
#include "core/jit/code_generator.hpp"
#include "core/jit/derivative_function.hpp"
#include "core/jit/effort.hpp"
#include "core/jit/entries.hpp"
#include "core/jit/function_table.hpp"
#include "core/jit/heap_watch.hpp"
#include "core/jit/missing_runtime.hpp"
#include "core/jit/operation_count.hpp"
#include "core/jit/pipeline.hpp"
#include "core/jit/rounded_constants.hpp"
#include "core/jit/source_names.hpp"
#include "core/jit/yield_points.hpp"
#include "core/trace/comparison_run.hpp"
#include "core/trace/run.hpp"
#include "core/widen/runtime.hpp"
#include "core/widen/widen.hpp"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <fmt/format.h>
#include <map>
#include <optional>

namespace assay::jit {

namespace {

constexpr const char *primal_entry_name = "assay_entry_primal", *global_table_name = "assay_entry_globals",
                     *function_table_name = "assay_entry_functions";

std::string text_of(llvm::Error error) {
  return llvm::toString(std::move(error));
}

std::string joined(const std::vector<std::string> &lines) {
  return fmt::format("{}", fmt::join(lines, "\n"));
}

/// A machine that is the same everywhere, so that a record replays to the same bits on another computer of its kind.
llvm::orc::JITTargetMachineBuilder machine_builder(const llvm::Module &module) {
  static const bool initialized = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();
    return true;
  }();
  static_cast<void>(initialized);
  llvm::orc::JITTargetMachineBuilder builder(module.getTargetTriple());
  builder.setRelocationModel(llvm::Reloc::PIC_);
  builder.setCodeModel(llvm::CodeModel::Small);
  return builder;
}

std::unique_ptr<llvm::TargetMachine> target_machine(const llvm::Module &module) {
  auto machine = machine_builder(module).createTargetMachine();
  if (!machine)
    throw BadRequest(
        fmt::format("no code generator for {}: {}", module.getTargetTriple().str(), text_of(machine.takeError())));
  return std::move(*machine);
}

/// Everything that no entry reaches goes before it costs time, but what the convention finds by name.
void keep_reached(llvm::Module &module, llvm::function_ref<bool(const llvm::GlobalValue &)> is_found_by_name) {
  llvm::internalizeModule(module, [&](const llvm::GlobalValue &value) {
    return value.getName().starts_with("assay_entry_") || is_found_by_name(value);
  });
  llvm::ModuleAnalysisManager analyses;
  llvm::PassInstrumentationCallbacks callbacks;
  analyses.registerPass([&] { return llvm::PassInstrumentationAnalysis(&callbacks); });
  llvm::GlobalDCEPass().run(module, analyses);
}

/// Markers may be variables of the program's own. `visible` are variables that are looked at
/// from outside.
void drop_unreached(llvm::Module &module, llvm::StringRef checked_function, const llvm::StringSet<> &visible) {
  for (llvm::GlobalVariable &global : module.globals())
    if (visible.contains(global.getName()))
      global.setLinkage(llvm::GlobalValue::ExternalLinkage);
  keep_reached(module, [&](const llvm::GlobalValue &value) {
    return value.getName().contains("__enzyme_") || value.getName().starts_with("enzyme_") ||
           value.getName() == checked_function || visible.contains(value.getName());
  });
}

} // namespace

struct Program::State {
  State(const ModuleFile &file, const FunctionSignature &signature, Repetition repetition, LeftOut left_out)
      : file(file), signature(signature), repetition(repetition), left_out(std::move(left_out)) {}

  /// Destructors of the user's globals run while their code is still there.
  ~State() {
    for (llvm::orc::JITDylib *library : initialized)
      llvm::consumeError(jit->deinitialize(*library));
  }
  State(const State &) = delete;
  State &operator=(const State &) = delete;

  const ModuleFile &file;
  FunctionSignature signature;
  Repetition repetition;
  LeftOut left_out;
  /// Set where the checked function is a derivative: of which function.
  std::optional<std::pair<std::string, Derivative>> derivative_of;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::orc::LLJIT> jit;
  std::unique_ptr<llvm::Module> reached;
  Entry primal = nullptr;
  std::optional<std::variant<Entry, NoDerivative>> widened, corrected;
  std::map<Derivative, std::variant<Entry, NoDerivative>> corrected_derivatives, otherwise_rounded;
  std::optional<std::variant<CountedFunction, NoDerivative>> counted;
  std::map<Derivative, std::variant<Entry, NoDerivative>> derivatives, interruptible;
  std::map<std::vector<Derivative>, std::variant<RecordedComparisons, NoDerivative>> recordings;
  unsigned libraries = 0;
  std::vector<llvm::orc::JITDylib *> initialized;
  OwnVariables own_variables;             ///< Of the function, without those that only rules use.
  std::vector<GlobalState> globals;       ///< Of each module that was compiled.
  std::set<std::string> tables;           ///< Variables that hold the same after each call.
  llvm::StringSet<> visible_variables;    ///< Of these, those that it or a rule writes.
  std::map<Entry, std::size_t> module_of; ///< Where in `globals` the variables of an entry are.
  FunctionTable functions;
  Interference interference;
  std::shared_ptr<std::vector<std::string>> reports = std::make_shared<std::vector<std::string>>();

  std::string link_failure(llvm::Error error) const {
    const std::string text = text_of(std::move(error));
    return reports->empty() ? text : std::exchange(*reports, {}).front();
  }

  std::unique_ptr<llvm::Module> clone() const { return llvm::CloneModule(*reached); }

  /// What the function reaches, ready to be compiled.
  std::unique_ptr<llvm::Module> take_out() const {
    std::unique_ptr<llvm::Module> module = llvm::CloneModule(file.module());
    llvm::stripNonLineTableDebugInfo(*module);
    define_missing_runtime(*module);
    if (llvm::GlobalVariable *used = module->getGlobalVariable("llvm.used"))
      used->eraseFromParent();
    if (llvm::GlobalVariable *used = module->getGlobalVariable("llvm.compiler.used"))
      used->eraseFromParent();
    for (const std::string &table : left_out.tables)
      leave_out(*module, table);
    module->setDataLayout(machine->createDataLayout());
    module->setPICLevel(llvm::PICLevel::BigPIC);
    if (derivative_of)
      write_derivative_function(*module->getFunction(derivative_of->first), derivative_of->second);
    // Nothing calls it yet: were it local to the file, it would be dropped as well.
    llvm::Function &checked = checked_function(*module);
    const llvm::GlobalValue::LinkageTypes linkage = checked.getLinkage();
    checked.setLinkage(llvm::GlobalValue::ExternalLinkage);
    drop_unreached(*module, signature.linkage_name, visible_variables);
    checked.setLinkage(linkage);
    return module;
  }

  /// The table is no longer known by its name, so that nothing keeps it.
  static void leave_out(llvm::Module &module, llvm::StringRef table) {
    if (llvm::GlobalVariable *global = module.getGlobalVariable(table, true))
      global->setName("assay.left_out");
  }

  /// A library of its own for every module: they define the same names.
  llvm::Expected<llvm::orc::JITDylib *> add(std::unique_ptr<llvm::Module> module, llvm::orc::SymbolMap symbols) {
    write_function_table(*module, function_table_name, *reached);
    write_global_table(*module, global_table_name, own_variables);
    auto library = jit->createJITDylib(fmt::format("assay.{}", libraries++));
    if (!library)
      return library.takeError();
    if (llvm::Error error = library->define(llvm::orc::absoluteSymbols(std::move(symbols))))
      return error;
    if (llvm::Error error = jit->addIRModule(*library, llvm::orc::ThreadSafeModule(std::move(module), file.context())))
      return error;
    if (llvm::Error error = jit->initialize(*library))
      return error;
    initialized.push_back(&*library);
    auto table = jit->lookup(*library, global_table_name);
    if (!table)
      return table.takeError();
    auto function_table = jit->lookup(*library, function_table_name);
    if (!function_table)
      return function_table.takeError();
    globals.emplace_back(table->toPtr<const GlobalRow *>());
    functions.add(function_table->toPtr<const FunctionRow *>());
    return &*library;
  }

  /// What it allocates and frees, a HeapWatch sees. A program may define these functions itself.
  llvm::Expected<llvm::orc::JITDylib *> add_watched(std::unique_ptr<llvm::Module> module,
                                                    const NamedFunctions &further = {}) {
    std::vector<std::pair<std::string_view, void *>> symbols = heap_symbols();
    symbols.insert(symbols.end(), further.begin(), further.end());
    std::erase_if(symbols, [&](const auto &symbol) {
      const llvm::Function *function = module->getFunction(symbol.first);
      return !function || !function->isDeclaration();
    });
    symbols.insert(symbols.end(), further.begin(), further.end());
    return add(std::move(module), symbol_map(symbols));
  }

  llvm::Expected<Entry> entry(llvm::orc::JITDylib &library, llvm::StringRef name) {
    auto address = jit->lookup(library, name);
    if (!address)
      return address.takeError();
    const auto found = address->toPtr<Entry>();
    module_of[found] = globals.size() - 1;
    return found;
  }

  llvm::Function &checked_function(llvm::Module &module) const { return *module.getFunction(signature.linkage_name); }

  void find_own_variables() {
    std::unique_ptr<llvm::Module> module = clone();
    write_primal_entry(checked_function(*module), primal_entry_name);
    keep_reached(*module, [](const llvm::GlobalValue &) { return false; });
    own_variables = changing_variables(*module);
    for (const auto &variable : changing_variables(*reached))
      if (variable.second == Access::written && own_variables.contains(variable.first()))
        visible_variables.insert(variable.first());
  }

  void compile_primal() {
    std::unique_ptr<llvm::Module> module = clone();
    write_primal_entry(checked_function(*module), primal_entry_name);
    drop_unreached(*module, signature.linkage_name, visible_variables);
    const std::vector<std::string> errors = run_pipeline(*module, *machine, file.level());
    if (!errors.empty())
      throw BadRequest(fmt::format("{} does not compile: {}", signature.name, errors.front()), joined(errors));
    auto library = add_watched(std::move(module));
    if (!library)
      throw BadRequest(fmt::format("{} does not link: {}", signature.name, link_failure(library.takeError())));
    auto found = entry(**library, primal_entry_name);
    if (!found)
      throw BadRequest(fmt::format("{} does not link: {}", signature.name, link_failure(found.takeError())));
    primal = *found;
  }

  std::variant<Entry, NoDerivative> compile_widened(widen::TwinKind kind) {
    std::unique_ptr<llvm::Module> module = clone();
    write_primal_entry(checked_function(*module), primal_entry_name);
    keep_reached(*module, [](const llvm::GlobalValue &) { return false; });
    widen::widen(*module, kind);
    const std::vector<std::string> errors = run_pipeline(*module, *machine, OptimizationLevel::little);
    if (!errors.empty())
      return NoDerivative{errors.front()};
    return add_widened(std::move(module), primal_entry_name);
  }

  /// In one order, the constants of sums are not joined and rounded.
  engine::Alterations with_order_of_sums() const {
    engine::Alterations alterations = interference.alterations;
    alterations.written = [planned = alterations.written](llvm::Function &function) {
      if (planned)
        planned(function);
      fix_order_of_sums(function);
    };
    return alterations;
  }

  /// Widened where the engine leaves it: vectors would only be taken apart again.
  std::variant<Entry, NoDerivative> compile_corrected(const Derivative &wanted) {
    constexpr const char *name = "assay_entry_corrected";
    std::unique_ptr<llvm::Module> module = clone();
    write_derivative_entry(checked_function(*module), wanted, name);
    drop_unreached(*module, signature.linkage_name, visible_variables);
    const auto correct = [&](llvm::Module &differentiated) {
      if (interference.differentiated)
        interference.differentiated(differentiated);
      keep_reached(differentiated, [](const llvm::GlobalValue &) { return false; });
      widen::widen(differentiated, widen::TwinKind::correction);
      for (llvm::Function &function : differentiated)
        if (!function.isDeclaration())
          leave_as_it_is(function);
    };
    const std::vector<std::string> errors =
        run_pipeline(*module, *machine, file.level(), with_order_of_sums(), {interference.simplified, correct});
    if (!errors.empty())
      return NoDerivative{joined(errors)};
    return add_widened(std::move(module), name);
  }

  std::variant<Entry, NoDerivative> compile_with_other_rounding(const Derivative &wanted) {
    constexpr const char *name = "assay_entry_otherwise_rounded";
    std::unique_ptr<llvm::Module> module = clone();
    write_derivative_entry(checked_function(*module), wanted, name);
    drop_unreached(*module, signature.linkage_name, visible_variables);
    const auto move = [&](llvm::Module &differentiated) {
      if (interference.differentiated)
        interference.differentiated(differentiated);
      move_rounded_constants(differentiated);
      for (llvm::Function &function : differentiated)
        if (!function.isDeclaration())
          leave_as_it_is(function);
    };
    const std::vector<std::string> errors =
        run_pipeline(*module, *machine, file.level(), with_order_of_sums(), {interference.simplified, move});
    if (!errors.empty())
      return NoDerivative{joined(errors)};
    llvm::StripDebugInfo(*module);
    auto library = add_watched(std::move(module));
    if (!library)
      return NoDerivative{link_failure(library.takeError())};
    auto found = entry(**library, name);
    if (!found)
      return NoDerivative{link_failure(found.takeError())};
    return *found;
  }

  std::variant<Entry, NoDerivative> add_widened(std::unique_ptr<llvm::Module> module, llvm::StringRef name) {
    llvm::StripDebugInfo(*module);
    auto library = add(std::move(module), symbol_map(widen::runtime_symbols()));
    if (!library)
      return NoDerivative{link_failure(library.takeError())};
    auto found = entry(**library, name);
    if (!found)
      return NoDerivative{link_failure(found.takeError())};
    return *found;
  }

  std::variant<CountedFunction, NoDerivative> compile_counted() {
    std::unique_ptr<llvm::Module> module = clone();
    write_primal_entry(checked_function(*module), primal_entry_name);
    drop_unreached(*module, signature.linkage_name, visible_variables);
    CountedFunction counted;
    const auto add_counters = [&](llvm::Module &simplified) {
      counted.code_size = code_size(simplified);
      insert_operation_counters(simplified);
    };
    const std::vector<std::string> errors = run_pipeline(*module, *machine, file.level(), {}, {add_counters, {}});
    if (!errors.empty())
      return NoDerivative{errors.front()};
    auto library = add_watched(std::move(module), operation_count_symbols());
    if (!library)
      return NoDerivative{link_failure(library.takeError())};
    auto function = entry(**library, primal_entry_name);
    if (!function)
      return NoDerivative{link_failure(function.takeError())};
    counted.function = *function;
    return counted;
  }

  /// Both in one module, so that they have the same probes; the function is called, lest it become part of its entry.
  std::variant<TracedDerivative, NoDerivative> compile_traced(const Derivative &wanted) {
    constexpr const char *derivative_entry_name = "assay_entry_derivative";
    std::unique_ptr<llvm::Module> module = clone();
    llvm::Function &checked = checked_function(*module);
    write_primal_entry(checked, primal_entry_name);
    write_derivative_entry(checked, wanted, derivative_entry_name);
    for (llvm::User *user : checked.users())
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(user); call && call->getCalledOperand() == &checked)
        if (call->getFunction()->getName() == primal_entry_name)
          call->setIsNoInline();
    drop_unreached(*module, signature.linkage_name, visible_variables);
    TracedDerivative traced;
    const auto add_probes = [&](llvm::Module &simplified) { traced.sites = trace::insert_probes(simplified); };
    const std::vector<std::string> errors =
        run_pipeline(*module, *machine, file.level(), interference.alterations, {add_probes, {}});
    if (!errors.empty())
      return NoDerivative{errors.front()};
    auto library = add(std::move(module), symbol_map(trace::runtime_symbols()));
    if (!library)
      return NoDerivative{link_failure(library.takeError())};
    auto function = entry(**library, primal_entry_name), derivative = entry(**library, derivative_entry_name);
    if (!function || !derivative) {
      llvm::Error both = llvm::joinErrors(function ? llvm::Error::success() : function.takeError(),
                                          derivative ? llvm::Error::success() : derivative.takeError());
      return NoDerivative{link_failure(std::move(both))};
    }
    traced.function = *function;
    traced.derivative = *derivative;
    return traced;
  }

  std::variant<RecordedComparisons, NoDerivative> compile_recording(std::span<const Derivative> wanted) {
    std::unique_ptr<llvm::Module> module = clone();
    const auto name_of = [](std::size_t index) { return fmt::format("assay_entry_{}", index); };
    write_primal_entry(checked_function(*module), primal_entry_name);
    for (std::size_t index = 0; index < wanted.size(); ++index)
      write_derivative_entry(checked_function(*module), wanted[index], name_of(index));
    drop_unreached(*module, signature.linkage_name, visible_variables);
    RecordedComparisons recording;
    PipelineChanges changes;
    if (interference.simplified) // What it changes is recorded as well.
      changes.simplified = [&](llvm::Module &simplified) {
        interference.simplified(simplified);
        recording.sites = trace::record_comparisons(simplified);
      };
    else
      recording.sites = trace::record_comparisons(*module);
    const std::vector<std::string> errors =
        run_pipeline(*module, *machine, file.level(), interference.alterations, changes);
    if (!errors.empty())
      return NoDerivative{errors.front()};
    llvm::StripDebugInfo(*module);
    auto library = add_watched(std::move(module), trace::comparison_symbols());
    if (!library)
      return NoDerivative{link_failure(library.takeError())};
    auto function = entry(**library, primal_entry_name);
    if (!function)
      return NoDerivative{link_failure(function.takeError())};
    recording.function = *function;
    for (std::size_t index = 0; index < wanted.size(); ++index) {
      auto derivative = entry(**library, name_of(index));
      if (!derivative)
        return NoDerivative{link_failure(derivative.takeError())};
      recording.derivatives.push_back(*derivative);
    }
    return recording;
  }

  /// Two threads may meet at every access that the source has, so none of them is optimised away.
  std::variant<Entry, NoDerivative> compile_interruptible(const Derivative &wanted) {
    constexpr const char *name = "assay_entry_interruptible";
    std::unique_ptr<llvm::Module> module = clone();
    if (module->getFunction("__cxa_thread_atexit"))
      return NoDerivative{"it has objects of threads"};
    write_derivative_entry(checked_function(*module), wanted, name);
    drop_unreached(*module, signature.linkage_name, visible_variables);
    const std::vector<std::string> errors =
        run_pipeline(*module, *machine, OptimizationLevel::none, interference.alterations, {{}, insert_yield_points});
    if (!errors.empty())
      return NoDerivative{joined(errors)};
    llvm::StripDebugInfo(*module);
    auto library = add_watched(std::move(module), yield_symbols());
    if (!library)
      return NoDerivative{link_failure(library.takeError())};
    auto found = entry(**library, name);
    if (!found)
      return NoDerivative{link_failure(found.takeError())};
    return *found;
  }

  llvm::orc::SymbolMap symbol_map(const NamedFunctions &named) const {
    llvm::orc::SymbolMap symbols;
    for (const auto &[name, address] : named)
      symbols[jit->mangleAndIntern(llvm::StringRef(name))] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                                              llvm::JITSymbolFlags::Exported};
    return symbols;
  }

  static void limit_effort_for(llvm::Module &module, std::span<const Derivative> derivatives,
                               llvm::function_ref<std::string(std::size_t)> name_of) {
    const std::vector<bool> is_optimised = choose_optimised(derivatives);
    llvm::SmallPtrSet<const llvm::Function *, 16> entries;
    for (std::size_t index = 0; index < derivatives.size(); ++index)
      if (is_optimised[index])
        entries.insert(module.getFunction(name_of(index)));
    limit_effort(module, [&](const llvm::Function &function) { return entries.contains(&function); });
  }

  /// Empty on success; then all of them are in `derivatives`.
  std::vector<std::string> compile_together(std::span<const Derivative> wanted) {
    std::unique_ptr<llvm::Module> module = clone();
    const auto name_of = [](std::size_t index) { return fmt::format("assay_entry_{}", index); };
    for (std::size_t index = 0; index < wanted.size(); ++index)
      leave_as_it_is(*write_derivative_entry(checked_function(*module), wanted[index], name_of(index)));
    drop_unreached(*module, signature.linkage_name, visible_variables);
    PipelineChanges changes{interference.simplified, interference.differentiated};
    if (repetition == Repetition::little)
      changes.differentiated = [&](llvm::Module &differentiated) {
        if (interference.differentiated)
          interference.differentiated(differentiated);
        limit_effort_for(differentiated, wanted, name_of);
      };
    std::vector<std::string> errors = run_pipeline(*module, *machine, file.level(), interference.alterations, changes);
    if (!errors.empty())
      return errors;
    if (interference.compiled)
      interference.compiled(*module);
    llvm::StripDebugInfo(*module); // The engine has read and reported what it needs; nobody steps through machine code.
    auto library = add_watched(std::move(module));
    if (!library)
      return {link_failure(library.takeError())};
    for (std::size_t index = 0; index < wanted.size(); ++index) {
      auto found = entry(**library, name_of(index));
      if (!found)
        return {link_failure(found.takeError())};
      derivatives.insert_or_assign(wanted[index], *found);
    }
    return {};
  }
};

Program::Program(const ModuleFile &file, const FunctionSignature &function, Repetition repetition, LeftOut left_out)
    : state_(std::make_unique<State>(file, function, repetition, std::move(left_out))) {
  start();
}

Program::Program(const ModuleFile &file, const FunctionSignature &function, const Derivative &derivative,
                 LeftOut left_out)
    : state_(std::make_unique<State>(file, signature_of_derivative(function, derivative), Repetition::little,
                                     std::move(left_out))) {
  state_->derivative_of.emplace(function.linkage_name, derivative);
  start();
}

void Program::start() {
  const ModuleFile &file = state_->file;
  state_->machine = target_machine(file.module());
  auto jit =
      llvm::orc::LLJITBuilder()
          .setJITTargetMachineBuilder(machine_builder(file.module()))
          .setCompileFunctionCreator([repetition = state_->repetition](llvm::orc::JITTargetMachineBuilder builder) {
            return make_code_generator(std::move(builder), repetition);
          })
          .create();
  if (!jit)
    throw BadRequest("the JIT compiler cannot start: " + text_of(jit.takeError()));
  state_->jit = std::move(*jit);
  // What a lookup returns names the functions that failed; what the JIT reports names the symbols that are missing.
  state_->jit->getExecutionSession().setErrorReporter(
      [reports = state_->reports](llvm::Error error) { reports->push_back(text_of(std::move(error))); });
  state_->reached = state_->take_out();
  state_->find_own_variables();
  state_->compile_primal();
}

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
  for (const GlobalState &state : state_->globals)
    state.restore();
}

void Program::put_back(Entry entry, std::string_view variable) const {
  state_->globals[state_->module_of.at(entry)].restore(variable);
}

std::vector<std::string> Program::changed_variables(Entry entry) const {
  return state_->globals[state_->module_of.at(entry)].changed();
}

std::vector<StateDifference> Program::state_differences(Entry derivative) const {
  const GlobalState &function = state_->globals[state_->module_of.at(state_->primal)];
  return state_->globals[state_->module_of.at(derivative)].differences_from(function);
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

std::string Program::name_of_code(const void *address) const {
  const llvm::Function *function = state_->file.module().getFunction(state_->functions.symbol_at(address));
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

void Program::scramble() const {
  for (const GlobalState &state : state_->globals)
    state.scramble(state_->tables);
}

void Program::find_tables(const std::function<void(std::size_t point)> &call) {
  const GlobalState &variables = state_->globals[state_->module_of.at(state_->primal)];
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
  if (derivatives.empty() || state_->compile_together(derivatives).empty())
    return;
  for (const Derivative &derivative : derivatives)
    static_cast<void>(this->derivative(derivative));
}

std::variant<Entry, NoDerivative> Program::derivative(const Derivative &derivative) {
  const auto known = state_->derivatives.find(derivative);
  if (known != state_->derivatives.end())
    return known->second;
  const std::vector<std::string> errors = state_->compile_together({&derivative, 1});
  if (!errors.empty())
    state_->derivatives.insert_or_assign(derivative, NoDerivative{joined(errors)});
  return state_->derivatives.at(derivative);
}

std::variant<Entry, NoDerivative> Program::interruptible(const Derivative &derivative) {
  return compiled_once(state_->interruptible, derivative, [&] { return state_->compile_interruptible(derivative); });
}

const GlobalState &Program::variables_of(Entry entry) const {
  return state_->globals[state_->module_of.at(entry)];
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
}

void Program::forget(const Derivative &derivative) {
  state_->derivatives.erase(derivative);
  state_->corrected_derivatives.erase(derivative);
  state_->otherwise_rounded.erase(derivative);
}

} // namespace assay::jit
