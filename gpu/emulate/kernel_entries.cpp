// For each kernel K: K.thread runs the thread of the current context, with the arguments of a launch; K.block, where no
// barrier can be reached, is a loop over all threads of a block in which the special registers are the loop's
// variables, so that it can be vectorised. Both are in the table, with the shared memory that K may reach.

#include "gpu/emulate/steps.hpp"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace assay::gpu {

namespace {

constexpr unsigned context_words = 13;

// ---- What a kernel reaches ----

struct Reached {
  SetVector<Function *> functions;
  SetVector<GlobalVariable *> variables;
  bool through_pointers = false;
};

void reach_constant(Constant &constant, Reached &reached) {
  if (auto *function = dyn_cast<Function>(&constant)) {
    reached.functions.insert(function);
  } else if (auto *variable = dyn_cast<GlobalVariable>(&constant)) {
    if (reached.variables.insert(variable) && variable->hasInitializer())
      reach_constant(*variable->getInitializer(), reached);
  } else {
    for (Value *operand : constant.operands())
      if (auto *part = dyn_cast<Constant>(operand))
        reach_constant(*part, reached);
  }
}

Reached reached_by(Function &kernel) {
  Reached reached;
  reached.functions.insert(&kernel);
  for (std::size_t next = 0; next < reached.functions.size(); ++next)
    for (Instruction &instruction : instructions(*reached.functions[next])) {
      if (auto *call = dyn_cast<CallBase>(&instruction))
        reached.through_pointers |= call->isIndirectCall();
      for (Value *operand : instruction.operands())
        if (auto *constant = dyn_cast<Constant>(operand))
          reach_constant(*constant, reached);
    }
  return reached;
}

bool waits(const Function &function) {
  const StringRef name = function.getName();
  return name == "assay_gpu_barrier" || name == "assay_gpu_barrier_arrive" || name == "assay_gpu_warp" ||
         name == "assay_gpu_exit";
}

bool may_wait(const Reached &reached, Module &module) {
  if (any_of(reached.functions, [](const Function *function) { return waits(*function); }))
    return true;
  // A pointer may come from the host or from memory: then any function of the module may be behind it.
  return reached.through_pointers && any_of(module, [](const Function &function) { return waits(function); });
}

// ---- Functions for the runtime ----

/// The arguments of `kernel`, loaded from the addresses in `addresses`. A struct by value stays where it is.
SmallVector<Value *, 8> load_arguments(IRBuilder<> &builder, Function &kernel, Value *addresses) {
  SmallVector<Value *, 8> arguments;
  for (Argument &parameter : kernel.args()) {
    Value *address = builder.CreateLoad(
        builder.getPtrTy(), builder.CreateConstInBoundsGEP1_32(builder.getPtrTy(), addresses, parameter.getArgNo()));
    arguments.push_back(parameter.hasByValAttr() ? address : builder.CreateLoad(parameter.getType(), address));
  }
  return arguments;
}

CallInst *call_kernel(IRBuilder<> &builder, Function &kernel, ArrayRef<Value *> arguments) {
  CallInst *call = builder.CreateCall(&kernel, arguments);
  for (Argument &parameter : kernel.args())
    if (parameter.hasByValAttr())
      call->addParamAttr(parameter.getArgNo(),
                         Attribute::getWithByValType(kernel.getContext(), parameter.getParamByValType()));
  return call;
}

Function *thread_function(Function &kernel) {
  LLVMContext &context = kernel.getContext();
  auto *pointer = PointerType::get(context, 0);
  Function *made = Function::Create(FunctionType::get(Type::getVoidTy(context), {pointer}, false),
                                    GlobalValue::InternalLinkage, kernel.getName() + ".thread", kernel.getParent());
  IRBuilder<> builder(BasicBlock::Create(context, "entry", made));
  call_kernel(builder, kernel, load_arguments(builder, kernel, made->getArg(0)));
  builder.CreateRetVoid();
  return made;
}

/// The word of the thread context that a load reads; its number of words where it reads something else.
unsigned context_word(const LoadInst &load, const GlobalVariable &context) {
  APInt offset(64, 0);
  const Value *base =
      load.getPointerOperand()->stripAndAccumulateConstantOffsets(load.getModule()->getDataLayout(), offset, true);
  return base == &context && load.getType()->isIntegerTy(32) ? static_cast<unsigned>(offset.getZExtValue() / 4)
                                                             : context_words;
}

/// A copy of the kernel with the words of the context as further parameters.
Function *with_context_parameters(Function &kernel) {
  auto *word = Type::getInt32Ty(kernel.getContext());
  SmallVector<Type *, 24> types;
  for (Argument &parameter : kernel.args())
    types.push_back(parameter.getType());
  types.append(context_words, word);
  Function *copy = Function::Create(FunctionType::get(kernel.getReturnType(), types, false),
                                    GlobalValue::InternalLinkage, kernel.getName() + ".in_loop", kernel.getParent());
  ValueToValueMapTy map;
  for (Argument &parameter : kernel.args())
    map[&parameter] = copy->getArg(parameter.getArgNo());
  SmallVector<ReturnInst *, 4> returns;
  CloneFunctionInto(copy, &kernel, map, CloneFunctionChangeType::LocalChangesOnly, returns);
  copy->removeFnAttr("assay-kernel");
  copy->removeFnAttr(Attribute::NoInline);
  copy->addFnAttr(Attribute::AlwaysInline);
  GlobalVariable *context = thread_context(*kernel.getParent());
  for (Instruction &instruction : make_early_inc_range(instructions(*copy)))
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      if (const unsigned index = context_word(*load, *context); index < context_words) {
        load->replaceAllUsesWith(copy->getArg(static_cast<unsigned>(kernel.arg_size()) + index));
        load->eraseFromParent();
      }
  return copy;
}

/// Functions that stay calls inside `function` and read the context.
bool callees_read_context(Function &function) {
  const Reached reached = reached_by(function);
  return reached.through_pointers || reached.variables.contains(thread_context(*function.getParent()));
}

/// for z, y, x: body(arguments, x, y, z, ...).
Function *block_function(Function &kernel) {
  Module &module = *kernel.getParent();
  LLVMContext &context = kernel.getContext();
  auto *pointer = PointerType::get(context, 0);
  auto *word = Type::getInt32Ty(context);
  Function *body = with_context_parameters(kernel);
  const bool writes_context = callees_read_context(*body);
  Function *made = Function::Create(FunctionType::get(Type::getVoidTy(context), {pointer, pointer}, false),
                                    GlobalValue::InternalLinkage, kernel.getName() + ".block", &module);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", made));
  SmallVector<Value *, 24> arguments = load_arguments(builder, kernel, made->getArg(0));
  SmallVector<Value *, context_words> words;
  for (unsigned index = 0; index < context_words; ++index)
    words.push_back(builder.CreateLoad(word, builder.CreateConstInBoundsGEP1_32(word, made->getArg(1), index)));

  BasicBlock *before = builder.GetInsertBlock();
  BasicBlock *heads[3], *ends[3];
  PHINode *counters[3];
  for (int axis = 2; axis >= 0; --axis) { // Every extent is at least 1.
    heads[axis] = BasicBlock::Create(context, "loop", made);
    builder.CreateBr(heads[axis]);
    builder.SetInsertPoint(heads[axis]);
    counters[axis] = builder.CreatePHI(word, 2, "thread");
    counters[axis]->addIncoming(builder.getInt32(0), before);
    before = heads[axis];
  }
  for (unsigned axis = 0; axis < 3; ++axis) {
    words[axis] = counters[axis];
    if (writes_context)
      builder.CreateStore(counters[axis], builder.CreateConstInBoundsGEP2_32(thread_context(module)->getValueType(),
                                                                             thread_context(module), 0, axis));
  }
  arguments.append(words.begin(), words.end());
  call_kernel(builder, *body, arguments);
  for (unsigned axis = 0; axis < 3; ++axis) {
    ends[axis] = BasicBlock::Create(context, "next", made);
    Value *next = builder.CreateAdd(counters[axis], builder.getInt32(1), "", true, true);
    counters[axis]->addIncoming(next, builder.GetInsertBlock());
    builder.CreateCondBr(builder.CreateICmpULT(next, words[6 + axis]), heads[axis], ends[axis]);
    builder.SetInsertPoint(ends[axis]);
  }
  builder.CreateRetVoid();
  return made;
}

// ---- Tables ----

class TableWriter {
public:
  TableWriter(Module &module, AccessLog log) : module_(module), context_(module.getContext()), log_(log) {}

