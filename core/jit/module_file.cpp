#include "core/jit/module_file.hpp"

#include "core/engine/prepare/parallel_regions.hpp"
#include "core/engine/prepare/started_threads.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/support/device_variables.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/fortran_marks.hpp"
#include "core/jit/fortran_parameters.hpp"
#include "core/jit/fortran_runtime.hpp"
#include "core/jit/function_names.hpp"
#include "core/jit/members_source.hpp"
#include "core/jit/read_signature.hpp"
#include "core/jit/readable_ir.hpp"
#include "core/jit/struct_parameters.hpp"
#include "core/jit/trampolines.hpp"
#include "core/passes/library_names.hpp"
#include "llvm/ExecutionEngine/Orc/ThreadSafeModule.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"
#include <algorithm>
#include <fmt/format.h>

namespace assay::jit {

struct ModuleFile::State {
  std::filesystem::path path;
  CompileOptions options;
  llvm::orc::ThreadSafeContext context;
  std::unique_ptr<llvm::Module> module;
  std::vector<CheckMark> marks;
  std::vector<std::string> own_functions, linked;
  std::vector<std::filesystem::path> machine_code;
  std::shared_ptr<const KernelCode> kernels;
  std::shared_ptr<const ScratchFolder> folder;
};

namespace {

/// The section that ASSAY_CHECK puts its tables into.
constexpr llvm::StringLiteral mark_section = "assay_check";

std::unique_ptr<llvm::MemoryBuffer> read_file(const std::filesystem::path &file, const CompileOptions &options) {
  switch (language_of(file)) {
  case Language::c:
  case Language::cpp:
  case Language::cuda:
  case Language::fortran:
    return llvm::MemoryBuffer::getMemBufferCopy(compile_to_bitcode(file, options), file.string());
  case Language::llvm: {
    auto buffer = llvm::MemoryBuffer::getFile(file.string());
    if (!buffer)
      throw BadRequest(fmt::format("cannot read {}: {}", file.string(), buffer.getError().message()));
    require_readable(file, **buffer);
    return std::move(*buffer);
  }
  case Language::other:
    break;
  }
  throw BadRequest(fmt::format("{} is neither C (.c), C++ (.cpp, .cc, .cxx), CUDA (.cu), Fortran (.f90, .f), LLVM IR "
                               "(.ll) nor bitcode (.bc); other "
                               "compilers can write bitcode, for example rustc --emit=llvm-bc",
                               file.string()));
}

void check_target(const std::filesystem::path &file, llvm::Module &module) {
  const llvm::Triple host(llvm::sys::getProcessTriple());
  if (module.getTargetTriple().getArch() == llvm::Triple::UnknownArch)
    module.setTargetTriple(host);
  if (module.getTargetTriple().getArch() != host.getArch() && !engine::is_device_code(module))
    throw BadRequest(fmt::format("{} is compiled for {}, this machine is {}", file.string(),
                                 module.getTargetTriple().getArchName().str(), host.getArchName().str()));
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (llvm::verifyModule(module, &stream))
    throw BadRequest(fmt::format("{} is not valid LLVM IR: {}", file.string(), text.substr(0, text.find('\n'))), text);
}

/// The text that a constant pointer to a C string points to; empty if it does not.
std::string string_at(const llvm::Value *value) {
  const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(value->stripPointerCasts());
  if (!global || !global->hasInitializer())
    return {};
  const auto *data = llvm::dyn_cast<llvm::ConstantDataSequential>(global->getInitializer());
  return data && data->isCString() ? data->getAsCString().str() : std::string();
}

/// A mark is {kind, name, function, spec..., null}.
std::optional<CheckMark> read_mark(const llvm::GlobalVariable &global) {
  const auto *table = global.hasInitializer() ? llvm::dyn_cast<llvm::ConstantArray>(global.getInitializer()) : nullptr;
  if (!table || table->getNumOperands() < 3)
    return std::nullopt;
  const auto *function = llvm::dyn_cast<llvm::Function>(table->getOperand(2)->stripPointerCasts());
  if (!function)
    return std::nullopt;
  CheckMark mark;
  mark.expectation =
      string_at(table->getOperand(0)) == "fails" ? CheckMark::Expectation::fails : CheckMark::Expectation::passes;
  mark.name = string_at(table->getOperand(1));
  mark.linkage_name = function->getName().str();
  for (unsigned index = 3; index < table->getNumOperands(); ++index)
    if (!llvm::isa<llvm::ConstantPointerNull>(table->getOperand(index)))
      mark.arguments.push_back(string_at(table->getOperand(index)));
  return mark;
}

/// Marks in the order of the file; once read they would only keep functions alive.
std::vector<CheckMark> take_marks(llvm::Module &module) {
  std::vector<CheckMark> marks;
  llvm::SmallVector<llvm::GlobalVariable *, 8> tables;
  for (llvm::GlobalVariable &global : module.globals())
    if (global.getSection() == mark_section)
      tables.push_back(&global);
  for (llvm::GlobalVariable *table : tables)
    if (std::optional<CheckMark> mark = read_mark(*table))
      marks.push_back(*mark);
  return marks;
}

std::vector<std::string> defined_functions(const llvm::Module &module) {
  std::vector<std::string> names;
  for (const llvm::Function &function : module)
    if (!function.isDeclaration() && !function.hasAvailableExternallyLinkage())
      names.push_back(function.getName().str());
  return names;
}

/// Without what headers and the compiler bring along.
std::vector<std::string> of_program(std::vector<std::string> linkage_names) {
  std::erase_if(linkage_names, [](const std::string &name) {
    const std::string readable = readable_name(name);
    return is_of_standard_library(name) || readable.starts_with("__") || readable.starts_with("assay::");
  });
  return linkage_names;
}

std::vector<std::string> quoted_readable(const std::vector<std::string> &linkage_names) {
  std::vector<std::string> result;
  for (const std::string &name : linkage_names)
    result.push_back("'" + readable_name(name) + "'");
  return result;
}

[[noreturn]] void reject_unknown(const std::filesystem::path &file, std::string_view name,
                                 const std::vector<std::string> &defined) {
  const std::vector<std::string> near = names_near(name, defined);
  if (!near.empty())
    throw BadRequest(
        fmt::format("no function '{}' in {}; did you mean '{}'?", name, file.string(), fmt::join(near, "', '")));
  std::vector<std::string> shown = quoted_readable(of_program(defined));
  if (shown.size() > 8)
    shown.resize(8), shown.push_back("...");
  if (shown.empty())
    throw BadRequest(
        fmt::format("no function '{}' in {}, which defines none; templates and inline functions must be used there",
                    name, file.string()));
  throw BadRequest(fmt::format("no function '{}' in {}; it defines {}", name, file.string(), fmt::join(shown, ", ")));
}

/// The functions that the specs name.
Callables callables_of(llvm::Function &function, const FunctionSignature &signature,
                       const std::vector<std::string> &specs) {
  Callables callables;
  for (const auto &[place, type] : pointers_to_functions(function))
    callables[place] = &callable_named(
        *function.getParent(), specs[place], *type,
        fmt::format("parameter {} ('{}') of {}", place + 1, signature.parameters[place].name, signature.name));
  return callables;
}

FunctionSignature signature_of(llvm::Function &function, Pointees pointees, const std::vector<std::string> &specs) {
  if (FunctionSignature of_fortran; function_of_numbers(function, specs, of_fortran, pointees))
    return of_fortran;
  llvm::Function *of_members = function_of_members(function);
  if (!of_members)
    return read_signature(function, pointees);
  FunctionSignature signature = read_signature(*of_members, pointees, function.getName());
  for (const auto &[place, type] : pointers_to_functions(function))
    signature.parameters[place].is_callable = true;
  if (std::ranges::none_of(signature.parameters, &ParameterType::is_callable))
    return signature;
  if (specs.size() != signature.parameters.size()) // Nobody calls it without functions.
    return pointees == Pointees::anything ? read_signature(function, pointees) : signature;
  const Callables callables = callables_of(function, signature, specs);
  signature.linkage_name = function_of_members(function, callables)->getName();
  return signature;
}

} // namespace

ModuleFile::ModuleFile(const std::filesystem::path &file, const CompileOptions &options, const LinkInputs &inputs)
    : state_(std::make_unique<State>()) {
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    throw BadRequest(fmt::format("no such file: {}", file.string()));
  if (!std::filesystem::is_regular_file(file, error))
    throw BadRequest(fmt::format("{} is not a file", file.string()));
  state_->path = file;
  state_->options = options;
  state_->context = llvm::orc::ThreadSafeContext(std::make_unique<llvm::LLVMContext>());
  const std::unique_ptr<llvm::MemoryBuffer> buffer =
      inputs.own ? llvm::MemoryBuffer::getMemBuffer(*inputs.own, file.string(), false) : read_file(file, options);
  state_->module = state_->context.withContextDo(
      [&](llvm::LLVMContext *context) { return parse_ir(file, buffer->getMemBufferRef(), *context); });
  check_target(file, *state_->module);
  state_->marks = take_marks(*state_->module);
  state_->own_functions = defined_functions(*state_->module);
  if (language_of(file) == Language::fortran)
    state_->marks = fortran_marks(file, state_->own_functions);
  state_->linked =
      state_->context.withContextDo([&](llvm::LLVMContext *) { return link_code(*state_->module, file, inputs.code); });
  engine::list_device_variables(*state_->module);
  engine::run_regions_in_one_thread(*state_->module); // Sums of threads differ from run to run.
  engine::run_threads_where_started(*state_->module);
  replace_trampolines(*state_->module);
  state_->machine_code = inputs.machine_code;
  state_->kernels = inputs.kernels;
  state_->folder = inputs.folder;
  if (calls_fortran_runtime(*state_->module))
    if (std::optional<std::filesystem::path> runtime = find_fortran_runtime())
      state_->machine_code.push_back(std::move(*runtime));
}

ModuleFile::~ModuleFile() = default;
ModuleFile::ModuleFile(ModuleFile &&) noexcept = default;

FunctionSignature ModuleFile::function(std::string_view name, Pointees pointees,
                                       const std::vector<std::string> &specs) const {
  const std::vector<std::string> &defined = state_->own_functions;
  std::vector<std::string> matches = functions_named(name, defined);
  if (matches.empty() && !state_->linked.empty())
    matches = functions_named(name, defined_functions(*state_->module));
  if (matches.size() > 1)
    throw BadRequest(fmt::format("'{}' is ambiguous in {}: {}; name one in full", name, state_->path.string(),
                                 fmt::join(quoted_readable(matches), ", ")));
  if (matches.size() == 1)
    return signature_of(*state_->module->getFunction(matches.front()), pointees, specs);
  reject_unknown(state_->path, name, defined);
}

std::string ModuleFile::source_of_members(std::string_view name, const std::vector<std::string> &specs,
                                          const std::string &definition) const {
  const std::vector<std::string> matches = functions_named(name, defined_functions(*state_->module));
  const llvm::Function *function = matches.size() == 1 ? state_->module->getFunction(matches.front()) : nullptr;
  if (language_of(state_->path) != Language::c || !function ||
      !function_of_members(*state_->module->getFunction(matches.front())))
    return {};
  return jit::source_of_members(*function, this->function(name, Pointees::numbers, specs), specs, state_->own_functions,
                                definition);
}

const std::vector<CheckMark> &ModuleFile::marks() const {
  return state_->marks;
}
const std::filesystem::path &ModuleFile::path() const {
  return state_->path;
}
const std::vector<std::string> &ModuleFile::linked() const {
  return state_->linked;
}
const std::vector<std::filesystem::path> &ModuleFile::machine_code() const {
  return state_->machine_code;
}
const KernelCode *ModuleFile::kernels() const {
  return state_->kernels.get();
}
const std::vector<std::string> &ModuleFile::own_functions() const {
  return state_->own_functions;
}
bool ModuleFile::defines(std::string_view linkage_name) const {
  return std::ranges::find(state_->own_functions, linkage_name) != state_->own_functions.end();
}
OptimizationLevel ModuleFile::level() const {
  return state_->options.level;
}
const llvm::Module &ModuleFile::module() const {
  return *state_->module;
}
bool ModuleFile::is_device_code() const {
  return engine::is_device_code(*state_->module);
}
llvm::orc::ThreadSafeContext &ModuleFile::context() const {
  return state_->context;
}

} // namespace assay::jit
