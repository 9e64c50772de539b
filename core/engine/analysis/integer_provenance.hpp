#pragma once
// Integers that are only moved: what their bits really are.
//
// Every integer value is a row of words (4 bytes). Operations that move words (phi, select, bitcast, trunc, shifts by
// whole words, or of disjoint halves, elements of vectors) make words of different values one and the same by
// union-find; the result of arithmetic is an integer, its operands probably are; bitcasts from and to floats make them
// floats.

#include "core/engine/analysis/basic_type.hpp"
#include "core/engine/analysis/evidence.hpp"
#include "core/engine/analysis/memory_classes.hpp"
#include "llvm/IR/Instructions.h"

namespace assay::engine {

/// True for integers and vectors of them.
inline bool holds_integers(const llvm::Value &value) {
  return value.getType()->isIntOrIntVectorTy();
}

/// Loads of what is known to be integers although nothing in the function says so.
inline constexpr llvm::StringLiteral integer_metadata = "assay.integer";
/// Stores of zeros as floats to memory of which nothing was known: they tell nothing of it.
inline constexpr llvm::StringLiteral zeros_metadata = "assay.zeros";

class IntegerProvenance {
public:
  explicit IntegerProvenance(const MemoryClasses &memory)
      : memory_(memory), layout_(memory.layout()), first_(memory.calls()) {}

  void visit(FrameId frame, const llvm::Value &value);
  /// The words of `one` are those of `other`: an actual and its formal, a result and what is returned.
  void same(FramedValue one, FramedValue other);

  unsigned word_count(const llvm::Value &value) const;
  /// The same for words that are one.
  unsigned word_id(FramedValue value, unsigned index) const { return leader(first_word(value) + index); }
  const Evidence &word(FramedValue value, unsigned index) const;
  bool add(FramedValue value, unsigned index, Evidence evidence) { return add(first_word(value) + index, evidence); }
  /// An access that is declared as one of `type` moves the value.
  void add_whole(FramedValue value, BasicType type);
  /// To be called between the visits and what memory adds: what is done with a value counts more than where it was.
  void settle() { own_ = evidence_; }
  /// What fits into the value: half an address, which is joined with a float that has as many bytes, is no address.
  BasicType type_of_word(FramedValue value, unsigned index, llvm::LLVMContext &context) const;
  /// Nothing but an address has such bits, of which the value has no room for all.
  bool is_half_address(FramedValue value, unsigned index) const;
  void declare_integer(FramedValue value) { add_all(value, integer_type()); }
  void mark_moved(FramedValue value);
  bool is_moved(FramedValue value) const;

  /// The words of a value follow each other from here on. The same questions for those who ask again and again.
  unsigned first_word(FramedValue value) const;
  unsigned leader(unsigned word) const;
  const Evidence &word(unsigned word) const { return evidence_[leader(word)]; }
  /// Without what memory added.
  Evidence own_word(unsigned word) const;
  bool add(unsigned word, Evidence evidence);
  /// A word that memory says to be an integer may be something else: another place that it is moved from or to holds
  /// several things in turn.
  void mark_doubtful(unsigned word) { doubtful_.insert(leader(word)); }
  /// The same of an address, which may be a number.
  void mark_mixed(unsigned word) { mixed_.insert(leader(word)); }
  /// A word of which only comparisons say that it is an integer, where an address is seen as well, and perhaps a
  /// number.
  void mark_possible_address(unsigned word, bool may_be_number) {
    possible_addresses_.try_emplace(leader(word), may_be_number);
  }
  bool is_possible_address(unsigned word) const { return possible_addresses_.contains(leader(word)); }
  bool is_mixed(unsigned word) const { return mixed_.contains(leader(word)); }
  /// A number that grows whenever something is added to the word.
  std::uint64_t version(unsigned word) const { return version_[leader(word)]; }

private:
  void join(FramedValue one, unsigned one_index, FramedValue other, unsigned other_index);
  void join_shifted(FramedValue narrow, FramedValue wide, unsigned shift);
  Evidence fitting(FramedValue value, const Evidence &evidence) const;
  void visit_choice(FrameId frame, const llvm::Instruction &choice);
  void visit_definition(FrameId frame, const llvm::Instruction &instruction);
  void visit_uses(FrameId frame, const llvm::Value &value);
  void hint_floating(FrameId frame, const llvm::Value &integer, BasicType type, unsigned depth);
  void add_all(FramedValue value, BasicType type, Rank rank = Rank::access);

  const MemoryClasses &memory_;
  const llvm::DataLayout &layout_;
  mutable FramedMap first_;
  mutable std::vector<unsigned> parent_;
  mutable std::vector<Evidence> evidence_;
  std::vector<Evidence> own_; ///< Without what memory added.
  mutable std::vector<std::uint64_t> version_;
  mutable std::vector<bool> moved_;
  llvm::DenseSet<unsigned> doubtful_;
  llvm::DenseSet<unsigned> mixed_;
  llvm::DenseMap<unsigned, bool> possible_addresses_; ///< Whether they may be numbers.
};

} // namespace assay::engine
