#pragma once
// Rust's default allocator by its own name. Where whole programs are linked as bitcode (`-C lto=fat`), calls of
// __rust_alloc and relatives, whose declarations have the attributes of allocators, have become calls of __rdl_alloc
// and relatives, whose declarations say nothing.

#include "llvm/IR/Module.h"

namespace assay::engine {

/// Gives declarations of __rdl_alloc, __rdl_alloc_zeroed, __rdl_realloc and __rdl_dealloc the attributes that rustc
/// gives to their counterparts. Functions with bodies are code like any other.
void declare_rust_allocators(llvm::Module &module);

} // namespace assay::engine
