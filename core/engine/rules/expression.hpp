#pragma once
// Small expressions over the operands and the result of one scalar operation: the language in which derivative rules
// are written. An expression is an immutable DAG; sharing a subexpression shares the emitted value.

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstrTypes.h"
#include <memory>
#include <string>

namespace assay::engine {

enum class NodeKind : std::uint8_t {
  constant,     ///< `text` is a decimal literal, rounded to the type of the operation
  dominance,    ///< a power of two t with t*t + 1 == t*t in the type of the operation
  operand,      ///< operand `index`
  result,       ///< the primal result
  seed,         ///< the factor of the partial; an expression that mentions it is the product itself
  unmultiplied, ///< child 0 as the product itself: for values that must not meet the seed (0 * inf)
  negate,
  add,
  subtract,
  multiply,
  divide,
  compare,  ///< `predicate` of children 0 and 1
  both,     ///< logical and
  select,   ///< child 0 ? child 1 : child 2
  to_float, ///< the integer child 0
  offset,   ///< the integer child 0 plus `index` (signed)
  call,     ///< function `text` of the children, in the dialect of the primal call
};

struct Node {
  NodeKind kind;
  int index = 0;
  llvm::CmpInst::Predicate predicate = llvm::CmpInst::BAD_FCMP_PREDICATE;
  std::string text;
  llvm::SmallVector<std::shared_ptr<const Node>, 3> children;
};
using NodePointer = std::shared_ptr<const Node>;

/// A floating-point expression.
class Expression {
public:
  explicit Expression(NodePointer node) : node(std::move(node)) {}
  Expression(int value);
  explicit Expression(const char *decimal);
  NodePointer node;
};
/// An integer operand or an offset from one.
struct Integer {
  NodePointer node;
};
struct Condition {
  NodePointer node;
};
/// A parameter that a rule does not speak of (a pointer that receives an integer).
struct Ignored {};

Expression result();
Expression seed();
Expression dominance();
Expression unmultiplied(const Expression &value);
Expression to_float(const Integer &value);

Expression operator-(const Expression &a);
Expression operator+(const Expression &a, const Expression &b);
Expression operator-(const Expression &a, const Expression &b);
Expression operator*(const Expression &a, const Expression &b);
Expression operator/(const Expression &a, const Expression &b);
Integer operator+(const Integer &a, int b);
Integer operator-(const Integer &a, int b);

// Ordered comparisons, false for NaN, but for the ones that say otherwise.
Condition operator<(const Expression &a, const Expression &b);
Condition operator<=(const Expression &a, const Expression &b);
Condition operator>(const Expression &a, const Expression &b);
Condition operator>=(const Expression &a, const Expression &b);
Condition equal(const Expression &a, const Expression &b);
Condition is_number(const Expression &a);
Condition ordered_and_different(const Expression &a, const Expression &b);
Condition unordered_or_at_least(const Expression &a, const Expression &b);
Condition both(const Condition &a, const Condition &b);
Expression select(const Condition &condition, const Expression &yes, const Expression &no);

Expression call(llvm::StringRef name, llvm::ArrayRef<NodePointer> arguments);
template <class... Arguments>
Expression call(llvm::StringRef name, const Arguments &...arguments) {
  return call(name, llvm::ArrayRef<NodePointer>({arguments.node...}));
}

bool is_constant(const Node &node, llvm::StringRef decimal);
/// True when `node` mentions the seed, so that it is a product rather than a factor.
bool mentions_seed(const Node &node);

} // namespace assay::engine
