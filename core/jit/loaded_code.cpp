#include "core/jit/loaded_code.hpp"

#include "core/engine/support/device_target.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/code_generator.hpp"
#include "core/jit/library_thread_variables.hpp"
#include "gpu/runtime/symbols.hpp"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace assay::jit {

namespace {

constexpr const char *global_table_name = "assay_entry_globals", *function_table_name = "assay_entry_functions";

std::string words_of(llvm::Error error) {
  return llvm::toString(std::move(error));
}

llvm::orc::JITTargetMachineBuilder machine_builder(const llvm::Module &module) {
  static const bool initialized = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();
    return true;
  }();
  static_cast<void>(initialized);
  const bool is_device_code = engine::is_device_code(module);
  llvm::orc::JITTargetMachineBuilder builder(is_device_code ? llvm::Triple(llvm::sys::getProcessTriple())
                                                            : module.getTargetTriple());
  builder.setRelocationModel(llvm::Reloc::PIC_);
  builder.setCodeModel(llvm::CodeModel::Small);
  return builder;
}

llvm::orc::SymbolMap symbol_map(llvm::orc::LLJIT &jit, const NamedFunctions &named) {
  llvm::orc::SymbolMap symbols;
  for (const auto &[name, address] : named)
    symbols[jit.mangleAndIntern(llvm::StringRef(name))] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                                           llvm::JITSymbolFlags::Exported};
  return symbols;
}

} // namespace

std::unique_ptr<llvm::TargetMachine> target_machine(const llvm::Module &module) {
  auto machine = machine_builder(module).createTargetMachine();
  if (!machine)
    throw BadRequest(
        fmt::format("no code generator for {}: {}", module.getTargetTriple().str(), words_of(machine.takeError())));
  return std::move(*machine);
}

LoadedCode::LoadedCode(const ModuleFile &file, Repetition repetition) : file_(file) {
  auto jit = llvm::orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(machine_builder(file.module()))
                 .setCompileFunctionCreator([repetition](llvm::orc::JITTargetMachineBuilder builder) {
                   return make_code_generator(std::move(builder), repetition);
                 })
                 .create();
  if (!jit)
    throw BadRequest("the JIT compiler cannot start: " + words_of(jit.takeError()));
  jit_ = std::move(*jit);
  jit_->getExecutionSession().setErrorReporter(
      [reports = reports_](llvm::Error error) { reports->push_back(words_of(std::move(error))); });
}

LoadedCode::~LoadedCode() {
  for (llvm::orc::JITDylib *library : initialized_)
    llvm::consumeError(jit_->deinitialize(*library));
}

std::variant<std::vector<Entry>, NoDerivative>
LoadedCode::load(std::unique_ptr<llvm::Module> module, const NamedFunctions &symbols,
                 std::span<const std::string> entries, const llvm::Module &reached, const OwnVariables &own_variables) {
  write_function_table(*module, function_table_name, reached);
  write_global_table(*module, global_table_name, own_variables);
  find_thread_variables_of_libraries(*module);
  NamedFunctions all = symbols;
  static const std::vector<gpu::Symbol> conversions = gpu::conversions_to_halves(); // Names are only referred to.
  for (const gpu::Symbol &conversion : conversions)
    if (const llvm::Function *own = module->getFunction(conversion.name); !own || own->isDeclaration())
      all.emplace_back(conversion.name, conversion.address);
  std::ranges::copy(thread_variable_symbols(), std::back_inserter(all));
  auto library = add(std::move(module), all);
  if (!library)
    return NoDerivative{failure(library.takeError())};
  auto found = look_up(**library, entries);
  if (!found)
    return NoDerivative{failure(found.takeError())};
  return std::move(*found);
}

/// Each module has objects and archives of its own, as it has variables of its own; a shared library is there once.
llvm::Error LoadedCode::add_machine_code(llvm::orc::JITDylib &library) {
  for (const std::filesystem::path &file : file_.machine_code()) {
    if (file.extension() == ".a") {
      auto generator = llvm::orc::StaticLibraryDefinitionGenerator::Load(jit_->getObjLinkingLayer(), file.c_str());
      if (!generator)
        return generator.takeError();
      library.addGenerator(std::move(*generator));
    } else if (file.extension() == ".o") {
      auto buffer = llvm::MemoryBuffer::getFile(file.string());
      if (!buffer)
        return llvm::errorCodeToError(buffer.getError());
      if (llvm::Error error = jit_->addObjectFile(library, std::move(*buffer)))
        return error;
    } else if (std::string reason; llvm::sys::DynamicLibrary::LoadLibraryPermanently(file.c_str(), &reason)) {
      return llvm::createStringError(reason);
    }
  }
  return llvm::Error::success();
}

llvm::Expected<llvm::orc::JITDylib *> LoadedCode::add(std::unique_ptr<llvm::Module> module,
                                                      const NamedFunctions &symbols) {
  auto library = jit_->createJITDylib(fmt::format("assay.{}", libraries_++));
  if (!library)
    return library.takeError();
  if (llvm::Error error = library->define(llvm::orc::absoluteSymbols(symbol_map(*jit_, symbols))))
    return error;
  if (llvm::Error error = add_machine_code(*library))
    return error;
  if (llvm::Error error = jit_->addIRModule(*library, llvm::orc::ThreadSafeModule(std::move(module), file_.context())))
    return error;
  if (llvm::Error error = jit_->initialize(*library))
    return error;
  initialized_.push_back(&*library);
  auto table = jit_->lookup(*library, global_table_name);
  if (!table)
    return table.takeError();
  auto function_table = jit_->lookup(*library, function_table_name);
  if (!function_table)
    return function_table.takeError();
  variables_.emplace_back(table->toPtr<const GlobalRow *>());
  functions_.add(function_table->toPtr<const FunctionRow *>());
  return &*library;
}

llvm::Expected<std::vector<Entry>> LoadedCode::look_up(llvm::orc::JITDylib &library,
                                                       std::span<const std::string> entries) {
  std::vector<Entry> found;
  for (const std::string &name : entries) {
    auto address = jit_->lookup(library, name);
    if (!address)
      return address.takeError();
    found.push_back(address->toPtr<Entry>());
    module_of_[found.back()] = variables_.size() - 1;
  }
  return found;
}

std::string LoadedCode::failure(llvm::Error error) const {
  const std::string text = words_of(std::move(error));
  return reports_->empty() ? text : std::exchange(*reports_, {}).front();
}

} // namespace assay::jit
