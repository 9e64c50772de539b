#pragma once
// Type analysis: the type of each byte of memory, and of each value. LLVM's pointers say nothing of what they point
// to, and memcpy, memset and integer loads say nothing of what they move; the reverse sweep must know floats from the
// rest.
//
// Method: pointer values are put into memory classes (Steensgaard's unification over the prepared function and the
// functions that it calls), each class has a type tree from byte offsets (constant, or modulo the stride of a variable
// index) to a basic type; typed loads, stores, calls of known functions, TBAA and debug info fill the trees.

#include "core/engine/analysis/call_tree.hpp"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>

namespace assay::engine {

enum class ByteKind : std::uint8_t { unknown, integer, pointer, floating };

/// The type at one place: a floating type has its LLVM type (float, double, x86_fp80, half, ...).
struct BasicType {
  ByteKind kind = ByteKind::unknown;
  llvm::Type *floating = nullptr;
  friend bool operator==(const BasicType &, const BasicType &) = default;
};

/// One field of a piece of memory: `type` at byte `offset`.
struct TypedField {
  std::int64_t offset;
  BasicType type;
  bool is_mixed = false;         ///< Unknown because pointers and floats were seen there.
  bool may_be_floating = false;  ///< Of a field of unknown type: floats were seen there among other things.
  bool may_be_pointer = false;   ///< Of a field of unknown type: so were pointers.
  bool is_only_laid_out = false; ///< The layout of a class is the only evidence.
};

/// A field that an array of structures repeats every `stride` bytes; 0: it is there once.
struct RepeatedField {
  std::int64_t offset;
  std::uint64_t stride;
  BasicType type;
};

/// Which basic types occur in a piece of memory.
struct MemorySummary {
  bool anything = false; ///< False where nothing was seen.
  bool integers = false;
  bool pointers = false;
  bool several_floating = false;
  bool conflicting = false; ///< One place holds different things.
  llvm::Type *floating = nullptr;

  void add(BasicType type);
  MemorySummary merged(const MemorySummary &other) const;
};

/// Whether memory can be moved by words of eight bytes that are told apart by their bits.
enum class MemoryWords : std::uint8_t {
  unknown, ///< Nothing is known of it.
  plain,   ///< Integers and pointers.
  doubles, ///< Doubles as well, perhaps at the same places.
  floats,  ///< Floats as well, two in a word.
  either,  ///< Both.
  others,  ///< Something that does not fit.
};

/// The types that both pieces of memory hold.
MemoryWords joined(MemoryWords one, MemoryWords other);
bool holds_numbers(MemoryWords words);
bool has_floats(MemoryWords words);

struct TypeHints;

class TypeAnalysis {
public:
  /// `hints`: the callers' types of the arguments' memory.
  TypeAnalysis(const llvm::Function &function, bool loose_types, BodyOf body_of = own_body,
               const TypeHints *hints = nullptr, Followed followed = Followed::all);
  ~TypeAnalysis();
  TypeAnalysis(TypeAnalysis &&) noexcept;
  TypeAnalysis &operator=(TypeAnalysis &&) noexcept;

  /// The type of an SSA value: an i64 that holds a double's bits is `floating`.
  BasicType of(const llvm::Value &value, FrameId frame = root_frame) const;
  /// The single type that fills all memory behind `pointer` (from it on), where there is one: a uniform array.
  BasicType uniform(const llvm::Value &pointer) const;
  /// The fields in [0, size) behind `pointer`, in order, without gaps; empty when nothing is known.
  llvm::SmallVector<TypedField, 8> fields(const llvm::Value &pointer, std::uint64_t size) const;
  /// The same where all that is seen may be several things.
  llvm::SmallVector<TypedField, 8> seen_fields(const llvm::Value &pointer, std::uint64_t size) const;
  /// True where the byte behind `pointer` is seen to be one of a float that begins there or before.
  bool is_within_floating(const llvm::Value &pointer) const;
  /// All memory from `pointer` on, however much of it there is; nothing where some of it is unknown, or several things.
  std::optional<llvm::SmallVector<RepeatedField, 8>> whole_layout(const llvm::Value &pointer) const;
  /// True where a number was seen within another one, anywhere in the memory behind `pointer`.
  bool holds_unions(const llvm::Value &pointer) const;
  /// True when only names of integer types say that an integer is one: it is moved, and may be something else.
  bool is_only_hinted(const llvm::Value &integer) const;
  /// True when an integer is one by declaration alone: nothing but moves of it is seen.
  bool is_only_declared(const llvm::Value &integer) const;
  /// True when some word in [0, size) behind `pointer`, or in all memory from there on, is such an integer.
  bool declares_integers(const llvm::Value &pointer, std::optional<std::uint64_t> size) const;
  /// The types that occur anywhere from `pointer` on.
  MemorySummary summarize(const llvm::Value &pointer) const;
  /// Of [0, size) behind `pointer`, or of all memory from there on.
  MemoryWords words(const llvm::Value &pointer, std::optional<std::uint64_t> size) const;
  /// True where a float may be the upper half of a word in [0, size) behind `pointer`.
  bool may_hold_pairs(const llvm::Value &pointer, std::optional<std::uint64_t> size) const;
  /// True where an address was seen behind `pointer`, and floats in the same memory, wherever: half a word is a part of
  /// another object than the one that holds the address.
  bool may_hold_half_words(const llvm::Value &pointer) const;
  /// True where `pointer` points to a word that was seen to be a number at one time and an address at another, in a
  /// program that computes with doubles alone.
  bool is_number_or_address(const llvm::Value &pointer) const;
  /// True where words of the memory behind `pointer` are moved that are told apart when the program runs: addresses,
  /// perhaps, although none is seen.
  bool moves_words(const llvm::Value &pointer) const;
  /// True of memory of which single bytes are read or written, as of texts.
  bool has_single_bytes(const llvm::Value &pointer) const;
  /// True of memory to which parts of numbers were moved, which may begin anywhere.
  bool holds_parts(const llvm::Value &pointer) const;
  /// True where the analysed functions do not see all uses of the memory behind `pointer`.
  bool is_open(const llvm::Value &pointer) const;
  /// Several objects are taken for one: evidence of one of them is none of another.
  bool is_mixture(const llvm::Value &pointer) const;
  /// True of memory that was taken for one object with others, wherever each begins, as the nodes of a list are with
  /// those of the map that holds it.
  bool may_begin_anywhere(const llvm::Value &pointer) const;
  /// The sizes that elements of arrays behind either pointer were seen to have, largest first.
  llvm::SmallVector<std::uint64_t, 4> strides(const llvm::Value &one, const llvm::Value &other) const;
  /// One line with the evidence, for the diagnostic "cannot tell the type".
  std::string explain(const llvm::Value &pointer) const;

  const llvm::DataLayout &layout() const;

  struct Implementation;
  const Implementation &implementation() const;

private:
  std::unique_ptr<Implementation> implementation_;
};

} // namespace assay::engine
