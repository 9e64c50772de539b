#pragma once
// The family of mathematical functions that a call belongs to. What a rule emits stays in the family of its primal
// call: llvm.sin -> llvm.cos, sinf -> cosf, sinl -> cosl, __nv_sinf -> __nv_cosf. So one rule serves host and device.

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instruction.h"
#include <string>

namespace assay::engine {

enum class Family : std::uint8_t { intrinsic, libm, libdevice };

struct Dialect {
  Family family = Family::intrinsic;
  /// The end of libm names where the type does not tell it: "f128" of sinf128, as against sinl of the same type.
  std::string suffix;
  llvm::CallingConv::ID calling_convention = llvm::CallingConv::C;
  /// The primal call touches no memory: its relatives may be declared so, too.
  bool pure = true;
};

/// A function of the table as it was spelled in the program.
struct Spelling {
  std::string name; ///< as in the rule table: "sin" for llvm.sin, sinf, __nv_sinf, __sin_finite
  Dialect dialect;
};

/// How `instruction` spells the operation it performs; `library_name` is that of the function it calls, or empty.
/// The name is empty for other instructions than operations on floating-point numbers.
Spelling spelling_of(const llvm::Instruction &instruction, llvm::StringRef library_name);

/// Emits `name(arguments)` in `dialect`. `type` is that of the result; integer arguments keep their types.
llvm::Value *emit_call(llvm::IRBuilderBase &builder, const Dialect &dialect, llvm::StringRef name, llvm::Type *type,
                       llvm::ArrayRef<llvm::Value *> arguments);

} // namespace assay::engine
