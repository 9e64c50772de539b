#pragma once
// What is known of the bytes of one memory node: evidence by offset, in three ranks.
//
// A typed access outranks a declaration (TBAA, debug info), which outranks the layout that an allocation or GEP names.
// Integers outside of named structs are only a hint, since `[2 x i64]` is also what a struct of doubles is passed in.
// Within the highest rank that says anything, agreement is a type and disagreement is `unknown`: unions keep both.

#include "core/engine/analysis/memory_graph.hpp"
#include "core/engine/analysis/types.hpp"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include <array>
#include <string>
#include <vector>

namespace assay::engine {

enum class Rank : std::uint8_t { access, declaration, layout, hint };

/// For each rank a set of the basic types that were seen, one bit each.
class Evidence {
public:
  static Evidence of(BasicType type, Rank rank);
  bool merge(Evidence other); ///< True when something was added.
  bool empty() const { return bits_ == std::array<std::uint16_t, 4>{}; }
  bool mentions_floating() const;
  bool mentions_pointers() const;
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
  /// True where merging `other` would add nothing.
  bool includes(const Evidence &other) const;
  /// True where one speaks of pointers and the other of floats.
  bool excludes(const Evidence &other) const;
  /// True where it excludes anything at all.
  bool may_exclude() const;
  /// True when the best that speaks for this ranks below the best that speaks for `other`.
  bool is_weaker_than(const Evidence &other) const;
  /// For people: "double", or "integer or double" where there is a conflict.
  std::string text(llvm::LLVMContext &context) const;
  BasicType resolve(llvm::LLVMContext &context) const;
  /// True where different things were seen.
  bool is_conflict(llvm::LLVMContext &context) const { return !empty() && resolve(context).kind == ByteKind::unknown; }
  friend bool operator==(const Evidence &, const Evidence &) = default;

private:
  std::uint16_t best() const; ///< Of the highest rank that says anything.

  std::array<std::uint16_t, 4> bits_{};
};

/// Trees are small and are read far more often than they change, so they are kept sorted in a row, and large ones
/// remember what was looked up since they last changed.
class TypeTree {
public:
  struct Strided {
    std::int64_t base; ///< The lowest offset that was seen.
    Evidence evidence;
  };

  bool add(OffsetSet at, Evidence evidence);
  Evidence look_up(OffsetSet at) const;
  /// As `look_up`, and where that knows nothing takes arrays to begin before what was seen of them.
  Evidence look_up_anywhere(OffsetSet at) const;
  /// Everything that was seen from `at` on.
  Evidence everything(OffsetSet at) const;
  /// In the order of the offsets.
  const std::vector<std::pair<std::int64_t, Evidence>> &exact() const { return exact_; }
  using ArrayKey = std::pair<std::uint64_t, std::int64_t>; ///< Stride and offset modulo the stride.
  const std::vector<std::pair<ArrayKey, Strided>> &strided() const { return strided_; }
  /// Everything that was ever added, wherever it is: what this does not mention is found at no place.
  const Evidence &mentioned() const { return mentioned_; }
  /// A number that grows whenever the tree changes.
  std::uint64_t version() const { return version_; }

private:
  bool add_exact(std::int64_t offset, const Evidence &evidence);
  bool add_strided(OffsetSet at, Evidence evidence);
  const Evidence *find_exact(std::int64_t offset) const;
  Evidence find_out(OffsetSet at) const;
  Evidence with_elements(OffsetSet at, Evidence result) const;
  Evidence find_exact_place(std::int64_t offset, const Evidence &known) const;
  Evidence look_up_strided(OffsetSet at) const;
  bool begins_as_something_else(ArrayKey key, const Strided &array) const;

  struct Found {
    Evidence evidence;
    std::uint64_t version = 0; ///< Of the tree that it was found in.
  };
  std::vector<std::pair<std::int64_t, Evidence>> exact_;
  std::vector<std::pair<ArrayKey, Strided>> strided_;
  Evidence mentioned_;
  std::uint64_t version_ = 1;
  mutable llvm::DenseMap<std::pair<std::int64_t, std::uint64_t>, Found> found_;
};

BasicType integer_type();
BasicType pointer_type();
/// The basic type of a scalar; unknown for integers that may carry anything is left to the caller.
BasicType basic_type(llvm::Type *scalar);
/// Bytes that a basic type takes in memory: pointers 8, integers 4 (they are recorded by words).
std::uint64_t byte_size(BasicType type, const llvm::DataLayout &layout);
/// Calls `visit` with the type's own evidence for every word of it that an object of type `type` at `at` is known to
/// have: scalars and the padding of structs (integers, so that it does not look unknown).
void for_each_layout_evidence(llvm::Type *type, OffsetSet at, const llvm::DataLayout &layout,
                              llvm::function_ref<void(OffsetSet, Evidence)> visit);
/// Calls `visit(offset, scalar type)` for every scalar of `type`; elements of arrays come with the stride of the array.
void for_each_scalar(llvm::Type *type, OffsetSet at, const llvm::DataLayout &layout,
                     llvm::function_ref<void(OffsetSet, llvm::Type *)> visit);

} // namespace assay::engine
