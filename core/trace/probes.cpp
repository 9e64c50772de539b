#include "core/trace/probes.hpp"

#include "core/engine/support/function_info.hpp"
#include "core/trace/describe.hpp"
#include "core/trace/runtime_functions.hpp"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include <optional>

using namespace llvm;

namespace assay::trace {

namespace {

using engine::FunctionInfo;
using engine::UserRule;

constexpr unsigned widest_vector = 16;

/// Of one floating-point type.
struct Probe {
  Function *function = nullptr;
};

/// The functions that the program is given: probes with their derivatives, and what they call.
class ProbeFunctions {
public:
  explicit ProbeFunctions(Module &module) : module_(module), context_(module.getContext()) {}

  Function *probe(Type *type) {
    Probe &known = probes_[type];
    if (!known.function)
      known.function = write(type);
    return known.function;
  }

  FunctionCallee inactive_runtime(StringRef name, ArrayRef<Type *> parameters) {
    return inactive_runtime_function(module_, name, parameters);
  }

private:
  FunctionCallee runtime(StringRef name, Type *result, ArrayRef<Type *> parameters) {
    return runtime_function(module_, name, result, parameters);
  }

  Function *define(const Twine &name, Type *result, ArrayRef<Type *> parameters) {
    auto *function =
        Function::Create(FunctionType::get(result, parameters, false), GlobalValue::InternalLinkage, name, module_);
    make_harmless(*function);
    function->removeFnAttr(Attribute::NoCallback);
    function->addFnAttr(Attribute::NoInline);
    BasicBlock::Create(context_, "", function);
    return function;
  }

  static Value *as_double(IRBuilder<> &builder, Value *value) {
    return builder.CreateFPCast(value, builder.getDoubleTy());
  }

  Function *write(Type *type) {
    std::string name;
    raw_string_ostream(name) << "assay_probe_" << *type;
    Type *site = Type::getInt32Ty(context_);
    Function *probe = define(name, type, {type, site});
    IRBuilder<> builder(&probe->getEntryBlock());
    Type *real = builder.getDoubleTy();
    Value *amount = builder.CreateCall(runtime("number", real, {real, site}),
                                       {as_double(builder, probe->getArg(0)), probe->getArg(1)});
    Value *moved = builder.CreateFAdd(probe->getArg(0), builder.CreateFPCast(amount, type));
    Value *still = builder.CreateFCmpOEQ(amount, ConstantFP::get(real, 0));
    builder.CreateRet(builder.CreateSelect(still, probe->getArg(0), moved)); // The same bits, -0 and NaN too.
    write_table(module_, "__enzyme_register_derivative_" + name, {probe, write_forward(name, type)});
    write_table(module_, "__enzyme_register_gradient_" + name,
                {probe, write_augmented(name, type), write_reverse(name, type)});
    return probe;
  }

  Function *write_forward(StringRef name, Type *type) {
    Type *site = Type::getInt32Ty(context_);
    Type *pair = StructType::get(type, type);
    Function *forward = define(name + "_forward", pair, {type, type, site});
    IRBuilder<> builder(&forward->getEntryBlock());
    Type *real = builder.getDoubleTy();
    builder.CreateCall(
        runtime("tangent", builder.getVoidTy(), {real, real, site}),
        {as_double(builder, forward->getArg(0)), as_double(builder, forward->getArg(1)), forward->getArg(2)});
    Value *result = builder.CreateInsertValue(PoisonValue::get(pair), forward->getArg(0), 0);
    builder.CreateRet(builder.CreateInsertValue(result, forward->getArg(1), 1));
    return forward;
  }

  Function *write_augmented(StringRef name, Type *type) {
    Type *site = Type::getInt32Ty(context_), *pointer = PointerType::getUnqual(context_);
    Type *pair = StructType::get(pointer, type);
    Function *augmented = define(name + "_augmented", pair, {type, site});
    IRBuilder<> builder(&augmented->getEntryBlock());
    Value *position = builder.CreateCall(runtime("position", builder.getInt64Ty(), {builder.getDoubleTy(), site}),
                                         {as_double(builder, augmented->getArg(0)), augmented->getArg(1)});
    Value *result = builder.CreateInsertValue(PoisonValue::get(pair), builder.CreateIntToPtr(position, pointer), 0);
    builder.CreateRet(builder.CreateInsertValue(result, augmented->getArg(0), 1));
    return augmented;
  }

