// Keeps the convention readable while the optimiser works.
//
//   markers       Every use of a marker becomes a use of a stand-in: an external declaration, whose value nothing can
//   fold. tables        Are listed in llvm.compiler.used. functions     Registered functions become weak: what is
//   interposable is not inlined, not specialised, and nothing is
//                 concluded from its body. Bodies that exist only for inlining (available_externally) are kept, because
//                 a derivative may need them.
//                 The device's library of mathematics is kept as calls in the same way.
//   calls         Are not merged: sinking two of them into one would turn their functions and markers into phis.
//   globals       Inactive ones end derivatives, also where a store to one would be forwarded to its load.
//
// Each change is noted in an attribute or in metadata, so that the reverse needs nothing but the module.

#include "core/engine/lowering/protect.hpp"
#include "core/engine/lowering/body_effects.hpp"
#include "core/engine/lowering/device_library.hpp"
#include "core/engine/lowering/float_copies.hpp"
#include "core/engine/lowering/inactive_globals.hpp"
#include "core/engine/lowering/kernel_bodies.hpp"
#include "core/engine/lowering/lower_calls.hpp"
#include "core/engine/support/constant_resolution.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/support/function_info.hpp"
#include "core/engine/support/source_signature.hpp"
#include "core/engine/support/spread_parameters.hpp"
#include "core/engine/support/undivided_sums.hpp"
#include "core/engine/tidy/inline_derivatives.hpp"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr StringLiteral linkage_attribute = "assay-linkage";
constexpr StringLiteral visibility_attribute = "assay-visibility";
constexpr StringLiteral inline_attribute = "assay-alwaysinline";
constexpr StringLiteral table_metadata = "assay.table";
constexpr StringLiteral original_metadata = "assay.marker.original";

// ---- markers

/// A thread-local marker is read through an intrinsic that a stand-in has no use for.
void drop_thread_local_addresses(GlobalVariable &global) {
  for (User *user : make_early_inc_range(global.users()))
    if (auto *address = dyn_cast<IntrinsicInst>(user);
        address && address->getIntrinsicID() == Intrinsic::threadlocal_address) {
      address->replaceAllUsesWith(&global);
      address->eraseFromParent();
    }
}

void stand_in_for(GlobalVariable &global, Marker kind) {
  drop_thread_local_addresses(global);
  auto *stand_in =
      new GlobalVariable(*global.getParent(), global.getValueType(), false, GlobalValue::ExternalLinkage, nullptr,
                         marker_prefix + name_of(kind), nullptr, GlobalValue::NotThreadLocal, global.getAddressSpace());
  stand_in->setAlignment(global.getAlign());
  stand_in->setMetadata(original_metadata,
                        MDNode::get(global.getContext(), MDString::get(global.getContext(), global.getName())));
  global.replaceUsesWithIf(stand_in, [](Use &use) { return !isa<GlobalValue>(use.getUser()); });
}

bool protect_markers(Module &module) {
  SmallVector<std::pair<GlobalVariable *, Marker>, 8> found;
  for (GlobalVariable &global : module.globals())
    if (std::optional<Marker> kind = marker(global); kind && !global.getName().starts_with(marker_prefix))
      found.push_back({&global, *kind});
  for (auto [global, kind] : found)
    if (!global->isDeclaration() || global->isThreadLocal())
      stand_in_for(*global, kind);
  return !found.empty();
}

bool only_dead_uses_of_value(User &user) {
  auto *instruction = dyn_cast<Instruction>(&user);
  return instruction && isInstructionTriviallyDead(instruction);
}

/// A load of a marker that was only stored for the convention's call: its readers are gone.
void erase_dead_loads(GlobalVariable &global) {
  SmallVector<WeakTrackingVH, 8> users(global.users());
  for (const WeakTrackingVH &user : users)
    if (auto *load = dyn_cast_or_null<Instruction>(user))
      if (only_dead_uses_of_value(*load))
        RecursivelyDeleteTriviallyDeadInstructions(load);
}

/// A marker that the program still reads (an -O0 variable that holds one) gets a value, so that nothing is left to
/// link.
void define_here(GlobalVariable &global) {
  global.setLinkage(GlobalValue::InternalLinkage);
  global.setVisibility(GlobalValue::DefaultVisibility);
  global.setDLLStorageClass(GlobalValue::DefaultStorageClass);
  global.setInitializer(Constant::getNullValue(global.getValueType()));
}

