// A Rust crate compiled to bitcode leaves its panics and `__rust_alloc` to the final link, which never happens here.
// Reaching a panic is a crash of the checked function, so `abort` says it well enough; allocations are forwarded in a
// way that every analysis knows.

#include "core/jit/missing_runtime.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/DynamicLibrary.h"

namespace assay::jit {

namespace {

bool is_in_this_process(llvm::StringRef name) {
  llvm::sys::DynamicLibrary::LoadLibraryPermanently(nullptr);
  return llvm::sys::DynamicLibrary::SearchForAddressOfSymbol(name.str()) != nullptr;
}

llvm::IRBuilder<> begin_body(llvm::Function &function) {
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
  function.removeFnAttr(llvm::Attribute::NoInline);
  function.addFnAttr(llvm::Attribute::AlwaysInline);
  return llvm::IRBuilder<>(llvm::BasicBlock::Create(function.getContext(), "entry", &function));
}

void define_as_abort(llvm::Function &function) {
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(function.getContext(), "entry", &function));
  llvm::FunctionCallee abort = function.getParent()->getOrInsertFunction("abort", builder.getVoidTy());
  builder.CreateCall(abort)->setDoesNotReturn();
  builder.CreateUnreachable();
}

/// `__rust_alloc(size, alignment)` and `__rust_alloc_zeroed`, `__rust_dealloc(pointer, size, alignment)`,
/// `__rust_realloc(pointer, old size, alignment, new size)`. Alignments beyond malloc's are not met.
bool define_rust_allocation(llvm::Function &function) {
  const llvm::StringRef name = function.getName();
  llvm::Module &module = *function.getParent();
  llvm::PointerType *pointer = llvm::PointerType::getUnqual(module.getContext());
  llvm::Type *size = llvm::Type::getInt64Ty(module.getContext()), *nothing = llvm::Type::getVoidTy(module.getContext());
  const auto argument = [&](unsigned index) { return function.getArg(index); };
  if (name.ends_with("___rust_no_alloc_shim_is_unstable_v2")) {
    begin_body(function).CreateRetVoid();
  } else if (name.ends_with("__rust_alloc") && function.arg_size() == 2) {
    llvm::IRBuilder<> builder = begin_body(function);
    builder.CreateRet(builder.CreateCall(module.getOrInsertFunction("malloc", pointer, size), {argument(0)}));
  } else if (name.ends_with("__rust_alloc_zeroed") && function.arg_size() == 2) {
    llvm::IRBuilder<> builder = begin_body(function);
    builder.CreateRet(builder.CreateCall(module.getOrInsertFunction("calloc", pointer, size, size),
                                         {builder.getInt64(1), argument(0)}));
  } else if (name.ends_with("__rust_dealloc") && function.arg_size() == 3) {
    llvm::IRBuilder<> builder = begin_body(function);
    builder.CreateCall(module.getOrInsertFunction("free", nothing, pointer), {argument(0)});
    builder.CreateRetVoid();
  } else if (name.ends_with("__rust_realloc") && function.arg_size() == 4) {
    llvm::IRBuilder<> builder = begin_body(function);
    builder.CreateRet(
        builder.CreateCall(module.getOrInsertFunction("realloc", pointer, pointer, size), {argument(0), argument(3)}));
  } else {
    return false;
  }
  // What it said of itself as an allocator is now said of what it calls.
  for (const llvm::Attribute::AttrKind kind :
       {llvm::Attribute::AllocKind, llvm::Attribute::AllocSize, llvm::Attribute::Memory})
    function.removeFnAttr(kind);
  function.removeFnAttr("alloc-family");
  function.removeFnAttr("alloc-variant-zeroed");
  for (llvm::Argument &parameter : function.args())
    for (const llvm::Attribute::AttrKind kind : {llvm::Attribute::AllocatedPointer, llvm::Attribute::AllocAlign})
      parameter.removeAttr(kind);
  return true;
}

} // namespace

void define_missing_runtime(llvm::Module &module) {
  llvm::SmallVector<llvm::Function *, 16> missing;
  for (llvm::Function &function : module)
    if (function.isDeclaration() && !function.isIntrinsic() && !function.use_empty() &&
        !is_in_this_process(function.getName()))
      missing.push_back(&function);
  for (llvm::Function *function : missing)
    if (!define_rust_allocation(*function) && function->doesNotReturn())
      define_as_abort(*function);
}

} // namespace assay::jit