  Function *write_reverse(StringRef name, Type *type) {
    Type *site = Type::getInt32Ty(context_), *pointer = PointerType::getUnqual(context_);
    Function *reverse = define(name + "_reverse", type, {type, site, type, pointer});
    IRBuilder<> builder(&reverse->getEntryBlock());
    Type *position = builder.getInt64Ty();
    builder.CreateCall(runtime("adjoint", builder.getVoidTy(), {position, builder.getDoubleTy()}),
                       {builder.CreatePtrToInt(reverse->getArg(3), position), as_double(builder, reverse->getArg(2))});
    builder.CreateRet(reverse->getArg(2));
    return reverse;
  }

  Module &module_;
  LLVMContext &context_;
  DenseMap<Type *, Probe> probes_;
};

bool can_be_seen(const Type *type) {
  if (const auto *vector = dyn_cast<FixedVectorType>(type))
    return vector->getNumElements() <= widest_vector && can_be_seen(vector->getElementType());
  return type->isDoubleTy() || type->isFloatTy() || type->isX86_FP80Ty();
}

/// Operations that compute with the numbers they take, or take them away.
bool takes_numbers(const Instruction &instruction) {
  return isa<BinaryOperator, UnaryOperator, FPTruncInst, FPExtInst, CallBase, StoreInst, ReturnInst, SelectInst>(
      instruction);
}

/// A value without a derivative needs no probe.
bool gives_number(const Instruction &instruction) {
  return can_be_seen(instruction.getType()) &&
         !isa<PHINode, SIToFPInst, UIToFPInst, BitCastInst, FreezeInst, InsertElementInst, ShuffleVectorInst>(
             instruction);
}

/// Puts probes into one function.
class FunctionProber {
public:
  FunctionProber(Function &function, const FunctionInfo &function_info, ProbeFunctions &functions,
                 std::vector<Site> &sites)
      : function_(function), function_info_(function_info), functions_(functions), sites_(sites) {}

  void run() {
    SmallVector<Instruction *, 64> all;
    for (Instruction &instruction : instructions(function_))
      all.push_back(&instruction);
    for (Instruction *instruction : all)
      probe(*instruction);
    add_runtime_effects(function_);
  }

private:
  void probe(Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (call && (isa<DbgInfoIntrinsic>(call) || call->isMustTailCall() || call->isInlineAsm()))
      return;
    if (call && !isa<IntrinsicInst>(call)) {
      add_runtime_effects(*call);
      mark(*call);
    }
    if (takes_numbers(instruction))
      for (unsigned index = 0; index < count_of_operands(instruction); ++index)
        probe_operand(instruction, index);
    if (gives_number(instruction))
      probe_result(instruction);
  }

  static unsigned count_of_operands(const Instruction &instruction) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    return call ? call->arg_size() : instruction.getNumOperands();
  }

  /// Calls of code that is not followed and that may reach memory.
  void mark(CallBase &call) {
    const Function *callee = call.getCalledFunction();
    const bool followed = callee && !callee->isDeclaration() && !function_info_.rule(*callee);
    const bool reaches_memory = any_of(call.args(), [](const Use &use) { return use->getType()->isPointerTy(); });
    if (followed || !reaches_memory || (callee && function_info_.is_inactive(*callee)))
      return;
    IRBuilder<> builder(&call);
    Type *site = builder.getInt32Ty();
    builder.CreateCall(functions_.inactive_runtime("mark", {site}),
                       {new_site(builder, Site::Kind::call, describe(call), call)});
  }

  Value *new_site(IRBuilder<> &builder, Site::Kind kind, std::string what, const Instruction &instruction) {
    sites_.push_back({kind, std::move(what), place_of(instruction)});
    return builder.getInt32(static_cast<std::uint32_t>(sites_.size() - 1));
  }

  void probe_operand(Instruction &instruction, unsigned index) {
    Value *operand = instruction.getOperand(index);
    if (!can_be_seen(operand->getType()) || isa<Constant>(operand))
      return;
    IRBuilder<> builder(&instruction);
    auto *store = dyn_cast<StoreInst>(&instruction);
    if (store)
      note_address(builder, *store->getPointerOperand());
    Value *site = new_site(builder, store ? Site::Kind::stored : Site::Kind::operand,
                           describe_operand(instruction, index), instruction);
    instruction.setOperand(index, seen(builder, operand, site));
  }