  Constant *memory_row(StringRef name, GlobalVariable &variable) {
    std::uint64_t bytes = module_.getDataLayout().getTypeAllocSize(variable.getValueType());
    if (variable.hasAttribute("assay-bytes")) // Without its surroundings.
      variable.getAttribute("assay-bytes").getValueAsString().getAsInteger(10, bytes);
    return ConstantStruct::getAnon({text_constant(module_, name), generic(variable), number64(bytes)});
  }

  Constant *array(ArrayRef<Constant *> rows, StringRef name) {
    if (rows.empty())
      return ConstantPointerNull::get(PointerType::get(context_, 0));
    auto *content = ConstantArray::get(ArrayType::get(rows.front()->getType(), rows.size()), rows);
    return new GlobalVariable(module_, content->getType(), true, GlobalValue::InternalLinkage, content, name);
  }

  Constant *kernel_row(Function &kernel) {
    const Reached reached = reached_by(kernel);
    SmallVector<Constant *, 4> shared;
    for (GlobalVariable *variable : reached.variables)
      if (variable->getAddressSpace() == shared_space && !variable->isDeclaration())
        shared.push_back(memory_row(variable->getName(), *variable));
    Constant *loop = ConstantPointerNull::get(PointerType::get(context_, 0));
    Function *thread = thread_function(kernel);
    if (!may_wait(reached, module_) && log_ == AccessLog::absent) // The log asks which thread runs.
      loop = block_function(kernel);
    const Attribute title = kernel.getFnAttribute(title_attribute);
    return ConstantStruct::getAnon(
        {text_constant(module_, title.isValid() ? title.getValueAsString() : kernel.getName()), thread, loop,
         array(shared, kernel.getName().str() + ".shared"), number32(shared.size()), number32(kernel.arg_size()),
         number32(most_threads(kernel))});
  }