void restore_marker(GlobalVariable &global) {
  removeFromUsedLists(*global.getParent(), [&](Constant *used) { return used->stripPointerCasts() == &global; });
  erase_dead_loads(global);
  global.removeDeadConstantUsers();
  if (MDNode *original = global.getMetadata(original_metadata); original && !global.use_empty())
    if (auto *source =
            global.getParent()->getGlobalVariable(cast<MDString>(original->getOperand(0))->getString(), true);
        source && source != &global)
      global.replaceAllUsesWith(source);
  if (global.use_empty() && global.isDeclaration())
    global.eraseFromParent();
  else if (global.isDeclaration())
    define_here(global);
}

// ---- registration tables and their functions

bool protect_tables(Module &module) {
  SmallVector<GlobalValue *, 8> tables;
  for (GlobalVariable &global : module.globals())
    if (registration_table(global) && global.hasInitializer() && !global.hasMetadata(table_metadata)) {
      global.setMetadata(table_metadata, MDNode::get(module.getContext(), {}));
      tables.push_back(&global);
    }
  appendToCompilerUsed(module, tables);
  return !tables.empty();
}

void keep_linkage(Function &function, GlobalValue::LinkageTypes meanwhile) {
  function.addFnAttr(linkage_attribute, utostr(function.getLinkage()));
  function.addFnAttr(visibility_attribute, utostr(function.getVisibility()));
  function.setLinkage(meanwhile);
  function.setVisibility(GlobalValue::DefaultVisibility);
}

void protect_function(Function &function) {
  if (function.isDeclaration() || function.hasFnAttribute(linkage_attribute) || function.isInterposable())
    return;
  keep_linkage(function, GlobalValue::WeakAnyLinkage);
  if (!function.hasFnAttribute(Attribute::AlwaysInline))
    return;
  function.removeFnAttr(Attribute::AlwaysInline);
  function.addFnAttr(inline_attribute);
}

/// Unlike a weak body, an available_externally body that is made linkonce_odr may still be inlined.
void keep_bodies(Module &module) {
  for (Function &function : module)
    if (function.hasAvailableExternallyLinkage())
      keep_linkage(function, GlobalValue::LinkOnceODRLinkage);
}

unsigned take_number(Function &function, StringRef attribute) {
  unsigned number = 0;
  function.getFnAttribute(attribute).getValueAsString().getAsInteger(10, number);
  function.removeFnAttr(attribute);
  return number;
}

void restore_function(Function &function) {
  const auto linkage = GlobalValue::LinkageTypes(take_number(function, linkage_attribute));
  const auto visibility = GlobalValue::VisibilityTypes(take_number(function, visibility_attribute));
  if (function.hasFnAttribute(inline_attribute)) {
    function.removeFnAttr(inline_attribute);
    function.addFnAttr(Attribute::AlwaysInline);
  }
  if (function.isDeclaration())
    return;
  function.setLinkage(linkage);
  function.setVisibility(visibility);
}

// ---- calls

/// `__enzyme_iter(n, more)` is moved and merged like arithmetic.
void count_is_a_value(Function &function) {
  function.setDoesNotAccessMemory();
  function.setDoesNotThrow();
  function.setWillReturn();
}

bool protect_calls(Module &module) {
  bool any = false;
  for (Function &function : module)
    if (function.isDeclaration() && convention_call(function)) {
      function.addFnAttr(Attribute::NoMerge);
      if (convention_call(function) == ConventionCall::iterations)
        count_is_a_value(function);
      any = true;
    }
  return any;
}

/// The table's only purpose was to be read; a program that reads it itself keeps it.
void release_table(GlobalVariable &table) {
  table.setMetadata(table_metadata, nullptr);
  removeFromUsedLists(*table.getParent(), [&](Constant *used) { return used->stripPointerCasts() == &table; });
}

// ---- functions without their rules, for tests of these

constexpr StringLiteral without_rule_name = "__assay_without_rule";

Function *without_rule(Function &function) {
  ValueToValueMapTy map;
  Function *copy = CloneFunction(&function, map);
  copy->setName(function.getName() + ".without_rule");
  copy->setLinkage(GlobalValue::InternalLinkage);
  copy->setVisibility(GlobalValue::DefaultVisibility);
  copy->setComdat(nullptr);
  return copy;
}

