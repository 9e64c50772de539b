#pragma once
// Evidence for the type of one place in memory, in ranks.
//
// A typed access outranks a declaration (TBAA, debug info), which outranks the layout that an allocation or GEP names.
// Integers outside of named structs are only a hint, since a struct of doubles is passed as `[2 x i64]` as well.
// Within the highest rank that says anything, agreement is a type and disagreement is `unknown`: unions keep both.

#include "core/engine/analysis/types.hpp"
#include <array>
#include <cstdint>
#include <string>

namespace assay::engine {

enum class Rank : std::uint8_t { access, declaration, layout, hint };

/// For each rank a set of the basic types that were seen, one bit each.
class Evidence {
public:
  static Evidence of(BasicType type, Rank rank);
  bool merge(Evidence other); ///< True when something was added.
  bool empty() const { return bits_ == std::array<std::uint16_t, 4>{}; }
  bool mentions_floating() const;
  /// Only the best that speaks for this counts.
  bool tells_floating() const;
  bool mentions_pointers() const;
  /// Of the best that speaks for this, too.
  bool tells_pointer() const;
  /// Whatever their rank.
  bool mentions_several() const;
  MemoryWords words() const;
  /// Without the types that do not fit into so many bytes.
  Evidence fitting(std::uint64_t bytes) const;
  Evidence only(Rank rank) const;
  /// The same, no more than a hint.
  Evidence as_hint() const;
  /// Without the floating types but double.
  Evidence without_other_floats() const;
  /// With all of `other` beside the best that speaks for this, whatever its rank.
  Evidence together_with(const Evidence &other) const;
  /// The best of both, whatever the ranks, as the best of the result.
  void join_best(const Evidence &other);
  /// True where `together_with(other)` would add nothing.
  bool includes_best_of(const Evidence &other) const;
  /// True where merging `other` would add nothing.
  bool includes(const Evidence &other) const;
  /// True where one speaks of pointers and the other of floats.
  bool excludes(const Evidence &other) const;
  /// True where it excludes `other`, and would tell more together with it.
  bool is_contradicted_by(const Evidence &other) const;
  /// True where it excludes anything at all.
  bool may_exclude() const;
  /// True when the best that speaks for this ranks below the best that speaks for `other`.
  bool is_weaker_than(const Evidence &other) const;
  /// For people: "double", or "integer or double" where there is a conflict.
  std::string text(llvm::LLVMContext &context) const;
  BasicType resolve(llvm::LLVMContext &context) const;
  /// All types that the best that speaks for this was seen to be.
  llvm::SmallVector<BasicType, 2> parts(llvm::LLVMContext &context) const;
  /// True where different things were seen.
  bool is_conflict(llvm::LLVMContext &context) const { return !empty() && resolve(context).kind == ByteKind::unknown; }
  friend bool operator==(const Evidence &, const Evidence &) = default;

private:
  std::uint16_t best() const; ///< Of the highest rank that says anything.

  std::array<std::uint16_t, 4> bits_{};
};

} // namespace assay::engine
