#include "core/engine/prepare/resolve_calls.hpp"
#include "core/engine/analysis/global_variables.hpp"
#include "core/engine/analysis/library_effects.hpp"
#include "core/engine/prepare/library_exceptions.hpp"
#include "core/engine/prepare/noreturn_path_calls.hpp"
#include "core/engine/prepare/other_prototypes.hpp"
#include "core/engine/prepare/reference_sizes.hpp"
#include "core/engine/prepare/started_threads.hpp"
#include "core/engine/rules/stop_program.hpp"
#include "core/engine/support/call_marks.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "core/engine/support/open_calls.hpp"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr unsigned most_candidates = 400; // beyond that comparing with each costs more than it gives

/// C++'s run time is given destructors, which only it calls.
bool takes_destructor(const Function &callee) {
  const LibraryRole role = library_role(callee);
  return role == LibraryRole::throw_exception || role == LibraryRole::run_at_exit;
}

bool is_convention_call(const User *user) {
  const auto *call = dyn_cast<CallBase>(user);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && convention_call(*callee);
}

/// A variable of unoptimised code from which only calls of the convention take what is in it.
bool is_argument_of_convention(const Value &place) {
  return isa<AllocaInst>(place) && all_of(place.uses(), [](const Use &use) {
           if (isa<StoreInst>(use.getUser()))
             return use.getOperandNo() == StoreInst::getPointerOperandIndex();
           return isa<LoadInst>(use.getUser()) && all_of(use.getUser()->users(), is_convention_call);
         });
}

/// True when `user` keeps the function's address where a call may find it: not a direct call, not a call or a table of
/// the convention, not a destructor for the run time, not a virtual table (those are searched by slot).
bool takes_address(const Use &use, unsigned depth) {
  const User *user = use.getUser();
  if (auto *call = dyn_cast<CallBase>(user)) {
    const Function *callee = call->getCalledFunction();
    return !call->isCallee(&use) && !is_convention_call(user) && !(callee && takes_destructor(*callee));
  }
  if (const auto *store = dyn_cast<StoreInst>(user))
    return !is_argument_of_convention(*store->getPointerOperand());
  if (auto *global = dyn_cast<GlobalVariable>(user))
    return !registration_table(*global) && !is_virtual_table(*global) && !global->getName().starts_with("llvm.");
  if (!isa<Constant>(user) || depth == 0)
    return true;
  return any_of(user->uses(), [&](const Use &outer) { return takes_address(outer, depth - 1); });
}

bool has_address_taken(const Function &function) {
  return any_of(function.uses(), [](const Use &use) { return takes_address(use, 4); });
}

/// True when a constant of the program, other than a virtual table, keeps the function's address.
bool is_in_table(const Function &function) {
  const auto keeps_it = [](const User *user) {
    const auto *global = dyn_cast<GlobalVariable>(user);
    return global && global->isConstant() && takes_address(*global->op_begin(), 1);
  };
  return any_of(function.users(), [&](const User *user) {
    return keeps_it(user) || (isa<ConstantAggregate>(user) && any_of(user->users(), [&](const User *outer) {
                                return keeps_it(outer) ||
                                       (isa<ConstantAggregate>(outer) && any_of(outer->users(), keeps_it));
                              }));
  });
}

/// Where the addresses of functions begin in a part of a virtual table: behind the type information, or, without that,
/// at the first function. Before it stand offsets, more of them where bases are virtual.
unsigned address_point(const ConstantArray &entries) {
  const unsigned size = entries.getNumOperands();
  for (unsigned index = 0; index < size; ++index) {
    const Constant *entry = entries.getOperand(index)->stripPointerCasts();
    if (isa<Function>(entry))
      return index;
    if (isa<GlobalVariable>(entry))
      return index + 1;
  }
  return size;
}

/// What stands at `offset` behind the address points of the module's virtual tables.
SetVector<Function *> functions_at_slot(Module &module, std::int64_t offset) {
  SetVector<Function *> found;
  for (GlobalVariable &global : module.globals()) {
    if (!is_virtual_table(global))
      continue;
    for (const Use &group : global.getInitializer()->operands()) {
      const auto *entries = dyn_cast<ConstantArray>(group.get());
      const std::int64_t index =
          entries ? address_point(*entries) + offset / module.getDataLayout().getPointerSize() : 0;
      if (entries && index < entries->getNumOperands())
        if (auto *function = dyn_cast<Function>(entries->getOperand(index)->stripPointerCasts()))
          found.insert(function);
    }
  }
  return found;
}

