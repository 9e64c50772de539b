// Trees of objects with virtual functions that call each other: each kind of node was copied into each other kind, over
// and over, and compiling took minutes.
#include "support/vector_program.hpp"
#include <cmath>
#include <memory>

namespace {

struct Node {
  virtual ~Node() = default;
  virtual double value(const double *x) const = 0;
};
using Child = std::unique_ptr<Node>;

struct Variable : Node {
  explicit Variable(int index) : index(index) {}
  double value(const double *x) const override { return x[index]; }
  int index;
};

struct Pair : Node {
  Pair(Child left, Child right) : left(std::move(left)), right(std::move(right)) {}
  Child left, right;
};

#define KIND(name, expression)                                                                                         \
  struct name : Pair {                                                                                                 \
    using Pair::Pair;                                                                                                  \
    double value(const double *x) const override {                                                                     \
      const double a = left->value(x), b = right->value(x);                                                            \
      return expression;                                                                                               \
    }                                                                                                                  \
  };
KIND(Product, a *b)
KIND(Sum, a + b)
KIND(Ratio, a / (1 + b * b))
KIND(Wave, std::sin(a) * b)
KIND(Bell, std::exp(-a *a) + b)
KIND(Norm, std::sqrt(1 + a * a) * b)
KIND(Step, std::tanh(a) + b)
#undef KIND

Child variable(int index) {
  return std::make_unique<Variable>(index);
}

template <class Kind>
Child pair(Child left, Child right) {
  return std::make_unique<Kind>(std::move(left), std::move(right));
}

double value_of_a_tree(const double *x, int) {
  Child low = pair<Wave>(pair<Product>(variable(0), variable(1)), pair<Ratio>(variable(2), variable(3)));
  Child high = pair<Bell>(pair<Norm>(variable(3), variable(0)), pair<Step>(variable(2), variable(1)));
  const Child top = pair<Sum>(pair<Step>(std::move(low), variable(3)), pair<Product>(std::move(high), variable(0)));
  double sum = 0;
  for (int i = 0; i < 3; ++i)
    sum += top->value(x) * x[i];
  return sum;
}

} // namespace

PLUGIN_TEST(ExpressionTrees, OfManyKindsHaveDerivativesInBothModes) {
  CHECK_FUNCTION(value_of_a_tree, 0.3, -0.7, 1.1, 0.4);
}