  Constant *number64(std::uint64_t value) { return ConstantInt::get(Type::getInt64Ty(context_), value); }
  Constant *number32(std::uint64_t value) { return ConstantInt::get(Type::getInt32Ty(context_), value); }

  static constexpr unsigned shared_space = 3;

private:
  Constant *generic(GlobalVariable &variable) {
    return ConstantExpr::getPointerBitCastOrAddrSpaceCast(&variable, PointerType::get(context_, 0));
  }

  /// By `__launch_bounds__`, which clang writes as `x[,y[,z]]`.
  static std::uint64_t most_threads(const Function &kernel) {
    const Attribute bounds = kernel.getFnAttribute("nvvm.maxntid");
    if (!bounds.isValid())
      return 0;
    SmallVector<StringRef, 3> extents;
    bounds.getValueAsString().split(extents, ',');
    std::uint64_t product = 1;
    for (StringRef extent : extents) {
      std::uint64_t number = 1;
      if (!extent.trim().getAsInteger(10, number))
        product *= number;
    }
    return product;
  }

  Module &module_;
  LLVMContext &context_;
  AccessLog log_;
};

/// They are NaNs when a block begins; the optimiser is not to think of them as anything.
void give_shared_memory_content(Module &module) {
  for (GlobalVariable &global : module.globals())
    if (global.getAddressSpace() == TableWriter::shared_space && global.hasInitializer() &&
        !global.getInitializer()->isNullValue())
      global.setInitializer(Constant::getNullValue(global.getValueType()));
}

} // namespace

KernelTable write_kernel_table(Module &module, const RetargetOptions &options) {
  give_shared_memory_content(module);
  TableWriter writer(module, options.access_log);
  SmallVector<Function *, 8> kernels;
  for (Function &function : module)
    if (function.hasFnAttribute("assay-kernel") && !function.isDeclaration())
      kernels.push_back(&function);
  SmallVector<Constant *, 8> rows, variables;
  for (Function *kernel : kernels)
    rows.push_back(writer.kernel_row(*kernel));
  for (GlobalVariable &global : module.globals())
    if (global.hasAttribute("assay-variable"))
      variables.push_back(writer.memory_row(global.getName(), global));
  Constant *all_rows = writer.array(rows, "assay_gpu_kernels");
  auto *content =
      ConstantStruct::getAnon({text_constant(module, options.identity), all_rows, writer.number64(rows.size()),
                               writer.array(variables, "assay_gpu_variables"), writer.number64(variables.size())});
  KernelTable table;
  table.module =
      new GlobalVariable(module, content->getType(), true, GlobalValue::InternalLinkage, content, "assay_gpu_module");
  for (std::size_t index = 0; index < kernels.size(); ++index)
    table.rows[kernels[index]] = ConstantExpr::getInBoundsGetElementPtr(
        rows[index]->getType(), all_rows, ConstantInt::get(Type::getInt64Ty(module.getContext()), index));
  return table;
}

/// A function that calls this one of the runtime's.
static Function *calls_with_table(Module &module, StringRef name, StringRef of_runtime, const KernelTable &table) {
  LLVMContext &context = module.getContext();
  Function *made =
      Function::Create(FunctionType::get(Type::getVoidTy(context), false), GlobalValue::InternalLinkage, name, module);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", made));
  builder.CreateCall(module.getOrInsertFunction(of_runtime, builder.getVoidTy(), builder.getPtrTy()), {table.module});
  builder.CreateRetVoid();
  return made;
}

void register_kernel_table(Module &module, const RetargetOptions &options, const KernelTable &table) {
  constexpr int priority = 101; // Constructors and destructors of the program launch kernels.
  Function *constructor = calls_with_table(module, "assay_gpu_construct", "assay_gpu_register_module", table);
  if (options.access_log == AccessLog::present) {
    IRBuilder<> builder(&constructor->getEntryBlock().front());
    builder.CreateCall(module.getOrInsertFunction("assay_gpu_log_accesses", builder.getVoidTy()));
  }
  appendToGlobalCtors(module, constructor, priority);
  appendToGlobalDtors(module, calls_with_table(module, "assay_gpu_destroy", "assay_gpu_unregister_module", table),
                      priority);
}

} // namespace assay::gpu