/// All functions in the module's virtual tables.
SetVector<Function *> virtual_functions(Module &module) {
  SetVector<Function *> found;
  for (GlobalVariable &global : module.globals())
    if (is_virtual_table(global))
      for (const Use &group : global.getInitializer()->operands())
        if (const auto *entries = dyn_cast<ConstantArray>(group.get()))
          for (const Use &entry : drop_begin(entries->operands(), address_point(*entries)))
            if (auto *function = dyn_cast<Function>(entry.get()->stripPointerCasts()))
              found.insert(function);
  return found;
}

/// The program has memory resources whose code is in the C++ library.
bool uses_memory_resources(const Module &module) {
  const auto is_elsewhere = [](const GlobalValue &value) {
    return value.isDeclaration() && value.getName().contains("St3pmr");
  };
  return any_of(module.functions(), is_elsewhere) || any_of(module.globals(), is_elsewhere);
}

/// Of the function that stops the program, where `uses_memory_resources`.
constexpr StringLiteral memory_resources_attribute = "assay.memory_resources";

/// Prints what happened and stops the program: a derivative that is silently zero would be worse. Given a text and its
/// length.
FunctionCallee stopper(Module &module) {
  LLVMContext &context = module.getContext();
  FunctionCallee callee = module.getOrInsertFunction("assay.unknown_callee", Type::getVoidTy(context),
                                                     PointerType::getUnqual(context), Type::getInt64Ty(context));
  auto *function = cast<Function>(callee.getCallee());
  if (!function->isDeclaration())
    return callee;
  function->setLinkage(GlobalValue::InternalLinkage);
  function->setDoesNotReturn();
  function->setDoesNotThrow();
  function->addFnAttr(Attribute::NoInline);
  function->addFnAttr(Attribute::Cold);
  if (uses_memory_resources(module))
    function->addFnAttr(memory_resources_attribute);
  IRBuilder<> builder(BasicBlock::Create(context, "", function));
  emit_stop_with_message(builder, *function->getArg(0), *function->getArg(1));
  builder.CreateUnreachable();
  return callee;
}

std::string stop_message(const IRBuilderBase &builder, const Function &stopper) {
  std::string text;
  raw_string_ostream out(text);
  out << "assay: ";
  if (const DebugLoc place = builder.getCurrentDebugLocation())
    out << cast<DIScope>(place.getScope())->getFilename() << ':' << place.getLine() << ": ";
  out << "in '" << source_name(*builder.GetInsertBlock()->getParent())
      << "' a differentiated call through a pointer reached a function that is not part of its source file, or that "
         "has no derivative";
  if (stopper.hasFnAttribute(memory_resources_attribute))
    out << "; memory resources of std::pmr are such functions: let containers allocate with new, or write a resource "
           "in this file";
  out << '\n';
  return text;
}

void stop_instead_of(CallBase &call) {
  IRBuilder<> builder(&call);
  emit_stop(builder);
  changeToUnreachable(&call);
}

void keep_callable(SetVector<Function *> &functions, const CallBase &call) {
  functions.remove_if([&](Function *function) {
    return function->getFunctionType() != call.getFunctionType() || !isLegalToPromote(call, function) ||
           refers_to_larger_objects(call, *function);
  });
}

/// Whether TBAA tells that `callee` was loaded from a virtual table of C++, or from something else; none where it does
/// not say.
std::optional<bool> is_virtual_table_load(const Value *callee) {
  const auto *slot = dyn_cast<LoadInst>(callee);
  const auto *table = slot ? dyn_cast<LoadInst>(slot->getPointerOperand()->stripInBoundsConstantOffsets()) : nullptr;
  const MDNode *tag = table ? table->getMetadata(LLVMContext::MD_tbaa) : nullptr;
  return tag ? std::optional(tag->isTBAAVtableAccess()) : std::nullopt;
}

