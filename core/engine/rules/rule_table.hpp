#pragma once
// The table of derivative rules. An entry names an operation and gives, for each operand with a derivative, the partial
// derivative of the result as an expression:
//
//     table.rule("atan", [](Partials &partial, Operand x) { partial(x, 1 / (1 + x * x)); });
//
// The parameters of the function are the signature of the operation.

#include "core/engine/rules/expression.hpp"
#include "llvm/ADT/StringMap.h"
#include <string>
#include <utility>
#include <vector>

namespace assay::engine {

enum class OperandKind : std::uint8_t { floating, integer, ignored };
enum class Cost : std::uint8_t { cheap, expensive };
/// Elementwise, or a reduction of a vector to a scalar (whose rule is not an expression, see reduction.hpp).
enum class Shape : std::uint8_t { elementwise, sum_reduction, product_reduction };

struct RuleEntry {
  Cost cost = Cost::expensive;
  Shape shape = Shape::elementwise;
  bool has_vertical_tangent = false; ///< Is finite where its slope is infinite.
  llvm::SmallVector<OperandKind, 3> operands;
  llvm::SmallVector<NodePointer, 3> partials; ///< One for each operand, null where it is identically zero.
};

/// A floating-point parameter of a rule.
using Operand = const Expression &;

/// Collects the partial derivatives of one entry.
class Partials {
public:
  explicit Partials(RuleEntry &entry) : entry_(entry) {}
  void operator()(const Expression &operand, const Expression &value) {
    entry_.partials[operand.node->index] = value.node;
  }

private:
  RuleEntry &entry_;
};

class RuleTable {
public:
  static const RuleTable &get();
  /// The entry with exactly this name, or null.
  const RuleEntry *find(llvm::StringRef name) const;
  /// All names, sorted.
  std::vector<std::string> names() const;
  /// A copy in which the partial of operation `name` by operand `index` is another, for `name` and its aliases.
  RuleTable with_partial(llvm::StringRef name, unsigned index, NodePointer partial) const;

  /// An operation that costs about a call of the mathematical library.
  template <class Definition>
  void rule(llvm::StringRef name, Definition define) {
    add(name, Cost::expensive, define, &Definition::operator());
  }
  /// An operation of a few instructions, better recomputed than kept.
  template <class Definition>
  void cheap(llvm::StringRef name, Definition define) {
    add(name, Cost::cheap, define, &Definition::operator());
  }
  void reduction(llvm::StringRef name, Shape shape);
  /// The operation has a finite value where its slope is infinite: a seed of zero stays one there.
  void vertical_tangent(llvm::StringRef name);
  void alias(llvm::StringRef name, llvm::StringRef existing) { entries_[name] = entries_.lookup(existing); }

private:
  RuleTable();
  static OperandKind kind_of(const Expression *) { return OperandKind::floating; }
  static OperandKind kind_of(const Integer *) { return OperandKind::integer; }
  static OperandKind kind_of(const Ignored *) { return OperandKind::ignored; }
  static NodePointer operand_node(unsigned index);
  template <class Parameter>
  static Parameter parameter(unsigned index) {
    if constexpr (std::is_same_v<Parameter, Ignored>)
      return {};
    else
      return Parameter{operand_node(index)};
  }

  template <class Definition, class... Parameters>
  void add(llvm::StringRef name, Cost cost, const Definition &define,
           void (Definition::*)(Partials &, Parameters...) const) {
    auto entry = std::make_shared<RuleEntry>();
    entry->cost = cost;
    entry->operands = {kind_of(static_cast<const std::remove_cvref_t<Parameters> *>(nullptr))...};
    entry->partials.resize(sizeof...(Parameters));
    Partials partials(*entry);
    define_with<std::remove_cvref_t<Parameters>...>(define, partials, std::index_sequence_for<Parameters...>());
    entries_[name] = std::move(entry);
  }
  template <class... Parameters, class Definition, std::size_t... Index>
  static void define_with(const Definition &define, Partials &partials, std::index_sequence<Index...>) {
    define(partials, parameter<Parameters>(Index)...);
  }

  llvm::StringMap<std::shared_ptr<const RuleEntry>> entries_;
};

void add_arithmetic_rules(RuleTable &table);
void add_piecewise_rules(RuleTable &table);
void add_exponential_rules(RuleTable &table);
void add_trigonometric_rules(RuleTable &table);
void add_special_function_rules(RuleTable &table);
void add_device_rules(RuleTable &table);
void add_complex_rules(RuleTable &table);

} // namespace assay::engine
