#include "core/engine/lowering/dense_pointers.hpp"
#include "core/engine/lowering/call_operands.hpp"
#include "core/engine/lowering/call_replacement.hpp"
#include "core/engine/lowering/derivative_call.hpp"
#include "core/engine/lowering/pointer_accessors.hpp"
#include "core/engine/lowering/resolve_function.hpp"
#include "core/engine/support/constant_resolution.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "core/engine/support/source_signature.hpp"
#include "core/engine/support/undivided_sums.hpp"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <map>
#include <tuple>

using namespace llvm;

namespace assay::engine {
namespace {

// No program has memory there (addresses of users' memory end far below), and two pointers are this far apart.
constexpr std::uint64_t first_address = std::uint64_t(1) << 62, distance = std::uint64_t(1) << 44;

SmallVector<CallBase *, 4> dense_pointers(Module &module) {
  SmallVector<CallBase *, 4> calls;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (auto *callee = dyn_cast<Function>(call->getCalledOperand()->stripPointerCasts());
            callee && convention_call(*callee) == ConventionCall::todense)
          calls.push_back(call);
  return calls;
}

class DenseCall {
public:
  explicit DenseCall(CallBase &call) : call_(call) {}

  Expected<PointerAccessors> read(std::uint64_t address) {
    const SmallVector<Operand, 8> operands =
        call_.arg_size() > first_argument(call_) ? operands_after_function(call_) : SmallVector<Operand, 8>();
    Function *load = operands.empty() ? nullptr : resolve_function(call_);
    Function *store =
        operands.empty() ? nullptr : dyn_cast_or_null<Function>(resolve_constant(written_value(operands[0])));
    if (!load || !store)
      return error("__enzyme_todense is not given two functions that are known when compiling",
                   "write __enzyme_todense(load, store, arguments...)");
    const unsigned count = operands.size() - 1;
    if (Error wrong = check_load(*load, count))
      return wrong;
    if (Error wrong = check_store(*store, *load, count))
      return wrong;
    PointerAccessors accessors{load, store, {}, address};
    IRBuilder<> builder(&call_);
    for (unsigned index = 0; index < count; ++index) {
      const Operand &operand = operands[index + 1];
      Type *type = load->getFunctionType()->getParamType(index + 1);
      const bool in_memory = operand.reference && !(type->isPointerTy() && operand.pointer_depth == 0);
      Type *stored = operand.referenced ? operand.referenced : type;
      if (!is_convertible(in_memory ? stored : operand.value->getType(), type, call_.getDataLayout()))
        return error("argument " + Twine(index + 2) + " of '" + source_name(*load) + "' has another type than what " +
                         "__enzyme_todense is given for it",
                     "cast the value");
      accessors.arguments.push_back(convert_argument(builder, {operand.value, in_memory, 0, stored}, type));
    }
    return accessors;
  }

private:
  Error error(const Twine &reason, const Twine &remedy) const { return unsupported(call_, reason, remedy); }

  static bool is_offset(const Type *type) { return type->isIntegerTy(); }

  Error check_load(Function &load, unsigned count) const {
    FunctionType *type = load.getFunctionType();
    Type *element = type->getReturnType();
    const bool is_element = element->isFloatingPointTy() || element->isIntegerTy() || element->isPointerTy();
    if (is_element && type->getNumParams() == count + 1 && is_offset(type->getParamType(0)))
      return Error::success();
    return error("'" + source_name(load) + "' cannot read for a pointer of __enzyme_todense with " + Twine(count) +
                     (count == 1 ? " argument" : " arguments"),
                 "it takes an offset in bytes and those arguments, and returns a number");
  }

  Error check_store(Function &store, Function &load, unsigned count) const {
    FunctionType *type = store.getFunctionType();
    if (type->getNumParams() == count + 2 && type->getParamType(0) == load.getReturnType() &&
        is_offset(type->getParamType(1)))
      return Error::success();
    return error("'" + source_name(store) + "' cannot write for a pointer of __enzyme_todense with " + Twine(count) +
                     (count == 1 ? " argument" : " arguments"),
                 "it takes a number of the type that '" + source_name(load) +
                     "' returns, an offset in bytes and those arguments");
  }

  CallBase &call_;
};

class DensePointers {
public:
  explicit DensePointers(FunctionAnalysisManager &analyses) : analyses_(analyses) {}

  Error lower(CallBase &call) {
    Expected<PointerAccessors> accessors = DenseCall(call).read(first_address + calls_++ * distance);
    if (!accessors)
      return accessors.takeError();
    Function &function = *call.getFunction();
    IRBuilder<> builder(&call);
    if (Error error = rewrite(function, {{&call, builder.getInt64(0)}}, *accessors))
      return error;
    replace_by_poison(call);
    return Error::success();
  }

private:
  /// Functions that read and write through the same functions share copies.
  using Key = std::tuple<Function *, Function *, Function *, std::uint64_t, std::vector<unsigned>>;

  Error rewrite(Function &function, ArrayRef<AccessedPointer> pointers, const PointerAccessors &accessors) {
    return rewrite_accesses(function, pointers, accessors, [&](CallBase &call, ArrayRef<GivenOffset> given) {
      return call_copy(call, given, accessors);
    });
  }

