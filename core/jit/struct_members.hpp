#pragma once
// Members of structs and types behind pointers, by the debug information of a program.

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Type.h"
#include <optional>
#include <string>
#include <vector>

namespace assay::jit {

/// A number, a pointer, also to a function, or an array of numbers in a struct.
struct Member {
  std::string name;                   ///< `grid.dx`
  const llvm::DIType *type = nullptr; ///< Of an array, with its extents.
  std::uint64_t offset = 0, bytes = 0;
  bool is_array = false;
};
using Members = std::vector<Member>;

/// By its debug information.
bool is_of_c(const llvm::Function &function);

/// A struct, class, union or complex number; behind names and qualifiers as well.
bool is_structure(const llvm::DIType *type);

/// The pointee of a pointer, behind names and qualifiers; null for other types.
const llvm::DIType *target_of(const llvm::DIType *pointer);
bool is_pointer_to_numbers(const llvm::DIType &type);
bool is_pointer_to_const(const llvm::DIType &type);
/// A struct around one number of 16 bits, as CUDA's `__half` is, or such a number; else null.
const llvm::DIType *half_in(const llvm::DIType *type);
/// Whether a number of 16 bits is a bfloat16.
bool is_brain_float(const llvm::DIType &half);
/// A float or a double, or a number of 16 bits.
bool is_real_number(const llvm::DIType &type);

std::uint64_t size_of_type(const llvm::DIType &type);

/// Bases and members that every object has, in their order.
std::vector<const llvm::DIDerivedType *> members_of(const llvm::DICompositeType &structure);

/// Of the struct `type`, whose value is called `name`; bases and structs within it are taken apart, too. Nothing where
/// a member is none of the kinds of a Member: a union, a bit field, a half, an array of pointers.
std::optional<Members> members_of_struct(const llvm::DIType &type, const std::string &name);

/// A parameter of its own for the member.
llvm::Type *type_of_member(const Member &member, llvm::LLVMContext &context);

/// Floats or doubles, one behind the other and nothing else.
struct UniformNumbers {
  const llvm::DIType *type = nullptr; ///< Of each.
  std::uint64_t count = 0;
};
/// Nothing for structs that hold anything else.
std::optional<UniformNumbers> uniform_numbers(const llvm::DIType &type);

} // namespace assay::jit
