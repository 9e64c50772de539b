#include "core/engine/prepare/variadic_calls.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// The va_list of the System V convention on x86-64: two offsets into the area where registers were saved, a pointer to
/// the arguments on the stack, and that area. With both offsets at their ends all arguments are on the stack.
constexpr std::uint64_t end_of_integers = 48, end_of_floats = 176, stack_at = 8, registers_at = 16, list_size = 24;
constexpr std::uint64_t slot = 8;

bool has_known_list(const Module &module) {
  const Triple &triple = module.getTargetTriple();
  return triple.getArch() == Triple::x86_64 && !triple.isOSWindows();
}

/// One of the arguments behind the fixed ones: its type in memory and where it stands there.
struct Further {
  Type *type;
  std::uint64_t offset;
  bool by_value; ///< A struct that is passed by a pointer to it.
};

struct Layout {
  SmallVector<Further, 4> arguments;
  std::uint64_t size = 0;
};

Layout layout_of(const CallBase &call, unsigned fixed) {
  const DataLayout &data = call.getDataLayout();
  Layout layout;
  for (unsigned index = fixed; index < call.arg_size(); ++index) {
    const bool by_value = call.isByValArgument(index);
    Type *type = by_value ? call.getParamByValType(index) : call.getArgOperand(index)->getType();
    Align alignment = by_value ? call.getParamAlign(index).valueOrOne() : data.getABITypeAlign(type);
    alignment = std::max(alignment, Align(slot));
    layout.size = alignTo(layout.size, alignment);
    layout.arguments.push_back({type, layout.size, by_value});
    layout.size = alignTo(layout.size + data.getTypeAllocSize(type), slot);
  }
  return layout;
}

/// The same name for calls that need the same copy.
std::string copy_name(const Function &callee, const Layout &layout) {
  std::string name;
  raw_string_ostream out(name);
  out << callee.getName() << ".fixed";
  for (const Further &argument : layout.arguments)
    out << (argument.by_value ? ".byval." : ".") << *argument.type;
  return name;
}

FunctionType *type_of_copy(const CallBase &call, const Function &callee) {
  SmallVector<Type *, 8> parameters;
  for (const Use &argument : call.args())
    parameters.push_back(argument->getType());
  return FunctionType::get(callee.getReturnType(), parameters, false);
}

Value *place_arguments(Function &copy, unsigned fixed, const Layout &layout) {
  IRBuilder<> builder(&copy.getEntryBlock(), copy.getEntryBlock().begin());
  AllocaInst *stack = builder.CreateAlloca(ArrayType::get(builder.getInt8Ty(), std::max(layout.size, slot)), nullptr,
                                           "further.arguments");
  stack->setAlignment(Align(16));
  builder.SetInsertPoint(&copy.getEntryBlock(), copy.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  for (auto [index, argument] : enumerate(layout.arguments)) {
    Value *place = builder.CreatePtrAdd(stack, builder.getInt64(argument.offset));
    Value *value = copy.getArg(fixed + index);
    if (argument.by_value)
      builder.CreateMemCpy(place, Align(slot), value, Align(slot),
                           copy.getDataLayout().getTypeAllocSize(argument.type));
    else
      builder.CreateAlignedStore(value, place, Align(slot));
  }
  return stack;
}

void start_list(IntrinsicInst &start, Value *stack) {
  IRBuilder<> builder(&start);
  Value *list = start.getArgOperand(0);
  builder.CreateStore(builder.getInt32(end_of_integers), list);
  builder.CreateStore(builder.getInt32(end_of_floats), builder.CreatePtrAdd(list, builder.getInt64(4)));
  builder.CreateStore(stack, builder.CreatePtrAdd(list, builder.getInt64(stack_at)));
  builder.CreateStore(stack, builder.CreatePtrAdd(list, builder.getInt64(registers_at)));
  start.eraseFromParent();
}

void start_lists(Function &copy, Value *stack) {
  for (Instruction &instruction : make_early_inc_range(instructions(copy)))
    if (auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
        intrinsic && intrinsic->getIntrinsicID() == Intrinsic::vastart)
      start_list(*intrinsic, stack);
}

/// Also of a list that the function is given.
void copy_and_end_lists(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
    if (!intrinsic)
      continue;
    if (intrinsic->getIntrinsicID() == Intrinsic::vacopy) {
      IRBuilder<>(intrinsic).CreateMemCpy(intrinsic->getArgOperand(0), Align(slot), intrinsic->getArgOperand(1),
                                          Align(slot), list_size);
      intrinsic->eraseFromParent();
    } else if (intrinsic->getIntrinsicID() == Intrinsic::vaend) {
      intrinsic->eraseFromParent();
    }
  }
}

Function *fixed_copy(const CallBase &call, Function &callee) {
  const unsigned fixed = callee.arg_size();
  const Layout layout = layout_of(call, fixed);
  const std::string name = copy_name(callee, layout);
  Module &module = *callee.getParent();
  if (Function *existing = module.getFunction(name))
    return existing;
  Function *copy = Function::Create(type_of_copy(call, callee), GlobalValue::InternalLinkage, name, module);
  ValueToValueMapTy map;
  for (Argument &argument : callee.args()) {
    copy->getArg(argument.getArgNo())->setName(argument.getName());
    map[&argument] = copy->getArg(argument.getArgNo());
  }
  SmallVector<ReturnInst *, 4> returns;
  CloneFunctionInto(copy, &callee, map, CloneFunctionChangeType::LocalChangesOnly, returns);
  copy->setLinkage(GlobalValue::InternalLinkage);
  copy->setVisibility(GlobalValue::DefaultVisibility);
  copy->setComdat(nullptr);
  start_lists(*copy, place_arguments(*copy, fixed, layout));
  copy_and_end_lists(*copy);
  return copy;
}

bool calls_variadic_body(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee && callee->isVarArg() && !callee->isDeclaration() &&
         call.getFunctionType() == callee->getFunctionType();
}

void redirect(CallBase &call, Function &copy) {
  const unsigned fixed = call.getCalledFunction()->arg_size();
  for (unsigned index = fixed; index < call.arg_size(); ++index)
    if (call.isByValArgument(index))
      call.removeParamAttr(index, Attribute::ByVal); // the copy reads what the pointer points to
  call.mutateFunctionType(copy.getFunctionType());
  call.setCalledOperand(&copy);
}

} // namespace

Error fix_variadic_calls(Function &function) {
  SmallVector<CallBase *, 4> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction); call && calls_variadic_body(*call))
      calls.push_back(call);
  for (CallBase *call : calls) {
    if (!has_known_list(*function.getParent()))
      return unsupported(*call, "a call of a variadic function, whose va_list is not known for this target",
                         "give it a fixed parameter list");
    redirect(*call, *fixed_copy(*call, *call->getCalledFunction()));
  }
  if (has_known_list(*function.getParent()))
    copy_and_end_lists(function);
  return Error::success();
}

} // namespace assay::engine
