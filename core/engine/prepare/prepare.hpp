#pragma once
// Prepare: the canonical clone of a function that the engine differentiates. The list of its passes is in `passes.cpp`.
//
// The clone has callees inlined where that helps, memory promoted to values, loops simplified and in LCSSA form, one
// exit, and typed memory intrinsics. The user's function is never changed. Every floating-point operation of the
// original is kept as it is (no reassociation), so that the primal result of a derivative is bit-identical.

#include "core/engine/analysis/type_hints.hpp"
#include "core/engine/support/function_info.hpp"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"
#include <functional>

namespace assay::engine {

struct PrepareContext {
  const FunctionInfo &function_info;
  llvm::FunctionAnalysisManager &analyses;
  /// The prepared clone of a callee, or null while that callee is itself being prepared (recursion).
  std::function<llvm::Expected<llvm::Function *>(llvm::Function &)> prepared_callee;
  /// True while the clone is being made.
  std::function<bool(const llvm::Function &)> is_being_prepared;
  /// The prepared clone of a function where it was made already, else the function.
  std::function<const llvm::Function &(const llvm::Function &)> body_of;
  /// The callers' knowledge of the memory that the function is given.
  std::function<std::optional<TypeHints>(const llvm::Function &)> hints_for;
};

/// The clone as it is inlined into others: its memory operations have no types yet, since what a function moves is
/// often only known from its callers.
llvm::Expected<llvm::Function *> prepare(llvm::Function &source, const PrepareContext &context);

/// The treatment of calls that move words (analysis/tagged_copies.hpp): forward mode knows the tangents of all of them,
/// reverse mode differentiates the bodies of those without a reverse form.
enum class TaggedCopies : std::uint8_t { kept, inlined };

/// The clone as it is differentiated: a copy of the result of `prepare` for `source`, with typed memory operations.
llvm::Expected<llvm::Function *> with_typed_memory(llvm::Function &prepared, llvm::Function &source, TaggedCopies moves,
                                                   const PrepareContext &context);
/// The preparations left to do once `context.body_of` knows that clone. The types of what the function is then, where
/// they have been looked at.
llvm::Expected<std::optional<TypeAnalysis>> type_words_left(llvm::Function &prepared, llvm::Function &source,
                                                            const PrepareContext &context);
/// Before the clone is differentiated itself; `types` are its types, and none any more where it changes.
llvm::Error prepare_to_differentiate(llvm::Function &prepared, llvm::Function &source,
                                     std::optional<TypeAnalysis> &types, const PrepareContext &context);

/// The suffix in the names of prepared clones.
inline constexpr const char *prepared_suffix = ".assay.prepared";

} // namespace assay::engine
