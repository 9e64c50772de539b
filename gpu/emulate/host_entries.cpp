// For a kernel K that code of this process calls, a function of the host with K's name and one parameter, the slots
// that K gets: it calls K.clear(slots) where there is such a function, then has the runtime launch K.

#include "gpu/emulate/steps.hpp"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace assay::gpu {

namespace {

Function &kernel_of(Module &module, const HostEntry &entry) {
  Function *kernel = module.getFunction(entry.kernel);
  assert(kernel && kernel->hasFnAttribute("assay-kernel") && kernel->arg_size() == 1 && "no kernel of slots");
  return *kernel;
}

/// As EntryLaunch in gpu/runtime/interface.hpp.
GlobalVariable *launch_constant(Module &module, const Launch &launch) {
  LLVMContext &context = module.getContext();
  SmallVector<Constant *, 7> words;
  for (const std::uint32_t extent :
       {launch.grid.x, launch.grid.y, launch.grid.z, launch.block.x, launch.block.y, launch.block.z})
    words.push_back(ConstantInt::get(Type::getInt32Ty(context), extent));
  words.push_back(ConstantInt::get(Type::getInt64Ty(context), launch.shared_bytes));
  auto *content = ConstantStruct::getAnon(words);
  return new GlobalVariable(module, content->getType(), true, GlobalValue::InternalLinkage, content, "launch");
}

} // namespace

Function *clearing_function(const Module &module, const HostEntry &entry) {
  return module.getFunction(entry.kernel + ".clear");
}

void name_host_entries(Module &module, const RetargetOptions &options) {
  for (const HostEntry &entry : options.entries) {
    Function &kernel = kernel_of(module, entry);
    kernel.addFnAttr(title_attribute, options.identity);
    kernel.setName(entry.kernel + ".kernel");
  }
}

void write_host_entries(Module &module, const RetargetOptions &options, const KernelTable &table) {
  LLVMContext &context = module.getContext();
  auto *pointer = PointerType::get(context, 0);
  for (const HostEntry &entry : options.entries) {
    Function *made = Function::Create(FunctionType::get(Type::getVoidTy(context), {pointer}, false),
                                      GlobalValue::ExternalLinkage, entry.kernel, module);
    made->addFnAttr(Attribute::NoInline);
    made->addFnAttr(Attribute::getWithUWTableKind(context, UWTableKind::Default)); // The runtime throws.
    IRBuilder<> builder(BasicBlock::Create(context, "entry", made));
    if (Function *clear = clearing_function(module, entry))
      builder.CreateCall(clear, {made->getArg(0)});
    Constant *row = table.rows.lookup(module.getFunction(entry.kernel + ".kernel"));
    builder.CreateCall(
        module.getOrInsertFunction("assay_gpu_run_entry", builder.getVoidTy(), pointer, pointer, pointer),
        {row, made->getArg(0), launch_constant(module, entry.launch)});
    builder.CreateRetVoid();
  }
}

} // namespace assay::gpu
