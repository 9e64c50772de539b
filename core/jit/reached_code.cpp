#include "core/jit/reached_code.hpp"

#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/source_signature.hpp"
#include "core/jit/derivative_function.hpp"
#include "core/jit/entries.hpp"
#include "core/jit/extract.hpp"
#include "core/jit/missing_runtime.hpp"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace assay::jit {

void keep_reached(llvm::Module &module, llvm::function_ref<bool(const llvm::GlobalValue &)> is_found_by_name) {
  llvm::internalizeModule(module, [&](const llvm::GlobalValue &value) {
    return value.getName().starts_with("assay_entry_") || is_found_by_name(value);
  });
  llvm::ModuleAnalysisManager analyses;
  llvm::PassInstrumentationCallbacks callbacks;
  analyses.registerPass([&] { return llvm::PassInstrumentationAnalysis(&callbacks); });
  llvm::GlobalDCEPass().run(module, analyses);
}

void drop_unreached(llvm::Module &module, llvm::StringRef checked_function, const llvm::StringSet<> &visible) {
  for (llvm::GlobalVariable &global : module.globals())
    if (visible.contains(global.getName()))
      global.setLinkage(llvm::GlobalValue::ExternalLinkage);
  keep_reached(module, [&](const llvm::GlobalValue &value) {
    return value.getName().contains(engine::convention_prefix) || value.getName().starts_with("enzyme_") ||
           engine::registration_table(value.getName()) || value.getName() == checked_function ||
           visible.contains(value.getName());
  });
}

namespace {

void forget_used_lists(llvm::Module &module) {
  for (const char *name : {"llvm.used", "llvm.compiler.used"})
    if (llvm::GlobalVariable *used = module.getGlobalVariable(name))
      used->eraseFromParent();
}

/// Static tables, and those of templates, go where nothing mentions them. Those of rules that `checked` does not use
/// may: their code would be compiled with every derivative.
void keep_tables(llvm::Module &module, llvm::Function &checked) {
  drop_other_rules(module, checked);
  for (llvm::GlobalVariable &global : module.globals())
    if (engine::registration_table(global) && !global.isDeclaration()) {
      global.setLinkage(llvm::GlobalValue::ExternalLinkage);
      global.setComdat(nullptr);
    }
}

void leave_out(llvm::Module &module, const std::vector<std::string> &tables) {
  for (const std::string &table : tables)
    if (llvm::GlobalVariable *global = module.getGlobalVariable(table, true)) {
      global->setName("assay.left_out");
      global->setLinkage(llvm::GlobalValue::InternalLinkage);
    }
}

} // namespace

ReachedCode::ReachedCode(const ModuleFile &file, const FunctionSignature &function,
                         const std::optional<Derivative> &derivative, const std::vector<std::string> &left_out,
                         const llvm::TargetMachine &machine, DebugInfo debug_info)
    : name_(derivative ? signature_of_derivative(function, *derivative).linkage_name : function.linkage_name),
      module_(llvm::CloneModule(file.module())) {
  if (debug_info == DebugInfo::lines)
    llvm::stripNonLineTableDebugInfo(*module_);
  if (!file.is_device_code())
    define_missing_runtime(*module_);
  forget_used_lists(*module_);
  engine::absorb_parameter_notes(*module_); // Annotations keep functions alive.
  keep_tables(*module_, *module_->getFunction(function.linkage_name));
  jit::leave_out(*module_, left_out);
  llvm::Function &given = *module_->getFunction(function.linkage_name);
  if (file.is_device_code()) {
    given.setCallingConv(llvm::CallingConv::C); // A kernel is called by the kernels that the entries are.
  } else {
    module_->setDataLayout(machine.createDataLayout());
    module_->setPICLevel(llvm::PICLevel::BigPIC);
  }
  share_memory(given, function.passed);
  if (derivative)
    write_derivative_function(given, *derivative);
  // Nothing calls it yet: were it local to the file, it would be dropped as well.
  llvm::Function &checked = checked_function(*module_);
  const llvm::GlobalValue::LinkageTypes linkage = checked.getLinkage();
  checked.setLinkage(llvm::GlobalValue::ExternalLinkage);
  drop_unreached(*module_);
  checked.setLinkage(linkage);
  find_own_variables();
}

std::unique_ptr<llvm::Module> ReachedCode::copy() const {
  return llvm::CloneModule(*module_);
}

void ReachedCode::drop_unreached(llvm::Module &copy) const {
  jit::drop_unreached(copy, name_, visible_variables_);
}

void ReachedCode::find_own_variables() {
  std::unique_ptr<llvm::Module> module = copy();
  write_primal_entry(checked_function(*module), "assay_entry_primal");
  // A variable that is made before the program starts is the function's only where this uses it.
  for (const char *name : {"llvm.global_ctors", "llvm.global_dtors"})
    if (llvm::GlobalVariable *functions = module->getGlobalVariable(name))
      functions->eraseFromParent();
  keep_reached(*module, [](const llvm::GlobalValue &) { return false; });
  own_variables_ = changing_variables(*module);
  for (const auto &variable : changing_variables(*module_))
    if (variable.second == Access::written && own_variables_.contains(variable.first()))
      visible_variables_.insert(variable.first());
}

} // namespace assay::jit
