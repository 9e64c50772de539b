// A Rust crate compiled to bitcode leaves its panics and `__rust_alloc` to the final link, which never happens here.
// Reaching a panic is a crash of the checked function, so `abort` says it well enough; allocations are forwarded in a
// way that every analysis knows. What a program asks OpenMP is answered as for one thread, in which it runs here.

#include "core/jit/missing_runtime.hpp"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/DynamicLibrary.h"

#include <optional>

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

/// What `function` of OpenMP gives where there is one thread; none where it is another function.
std::optional<int> answer_of_openmp(const llvm::Function &function) {
  return llvm::StringSwitch<std::optional<int>>(function.getName())
      .Cases({"omp_get_max_threads", "omp_get_num_threads", "omp_get_num_procs", "omp_get_thread_limit",
              "omp_get_num_teams", "omp_get_max_active_levels", "omp_test_lock", "omp_test_nest_lock"},
             1)
      .Cases({"omp_get_thread_num", "omp_get_team_num", "omp_in_parallel", "omp_in_final", "omp_get_level",
              "omp_get_active_level", "omp_get_ancestor_thread_num", "omp_get_dynamic", "omp_get_nested",
              "omp_get_num_devices", "omp_get_cancellation"},
             0)
      .Cases(
          {"omp_set_num_threads", "omp_set_dynamic", "omp_set_nested", "omp_set_schedule", "omp_set_max_active_levels"},
          0)
      .Cases({"omp_init_lock", "omp_set_lock", "omp_unset_lock", "omp_destroy_lock", "omp_init_nest_lock",
              "omp_set_nest_lock", "omp_unset_nest_lock", "omp_destroy_nest_lock"},
             0)
      .Default(std::nullopt);
}

bool define_openmp(llvm::Function &function) {
  const std::optional<int> answer = answer_of_openmp(function);
  llvm::Type *type = function.getReturnType();
  if (!answer || !(type->isVoidTy() || type->isIntegerTy()))
    return false;
  llvm::IRBuilder<> builder = begin_body(function);
  if (type->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(llvm::ConstantInt::get(type, *answer));
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
    if (!define_openmp(*function) && !define_rust_allocation(*function) && function->doesNotReturn())
      define_as_abort(*function);
}

} // namespace assay::jit
