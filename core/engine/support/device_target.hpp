#pragma once
// Code for a graphics device: many threads run the same function, and memory has kinds.

#include "llvm/IR/GlobalValue.h"
#include "llvm/IR/Instruction.h"

namespace assay::engine {

/// The address spaces of device code. A generic address may mean any of them.
enum class DeviceMemory : std::uint8_t { generic = 0, global = 1, shared = 3, constant = 4, local = 5 };

bool is_device_code(const llvm::Module &module);
bool is_device_code(const llvm::Instruction &instruction);
inline bool is_in(const llvm::Type &pointer, DeviceMemory memory) {
  return pointer.isPointerTy() && pointer.getPointerAddressSpace() == unsigned(memory);
}
/// An array that the threads of a block share.
bool is_shared_memory(const llvm::GlobalValue &global);

/// Of a number at any address that a program may use for it: its own on a device. There an access of less is done byte
/// by byte, and ptxas 13.0 takes the lowest byte of a double that was just computed for that number as an integer.
llvm::Align least_alignment(const llvm::Module &module, llvm::Type *number);

/// Functions of the device's library of mathematics (libdevice).
inline constexpr llvm::StringLiteral device_library_prefix = "__nv_";
bool is_device_library_function(const llvm::Function &function);

} // namespace assay::engine