/// True for the invoker of a std::function of libstdc++.
bool is_function_object_invoker(const Function &function) {
  return function.getName().starts_with("_ZNSt17_Function_handler") && function.getName().contains("9_M_invoke");
}

void mark_unlikely(CallBase &call) {
  call.addFnAttr(Attribute::get(call.getContext(), unlikely_candidate_attribute));
}

void mark_candidates(ArrayRef<CallBase *> calls) {
  for (CallBase *call : calls)
    call->addFnAttr(Attribute::get(call->getContext(), candidates_attribute, utostr(calls.size())));
}

/// True for what was read from an object, for a place in a virtual table, and for a choice among such.
bool is_address_of_table(const Value &address, unsigned depth) {
  if (isa<LoadInst>(address))
    return true;
  if (const auto *global = dyn_cast<GlobalVariable>(address.stripInBoundsConstantOffsets()))
    return is_virtual_table(*global);
  const auto *choice = dyn_cast<Instruction>(&address);
  if (depth == 0 || !choice || !isa<PHINode, SelectInst>(choice))
    return false;
  const unsigned first = isa<SelectInst>(choice) ? 1 : 0; // behind the condition
  return all_of(drop_begin(choice->operands(), first), [&](const Use &operand) {
    return operand.get() == choice || is_address_of_table(*operand, depth - 1);
  });
}

/// True for what a pointer to a member function is called by: it holds the address of a function, or a place in the
/// object's virtual table.
bool is_member_function(const Value &callee) {
  const auto *choice = dyn_cast<Instruction>(&callee);
  if (!choice || !isa<PHINode, SelectInst>(choice))
    return false;
  const unsigned first = isa<SelectInst>(choice) ? 1 : 0; // behind the condition
  return any_of(drop_begin(choice->operands(), first), [](const Use &operand) {
    const auto *slot = dyn_cast<LoadInst>(operand.get());
    const auto *place = slot ? dyn_cast<GEPOperator>(slot->getPointerOperand()) : nullptr;
    return place && isa<LoadInst>(getUnderlyingObject(place)) && !isa<LoadInst>(place->stripInBoundsConstantOffsets());
  });
}

/// True when the function that calls may return without this call.
bool may_be_passed_by(const CallBase &call) {
  df_iterator_default_set<const BasicBlock *> seen;
  seen.insert(call.getParent());
  return any_of(depth_first_ext(&call.getFunction()->getEntryBlock(), seen),
                [](const BasicBlock *block) { return isa<ReturnInst>(block->getTerminator()); });
}

/// Which candidates may have no derivative. Each question is answered once for all calls of a function.
struct DoubtfulCandidates {
  UnknownReach unknown;
  HandlerReach handlers;
  DenseMap<Function *, bool> asking{};

  bool asks(Function &candidate) {
    const auto [known, is_new] = asking.try_emplace(&candidate, false);
    if (is_new)
      known->second = asks_for_derivatives(candidate);
    return known->second;
  }

  /// Only beside candidates that can be differentiated: a lone one gets its compile error. Those that may catch a
  /// derivative are in doubt only beside others of which nothing is to be feared.
  /// One that asks for derivatives does so in a circle: it starts what is differentiated here, and is not called by it.
  void mark(ArrayRef<CallBase *> calls) {
    for (CallBase *call : calls)
      if (Function *candidate = call->getCalledFunction(); candidate && asks(*candidate))
        mark_unlikely(*call);
    const auto reaches_unknown = [&](CallBase *call) { return unknown.reaches_unknown(*call); };
    const auto in_doubt = [&](CallBase *call) { return reaches_unknown(call) || handlers.reaches_handler(*call); };
    if (!all_of(calls, in_doubt))
      for_each(make_filter_range(calls, in_doubt), [](CallBase *call) { mark_unlikely(*call); });
    else if (!all_of(calls, reaches_unknown))
      for_each(make_filter_range(calls, reaches_unknown), [](CallBase *call) { mark_unlikely(*call); });
  }
};

} // namespace

unsigned number_of_candidates(const CallBase &call) {
  unsigned number = 1;
  const Attribute mark = call.getFnAttr(candidates_attribute);
  if (mark.isValid())
    mark.getValueAsString().getAsInteger(10, number);
  return number;
}

