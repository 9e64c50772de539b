#pragma once
// A rule of <assay/rules.hpp>: functions with one plain signature for every rule, which are told in a constant how the
// call that they serve takes part in the derivative. The table that C++ writes for it is described in
// core/include/assay/detail/rules/entry.hpp.

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace assay::engine {

/// A parameter or the result of the function, as the source has it.
struct RuleValue {
  enum class Kind : std::uint8_t { nothing, number, integer, pointer, address, empty, object };
  Kind kind = Kind::nothing;
  bool only_read = false;        ///< A pointer or reference to const.
  bool constant_object = false;  ///< A reference to const; the object may lead to memory that is written.
  bool without_pointers = false; ///< An object, or the memory behind a pointer, that holds no pointer.
  std::string numbers;           ///< Behind a pointer or reference: 'f' or 'i' and their bytes; empty: not known.
  std::uint64_t size = 0;        ///< Of an object.
  std::uint64_t alignment = 1;
};

/// On functions with a rule that keeps pointers apart, for those who see the program alone.
inline constexpr const char *keeps_pointers_apart_attribute = "assay.keeps_pointers_apart";
/// On functions whose rule says all that there is to know of them.
inline constexpr const char *hidden_body_attribute = "assay.hidden_body";

/// On parameters of functions with a rule: RuleValue::numbers.
inline constexpr const char *numbers_behind_attribute = "assay.numbers_behind";

/// Where a parameter of the source lies in the LLVM function.
struct RulePlace {
  unsigned first = 0, count = 0; ///< LLVM parameters.
  bool in_memory = false;        ///< One parameter points to a copy (attribute byval).
};

struct RuleTemplate {
  std::string name; ///< Of the rule's class.
  llvm::Function *primal = nullptr;
  llvm::Function *forward = nullptr, *augmented = nullptr, *reverse = nullptr; ///< Null where the rule has none.
  llvm::Function *applies = nullptr;
  llvm::Type *tape = nullptr;        ///< Null where nothing is kept.
  llvm::Function *release = nullptr; ///< void(ptr tape, i64), for a tape on the heap.
  bool hides_body = false;           ///< Nobody looks into the function; the memory of its pointers does not meet.
  bool leads_to_others = false;      ///< A value may lead to shadows of objects that it does not own.
  RuleValue result;
  llvm::SmallVector<RuleValue, 4> parameters;
  llvm::SmallVector<RulePlace, 4> places; ///< Of the parameters.

  /// The parameter of the rule that LLVM parameter `index` belongs to; null for a place for the result.
  const RuleValue *parameter_at(unsigned index) const;
  /// Whether LLVM parameter `index` is a pointer or a reference to const.
  bool only_reads(unsigned index) const;
  /// Whether it is an integer of the source, which may come from memory that also holds numbers.
  bool takes_integer(unsigned index) const;
  /// Whether it is a reference to const.
  bool takes_constant_object(unsigned index) const;
  /// Whether a call cannot make one pointer lead to the memory of another: all lead to memory without pointers.
  bool keeps_pointers_apart() const;
  /// Notes the rule's properties on the function, for code that sees the program alone.
  void note_on_function() const;
  /// Whether the rule is given objects, or memory that may hold some.
  bool takes_objects() const;
  bool returns_in_memory() const { return primal->hasStructRetAttr(); }
};

/// The entry of a table: a rule, that a function is inactive, or nothing, for a virtual function whose class is not
/// here.
struct RuleTableContent {
  enum class Kind : std::uint8_t { rule, inactive, inactive_noinl, nothing };
  Kind kind = Kind::nothing;
  llvm::Function *function = nullptr;
  std::shared_ptr<const RuleTemplate> rule;
};

llvm::Expected<RuleTableContent> read_rule_table(const llvm::GlobalVariable &table);

} // namespace assay::engine
