#include "core/engine/support/rust_allocators.hpp"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace assay::engine {

namespace {

struct RustAllocator {
  StringRef name; ///< At the end of the mangled one.
  AllocFnKind kind;
  unsigned parameters;
  std::optional<unsigned> released, size, alignment; ///< Parameters.
};

const RustAllocator allocators[] = {
    {"__rdl_alloc", AllocFnKind::Alloc | AllocFnKind::Uninitialized | AllocFnKind::Aligned, 2, std::nullopt, 0, 1},
    {"__rdl_alloc_zeroed", AllocFnKind::Alloc | AllocFnKind::Zeroed | AllocFnKind::Aligned, 2, std::nullopt, 0, 1},
    {"__rdl_realloc", AllocFnKind::Realloc | AllocFnKind::Aligned, 4, 0, 3, 2},
    {"__rdl_dealloc", AllocFnKind::Free, 3, 0, std::nullopt, std::nullopt},
};

bool has_type_of(const Function &function, const RustAllocator &allocator) {
  const FunctionType &type = *function.getFunctionType();
  if (type.isVarArg() || type.getNumParams() != allocator.parameters)
    return false;
  for (const auto &[index, parameter] : enumerate(type.params()))
    if (allocator.released == index ? !parameter->isPointerTy() : !parameter->isIntegerTy())
      return false;
  return allocator.kind == AllocFnKind::Free ? type.getReturnType()->isVoidTy() : type.getReturnType()->isPointerTy();
}

void add_attributes(Function &function, const RustAllocator &allocator) {
  LLVMContext &context = function.getContext();
  function.addFnAttr(Attribute::get(context, Attribute::AllocKind, std::uint64_t(allocator.kind)));
  function.addFnAttr("alloc-family", "__rust_alloc");
  if (allocator.size)
    function.addFnAttr(Attribute::getWithAllocSizeArgs(context, *allocator.size, std::nullopt));
  if (allocator.released)
    function.addParamAttr(*allocator.released, Attribute::AllocatedPointer);
  if (allocator.alignment)
    function.addParamAttr(*allocator.alignment, Attribute::AllocAlign);
  if (function.getReturnType()->isPointerTy())
    function.addRetAttr(Attribute::NoAlias);
}

} // namespace

void declare_rust_allocators(Module &module) {
  for (Function &function : module)
    if (function.isDeclaration() && !function.hasFnAttribute(Attribute::AllocKind))
      for (const RustAllocator &allocator : allocators)
        if (function.getName().ends_with(allocator.name) && has_type_of(function, allocator))
          add_attributes(function, allocator);
}

} // namespace assay::engine
