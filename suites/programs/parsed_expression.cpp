// A recursive-descent parser builds a tree of polymorphic nodes inside the differentiated function: unique_ptrs are
// returned, replaced and joined with new nodes, and the nodes hold numbers, characters, strings and other nodes.
#include "support/vector_program.hpp"
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

namespace {

struct Node {
  virtual ~Node() = default;
  virtual double evaluate(const double *x) const = 0;
};
using Tree = std::unique_ptr<Node>;

struct Number : Node {
  double value;
  explicit Number(double value) : value(value) {}
  double evaluate(const double * /*x*/) const override { return value; }
};

struct Variable : Node {
  int index;
  explicit Variable(int index) : index(index) {}
  double evaluate(const double *x) const override { return x[index]; }
};

struct Binary : Node {
  char operation;
  Tree left, right;
  Binary(char operation, Tree left, Tree right)
      : operation(operation), left(std::move(left)), right(std::move(right)) {}
  double evaluate(const double *x) const override {
    const double one = left->evaluate(x), other = right->evaluate(x);
    switch (operation) {
    case '+':
      return one + other;
    case '*':
      return one * other;
    default:
      return std::pow(one, other);
    }
  }
};

struct Applied : Node {
  std::string name;
  Tree inner;
  Applied(std::string name, Tree inner) : name(std::move(name)), inner(std::move(inner)) {}
  double evaluate(const double *x) const override {
    const double value = inner->evaluate(x);
    return name == "sin" ? std::sin(value) : std::exp(value);
  }
};

struct Parser {
  const char *rest;

  void skip() {
    while (*rest == ' ')
      ++rest;
  }

  Tree sum() {
    Tree left = product();
    for (skip(); *rest == '+'; skip()) {
      const char operation = *rest++;
      left = std::make_unique<Binary>(operation, std::move(left), product());
    }
    return left;
  }

  Tree product() {
    Tree left = power();
    for (skip(); *rest == '*'; skip()) {
      const char operation = *rest++;
      left = std::make_unique<Binary>(operation, std::move(left), power());
    }
    return left;
  }

  Tree power() {
    Tree base = atom();
    skip();
    if (*rest != '^')
      return base;
    ++rest;
    return std::make_unique<Binary>('^', std::move(base), power());
  }

  Tree atom() {
    skip();
    if (*rest == '(') {
      ++rest;
      Tree inner = sum();
      ++rest;
      return inner;
    }
    if (std::isdigit(*rest) != 0) {
      char *end = nullptr;
      const double value = std::strtod(rest, &end);
      rest = end;
      return std::make_unique<Number>(value);
    }
    std::string name;
    while (std::isalnum(*rest) != 0)
      name += *rest++;
    if (*rest != '(')
      return std::make_unique<Variable>(name[1] - '0');
    ++rest;
    Tree inner = sum();
    ++rest;
    return std::make_unique<Applied>(name, std::move(inner));
  }
};

double parsed_expression(const double *x, int /*n*/) {
  Parser parser{"x0 * sin(x1 * 2) + exp(x2)^2 * (x0 + 3) + x1 * x2^x0"};
  return parser.sum()->evaluate(x);
}

} // namespace

PLUGIN_TEST(ParsedExpression, IsDifferentiated) {
  CHECK_FUNCTION(parsed_expression, 0.3, 0.8, 0.5);
}
