#pragma once
// Places that hold a number at one time and something else at another: members of a union, the alternatives of a
// variant, the head of a container that is linked like its nodes.
//
// The evidence of one copy of such an object need not be all that it holds: the variant that is read from an array may
// be seen as a pointer there, and its copy as a number. So where one of two places that are copied, or that a word
// moves between, is mixed, the other is as well, however much is known of it otherwise. Words that such places exchange
// are doubtful: they are no evidence of one place for the other.

#include "core/engine/analysis/integer_provenance.hpp"
#include "core/engine/analysis/non_escaping_bytes.hpp"
#include "core/engine/analysis/type_tree.hpp"

namespace assay::engine {

class PointerOrFloatSlots {
public:
  /// All of these are looked at again whenever places are spread.
  PointerOrFloatSlots(const MemoryClasses &memory, std::vector<TypeTree> &trees, IntegerProvenance &bits,
                      const std::vector<MemoryMove> &moves, const std::vector<MemoryCopy> &copies);

  /// To be called before evidence is exchanged, so that a place's own evidence counts, and after it.
  void spread();
  /// To be called last.
  void find_doubtful_words();

private:
  bool spread_by_copy(Location from, Location to, std::optional<std::uint64_t> size);
  bool spread_to_declared(Location from, Location to, std::optional<std::uint64_t> size);
  bool spread_from_elements(Location from, Location to, std::optional<std::uint64_t> size);
  bool spread_to(Location at, const Evidence &mixed);
  bool spread_by_move(const MemoryMove &move);
  std::uint64_t version(const MemoryMove &move) const;
  llvm::SmallVector<std::pair<std::int64_t, Evidence>, 4> conflicts(const TypeTree &tree, std::int64_t start,
                                                                    std::optional<std::uint64_t> size) const;

  std::vector<TypeTree> &trees_;
  IntegerProvenance &bits_;
  const std::vector<MemoryMove> &moves_;
  const std::vector<MemoryCopy> &copies_;
  llvm::LLVMContext &context_;
  bool bits_tell_; ///< Numbers from addresses: where floats are computed as well, they may not tell enough.
  struct Word {
    Evidence seen;
    std::uint64_t version = 0; ///< Grows with the evidence.
  };
  llvm::DenseMap<unsigned, Word> words_; ///< The evidence of mixed places that a word moves from or to.
};

} // namespace assay::engine