  Error call_copy(CallBase &call, ArrayRef<GivenOffset> given, const PointerAccessors &accessors) {
    Function *callee = call.getCalledFunction();
    if (!callee || callee->isDeclaration() || callee->isVarArg())
      return unsupported(call,
                         callee
                             ? "a pointer of __enzyme_todense is passed to '" + source_name(*callee) +
                                   "', whose body is not in this file"
                             : "a pointer of __enzyme_todense is passed to a function that is not known when compiling",
                         "let functions of this file alone read and write through it");
    Expected<Function *> copy = specialised(*callee, given, accessors);
    if (!copy)
      return copy.takeError();
    SmallVector<Value *, 8> arguments(call.args());
    for (const GivenOffset &pointer : given) {
      arguments[pointer.operand] = PoisonValue::get(arguments[pointer.operand]->getType());
      arguments.push_back(pointer.offset);
    }
    append_range(arguments, accessors.arguments);
    replace(call, **copy, arguments);
    return Error::success();
  }

  static void replace(CallBase &call, Function &copy, ArrayRef<Value *> arguments) {
    SmallVector<OperandBundleDef, 1> bundles;
    call.getOperandBundlesAsDefs(bundles);
    IRBuilder<> builder(&call);
    CallBase *instead = nullptr;
    if (auto *invoke = dyn_cast<InvokeInst>(&call))
      instead = builder.CreateInvoke(&copy, invoke->getNormalDest(), invoke->getUnwindDest(), arguments, bundles);
    else
      instead = builder.CreateCall(&copy, arguments, bundles);
    instead->setCallingConv(copy.getCallingConv());
    AttributeList attributes;
    for (unsigned index = 0; index < call.arg_size(); ++index)
      attributes = attributes.addParamAttributes(
          call.getContext(), index, AttrBuilder(call.getContext(), copy.getAttributes().getParamAttrs(index)));
    instead->setAttributes(attributes);
    call.replaceAllUsesWith(instead);
    call.eraseFromParent();
  }

  /// A copy of `callee` that takes, at the end, offsets in place of its pointers and the arguments of the accessors.
  Expected<Function *> specialised(Function &callee, ArrayRef<GivenOffset> given, const PointerAccessors &accessors) {
    std::vector<unsigned> parameters;
    for (const GivenOffset &pointer : given)
      parameters.push_back(pointer.operand);
    Function *&copy = copies_[Key(&callee, accessors.load, accessors.store, accessors.address, parameters)];
    if (copy)
      return copy;
    copy = &declare(callee, parameters, accessors);
    Function &made = *copy;
    analyses_.invalidate(callee, PreservedAnalyses::none());
    ValueToValueMapTy map;
    for (auto [from, to] : zip_first(callee.args(), made.args()))
      map[&from] = &to;
    SmallVector<ReturnInst *, 4> returns;
    CloneFunctionInto(&made, &callee, map, CloneFunctionChangeType::LocalChangesOnly, returns);
    clean_attributes(made, parameters);
    promote_stack_slots(made, analyses_); // where at -O0 parameters are
    PointerAccessors own = accessors;
    SmallVector<AccessedPointer, 2> pointers;
    for (auto [index, parameter] : enumerate(parameters))
      pointers.push_back({made.getArg(parameter), made.getArg(callee.arg_size() + index)});
    for (auto [index, argument] : enumerate(own.arguments))
      argument = made.getArg(callee.arg_size() + parameters.size() + index);
    if (Error error = rewrite(made, pointers, own))
      return error;
    return &made;
  }

  static Function &declare(Function &callee, ArrayRef<unsigned> parameters, const PointerAccessors &accessors) {
    FunctionType *type = callee.getFunctionType();
    SmallVector<Type *, 8> types(type->params());
    types.append(parameters.size(), Type::getInt64Ty(callee.getContext()));
    for (Value *argument : accessors.arguments)
      types.push_back(argument->getType());
    return *Function::Create(FunctionType::get(type->getReturnType(), types, false), GlobalValue::InternalLinkage,
                             callee.getAddressSpace(), callee.getName() + ".assay.dense", callee.getParent());
  }

  /// What was known of the function was known without the two that it calls now.
  static void clean_attributes(Function &copy, ArrayRef<unsigned> parameters) {
    copy.setComdat(nullptr);
    for (const Attribute::AttrKind kind :
         {Attribute::Memory, Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoFree, Attribute::NoSync,
          Attribute::NoCallback, Attribute::NoRecurse, Attribute::Speculatable})
      copy.removeFnAttr(kind);
    for (const unsigned parameter : parameters)
      copy.removeParamAttrs(parameter, AttributeMask(copy.getAttributes().getParamAttrs(parameter)));
  }

  FunctionAnalysisManager &analyses_;
  std::map<Key, Function *> copies_;
  std::uint64_t calls_ = 0;
};

} // namespace

void lower_dense_pointers(Module &module, FunctionAnalysisManager &analyses, std::vector<Failure> &failures) {
  const SmallVector<CallBase *, 4> calls = dense_pointers(module);
  if (calls.empty())
    return;
  SmallPtrSet<Function *, 4> callers;
  for (CallBase *call : calls)
    if (Function &caller = *call->getFunction(); callers.insert(&caller).second)
      promote_stack_slots(caller, analyses);
  DensePointers pointers(analyses);
  for (CallBase *call : calls) {
    Function &caller = *call->getFunction();
    const DebugLoc place = call->getDebugLoc();
    if (Error error = pointers.lower(*call)) {
      failures.push_back({&caller, place, std::move(error)});
      replace_by_poison(*call);
    }
    analyses.invalidate(caller, PreservedAnalyses::none());
  }
  divide_sums(module);
}

} // namespace assay::engine