std::optional<std::int64_t> virtual_slot(Value *callee, const DataLayout &layout) {
  auto *slot = dyn_cast<LoadInst>(callee);
  if (!slot)
    return std::nullopt;
  APInt offset(64, 0);
  Value *table = slot->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
  if (!is_address_of_table(*table, 4) || offset.isNegative() || !offset.isAligned(layout.getPointerABIAlignment(0)))
    return std::nullopt;
  return offset.getSExtValue();
}

SetVector<Function *> candidates(CallBase &call) {
  Module &module = *call.getModule();
  SetVector<Function *> found;
  const std::optional<bool> from_virtual_table = is_virtual_table_load(call.getCalledOperand());
  if (auto offset = virtual_slot(call.getCalledOperand(), module.getDataLayout());
      offset && from_virtual_table.value_or(true))
    found = functions_at_slot(module, *offset);
  keep_callable(found, call);
  if (from_virtual_table.value_or(false))
    return found;
  // A constant table that was made by hand is read in the same way, and so is a function object.
  const bool is_virtual = !found.empty();
  if (is_member_function(*call.getCalledOperand()))
    found.insert_range(virtual_functions(module));
  for (Function &function : module)
    if (!function.isIntrinsic() && function.getFunctionType() == call.getFunctionType() &&
        (is_virtual ? is_in_table(function) || is_function_object_invoker(function) : has_address_taken(function)))
      found.insert(&function);
  keep_callable(found, call);
  return found;
}

SmallVector<Function *, 4> possible_callees(CallBase &call) {
  SmallVector<Function *, 4> functions(candidates(call).takeVector());
  append_range(functions, functions_of_other_prototypes(call, has_address_taken));
  return functions;
}

bool has_candidates(CallBase &call) {
  return !candidates(call).empty() || !functions_of_other_prototypes(call, has_address_taken).empty();
}

void emit_stop(IRBuilderBase &builder) {
  Module &module = *builder.GetInsertBlock()->getModule();
  FunctionCallee callee = stopper(module);
  const std::string text = stop_message(builder, *cast<Function>(callee.getCallee()));
  builder.CreateCall(callee, {builder.CreateGlobalString(text, "", 0, &module), builder.getInt64(text.size())})
      ->setDoesNotReturn();
}

/// Calls that take the place of their function's frame, as those of coroutines that hand over to others, are plain ones
/// in what is differentiated: a choice among callees is no such call, and more is done after one.
static void keep_frames(Function &function) {
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction); call && call->isMustTailCall())
      call->setTailCallKind(CallInst::TCK_Tail);
}

bool resolve_indirect_calls(Function &function, const FunctionInfo &function_info) {
  keep_frames(function);
  SmallVector<CallBase *, 4> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction); call && call->isIndirectCall())
      calls.push_back(call);
  DoubtfulCandidates doubtful{UnknownReach(function_info), HandlerReach(function_info)};
  bool resolved = false;
  for (CallBase *call : calls) {
    const SetVector<Function *> functions = candidates(*call);
    const auto others = functions_of_other_prototypes(*call, has_address_taken);
    const std::size_t number = functions.size() + others.size();
    const bool may_be_of_library = may_be_what_of_library(*call);
    if (number == 0 || number > most_candidates) {
      // No object that this file makes has such a function, or nothing here is called by such a pointer.
      if (virtual_slot(call->getCalledOperand(), function.getDataLayout()) || (number == 0 && may_be_passed_by(*call)))
        mark_unlikely(*call);
      continue;
    }
    SmallVector<CallBase *, 4> direct;
    for (Function *candidate : functions)
      direct.push_back(&promoteCallWithIfThenElse(*call, candidate));
    for (Function *candidate : others)
      direct.push_back(&promote_through_adapter(*call, *candidate));
    doubtful.mark(direct);
    mark_candidates(direct);
    for (CallBase *one : direct)
      answer_by_address(*one);
    if (may_be_of_library) {
      mark_what(*call);
      mark_unlikely(*call);
    } else {
      stop_instead_of(*call);
    }
    resolved = true;
  }
  return resolved;
}

} // namespace assay::engine