  void probe_result(Instruction &instruction) {
    const std::optional<BasicBlock::iterator> after = instruction.getInsertionPointAfterDef();
    if (!after || instruction.use_empty())
      return;
    SmallVector<Use *, 8> uses;
    for (Use &use : instruction.uses())
      uses.push_back(&use);
    IRBuilder<> builder((*after)->getParent(), *after);
    builder.SetCurrentDebugLocation(instruction.getDebugLoc());
    auto *load = dyn_cast<LoadInst>(&instruction);
    if (load)
      note_address(builder, *load->getPointerOperand());
    std::string what = isa<CallBase>(instruction) ? "the result of " + describe(instruction) : describe(instruction);
    Value *site = new_site(builder, load ? Site::Kind::loaded : Site::Kind::result, std::move(what), instruction);
    Value *probed = seen(builder, &instruction, site);
    for (Use *use : uses)
      use->set(probed);
  }

  /// Not of variables that are going to be values.
  void note_address(IRBuilder<> &builder, Value &pointer) {
    const auto *variable = dyn_cast<AllocaInst>(getUnderlyingObject(&pointer));
    if (variable && isAllocaPromotable(variable))
      return;
    if (pointer.getType()->getPointerAddressSpace() != 0)
      return;
    builder.CreateCall(functions_.inactive_runtime("address", {builder.getPtrTy()}), {&pointer});
  }

  Value *seen(IRBuilder<> &builder, Value *value, Value *site) {
    auto *vector = dyn_cast<FixedVectorType>(value->getType());
    if (!vector)
      return builder.CreateCall(functions_.probe(value->getType()), {value, site});
    Function *probe = functions_.probe(vector->getElementType());
    Value *result = value;
    for (unsigned lane = 0; lane < vector->getNumElements(); ++lane)
      result = builder.CreateInsertElement(
          result, builder.CreateCall(probe, {builder.CreateExtractElement(value, lane), site}), lane);
    return result;
  }

  Function &function_;
  const FunctionInfo &function_info_;
  ProbeFunctions &functions_;
  std::vector<Site> &sites_;
};

/// Numbers that a rule computes are none of the function.
void enclose_rule(Function &function, ProbeFunctions &functions) {
  if (function.isDeclaration())
    return;
  IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  builder.CreateCall(functions.inactive_runtime("enter_rule", {}));
  for (BasicBlock &block : function)
    if (isa<ReturnInst, ResumeInst>(block.getTerminator())) {
      builder.SetInsertPoint(block.getTerminator());
      builder.CreateCall(functions.inactive_runtime("leave_rule", {}));
    }
  add_runtime_effects(function);
}

/// All functions of the program's own rules, each once.
SetVector<Function *> functions_of_rules(Module &module, const FunctionInfo &function_info) {
  SetVector<Function *> all;
  for (Function &function : module)
    if (const UserRule *rule = function_info.rule(function))
      for (Function *part :
           {rule->primal, rule->forward, rule->augmented, rule->reverse, rule->split_augmented, rule->split_forward})
        if (part)
          all.insert(part);
  return all;
}

bool is_followed(const Function &function, const FunctionInfo &function_info) {
  return !function.isDeclaration() && !function.getName().starts_with("assay_entry_") &&
         !function_info.keeps_call(function) && !function_info.is_inactive(function);
}

} // namespace

std::vector<Site> insert_probes(Module &module) {
  std::vector<Site> sites;
  Expected<FunctionInfo> function_info = FunctionInfo::read(module);
  if (!function_info) { // The engine will say so.
    consumeError(function_info.takeError());
    return sites;
  }
  const SetVector<Function *> rules = functions_of_rules(module, *function_info);
  SmallVector<Function *, 32> followed;
  for (Function &function : module)
    if (is_followed(function, *function_info) && !rules.contains(&function))
      followed.push_back(&function);
  ProbeFunctions functions(module);
  for (Function *function : followed)
    FunctionProber(*function, *function_info, functions, sites).run();
  for (Function *function : rules)
    enclose_rule(*function, functions);
  return sites;
}

} // namespace assay::trace
