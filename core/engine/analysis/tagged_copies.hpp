#pragma once
// Calls of the helpers that gradients move words by which may be numbers or addresses (core/engine/library/words.c). A
// derivative of a gradient takes them for what they are, moves between two places, and knows their tangents: their
// bodies compute with the bits, which would say that the words are integers.

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace assay::engine {

/// assay.words.ACTION(target, ...), of these actions.
enum class TaggedCopy : std::uint8_t {
  none,
  shadow,        ///< (target, source, bytes, bits): addresses move
  clear,         ///< (target, bytes): addresses end
  adjoint,       ///< (target, source, bytes): numbers move from the target to the source, and add up there
  clear_adjoint, ///< (target, bytes): numbers end
  constant,      ///< (target, source, bytes): addresses are copied, numbers become zero
};

TaggedCopy tagged_copy(const llvm::Function &function);
/// `none` also where the callee is not known.
TaggedCopy tagged_copy(const llvm::CallBase &call);
bool has_source(TaggedCopy move);
/// True where reverse mode has an adjoint of the helper as well: of whole words, not of single bytes.
bool has_reverse_form(const llvm::Function &helper);
/// The name of one of the halves that take the helper's part in reverse mode (library/word_adjoints.h): "augmented",
/// which is called before it, or "reverse".
std::string reverse_form_name(llvm::StringRef half, const llvm::Function &helper);
/// The name of the helper that clears adjoints of the words that `helper` moves.
std::string clearing_name(const llvm::Function &helper);

/// The name of the helper that does to the tangents what `helper` does; it takes the tangents of the target and, where
/// there is one, of the source, then the other arguments, and then target and source as they are before the move.
std::string tangent_name(const llvm::Function &helper);

} // namespace assay::engine
