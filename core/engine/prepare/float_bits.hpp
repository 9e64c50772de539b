#pragma once
// Arithmetic on the bits of floats: `u += k << 52`, `(u & mantissa) | one`, `magic - (u >> 1)`.
//
// Read as an integer, the bits N of a float x grow by 2^m / P(x) for each unit that x grows, where m is the number of
// mantissa bits and P(x) is x without its mantissa. What integer operations do to N is linear between the points where
// exponents change, so that a float made of such an integer has a derivative by x. It is said by a call
// `assay.linear(y, slope, x)`, which is y and has the derivative `slope` by x; `assay.bits(i)` is the float with the
// bits i, without a derivative. Both go away when the derivative has been written.

#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/Error.h"

namespace assay::engine {

/// Functions that make a float of bits in a way that cannot be followed: they have no derivative.
inline constexpr llvm::StringLiteral opaque_bits_name = "assay.opaque_bits.";

/// True when something was rewritten.
bool rewrite_float_bits(llvm::Function &function);
/// As above; operations that cannot be followed become calls of opaque functions. Before that it may still be inlined
/// into a function in which the integers are known.
bool refuse_float_bits(llvm::Function &function);
/// The same number, of which the derivative is zero.
llvm::Value *without_derivative(llvm::IRBuilderBase &builder, llvm::Value *number);
/// The number of these bits, of which the derivative is that of `source`.
llvm::Value *growing_as(llvm::IRBuilderBase &builder, llvm::Value *bits, llvm::Value *source);
/// One of the functions that make a number of bits.
bool is_of_bits(const llvm::Function &function);
/// The error for a call of such a function.
llvm::Error opaque_bits(const llvm::CallBase &call);
/// True where there are calls as above.
bool has_float_bits(const llvm::Function &function);
/// The calls above as the operations that they stand for.
void drop_float_bits(llvm::Function &function);

} // namespace assay::engine