/// Writes the request for the code of a function that has a rule: a choice among those of the file.
void write_choice(Function &asked, ArrayRef<std::pair<Function *, Function *>> copies) {
  IRBuilder<> builder(BasicBlock::Create(asked.getContext(), "", &asked));
  Value *chosen = Constant::getNullValue(asked.getReturnType());
  for (auto [function, copy] : copies)
    chosen = builder.CreateSelect(builder.CreateICmpEQ(asked.getArg(0), function), copy, chosen);
  builder.CreateRet(chosen);
  asked.setLinkage(GlobalValue::InternalLinkage);
}

void copy_functions_with_rules(Module &module, const FunctionInfo &function_info) {
  SmallVector<Function *, 2> asked;
  SmallVector<Function *, 8> functions;
  for (Function &function : module) {
    if (function.isDeclaration() && function.getName().contains(without_rule_name) && function.arg_size() == 1)
      asked.push_back(&function);
    if (!function.isDeclaration() && function_info.rule(function))
      functions.push_back(&function);
  }
  if (asked.empty())
    return;
  SmallVector<std::pair<Function *, Function *>, 8> copies;
  for (Function *function : functions)
    copies.emplace_back(function, without_rule(*function));
  for (Function *function : asked)
    write_choice(*function, copies);
}

/// Functions of numbers in the device's library, which are only declared or kept as calls: what is known of their
/// bodies otherwise. So equal calls become one, and loads on both sides of one, too.
void note_no_effects(Function &function) {
  if (any_of(function.args(), [](const Argument &argument) { return argument.getType()->isPointerTy(); }))
    return;
  function.setDoesNotAccessMemory();
  function.setDoesNotThrow();
  function.setWillReturn();
}

} // namespace

GlobalValue::LinkageTypes linkage_in_program(const Function &function) {
  unsigned number = function.getLinkage();
  if (const Attribute note = function.getFnAttribute(linkage_attribute); note.isValid())
    note.getValueAsString().getAsInteger(10, number);
  return GlobalValue::LinkageTypes(number);
}

bool protect_convention(Module &module) {
  absorb_parameter_notes(module);
  const bool calls = protect_calls(module);
  const bool tables = protect_tables(module);
  if (!calls && !tables)
    return false;
  note_spread_parameters(module);
  protect_markers(module);
  join_sums(module);
  keep_bodies(module);
  Expected<FunctionInfo> function_info = FunctionInfo::read(module);
  if (!function_info) { // reported when the calls are lowered
    consumeError(function_info.takeError());
    return true;
  }
  copy_functions_with_rules(module, *function_info);
  for (Function &function : module)
    if (function_info->is_open(function))
      note_effects(function);
  for (Function &function : module)
    if (function_info->keeps_call(function) && !function_info->may_be_inlined_before(function)) {
      protect_function(function);
      if (const UserRule *rule = function_info->rule(function); rule && rule->rule_template)
        function.addFnAttr(inline_late_attribute);
    }
  for (Function &function : module) {
    if (is_device_library_function(function))
      note_no_effects(function);
    if (is_linked_device_function(function))
      protect_function(function);
  }
  protect_inactive_globals(module, *function_info);
  copy_floats_as_floats(module);
  return true;
}

void unprotect_convention(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    if (function.hasFnAttribute(linkage_attribute))
      restore_function(function);
    else if (function.isDeclaration() && function.use_empty() && convention_call(function))
      function.eraseFromParent();
  }
  // The lists of used values are written anew with every change, so they must not be walked over meanwhile.
  SmallVector<GlobalVariable *, 16> changed;
  for (GlobalVariable &global : module.globals())
    if (global.hasMetadata(table_metadata) || marker(global))
      changed.push_back(&global);
  for (GlobalVariable *global : changed) {
    if (global->hasMetadata(table_metadata))
      release_table(*global);
    else
      restore_marker(*global);
  }
}

PreservedAnalyses ProtectPass::run(Module &module, ModuleAnalysisManager &) {
  const bool has_bodies = take_kernel_bodies(module);
  return protect_convention(module) || has_bodies ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace assay::engine
