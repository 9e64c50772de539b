#pragma once
// The steps of `retarget`, in order.

#include "gpu/emulate/retarget.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace assay::gpu {

/// Inlines functions that reach `__activemask` into their callers.
void inline_functions_with_active_masks(llvm::Module &module);

/// Triple, layout, attributes, conventions and metadata of the device go; everything but kernels becomes internal.
void strip_target(llvm::Module &module);

/// Calls of the runtime in front of each access to memory that threads share. What clears the memory of host entries is
/// no thread.
void log_accesses(llvm::Module &module, const RetargetOptions &options);

/// Special registers, mathematics, fences, atomics, printf, assert, malloc and free.
void replace_device_calls(llvm::Module &module);

/// Barriers, votes, shuffles and other operations of several threads.
void replace_block_operations(llvm::Module &module);

/// Where the row of each kernel is.
struct KernelTable {
  llvm::GlobalVariable *module;
  llvm::DenseMap<const llvm::Function *, llvm::Constant *> rows;
};
/// `assay_gpu_module` and the globals it refers to.
KernelTable write_kernel_table(llvm::Module &module, const RetargetOptions &options);
void register_kernel_table(llvm::Module &module, const RetargetOptions &options, const KernelTable &table);

/// Kernels that code of the host calls: their names become those of functions of the host.
/// The function of the host that clears the memory that the entry adds to, or null.
llvm::Function *clearing_function(const llvm::Module &module, const HostEntry &entry);
void name_host_entries(llvm::Module &module, const RetargetOptions &options);
void write_host_entries(llvm::Module &module, const RetargetOptions &options, const KernelTable &table);
/// Of a kernel: its name in messages.
inline constexpr llvm::StringLiteral title_attribute = "assay-title";

// ---- Shared by them ----

/// The place of an instruction in the source, as a constant of the runtime's type Site.
llvm::Constant *site_of(const llvm::Instruction &instruction);
/// The same, one for each call path from the kernel, by the functions that were inlined.
llvm::Constant *site_of_call_path(const llvm::Instruction &instruction);
/// `f.cu:12 in f`, for messages.
std::string place_of(const llvm::Instruction &instruction);
/// A constant string of the module.
llvm::Constant *text_constant(llvm::Module &module, llvm::StringRef text);
llvm::GlobalVariable *thread_context(llvm::Module &module);
llvm::SmallVector<llvm::CallInst *, 16> calls_of(llvm::Function &function);

} // namespace assay::gpu
