// Recursion through objects: a std::function that calls itself, casts down a class hierarchy.
#include "support/vector_program.hpp"
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

namespace {

struct Node {
  double value;
  const Node *left, *right;
};

double function_that_calls_itself(const double *x, int) { // what it recurs to was taken for constant
  const Node a{x[0], nullptr, nullptr}, b{x[1], &a, nullptr}, c{x[2], nullptr, nullptr}, d{x[3], &b, &c};
  std::function<double(const Node *)> sum = [&](const Node *node) {
    return node ? std::sin(node->value) * (1 + sum(node->left)) + sum(node->right) * node->value : 0.5;
  };
  return sum(&d);
}

struct SharedNode {
  double value = 0;
  std::shared_ptr<SharedNode> left, right;
};

double tree_built_by_recursion(const double *x, int n) {
  std::function<std::shared_ptr<SharedNode>(int, int)> build = [&](int low, int high) -> std::shared_ptr<SharedNode> {
    if (low >= high)
      return nullptr;
    const int middle = (low + high) / 2;
    auto node = std::make_shared<SharedNode>();
    node->value = x[middle];
    node->left = build(low, middle);
    node->right = build(middle + 1, high);
    return node;
  };
  const auto tree = build(0, n);
  return tree->value * tree->left->value * (tree->left->left ? tree->left->left->value : 2) * tree->right->value;
}

struct Shape {
  virtual double area() const = 0;
  virtual ~Shape() = default;
};
struct Named {
  virtual ~Named() = default;
  int name = 3;
};
struct Circle : Shape {
  explicit Circle(double radius) : radius(radius) {}
  double area() const override { return 3 * radius * radius; }
  double radius;
};
struct Rectangle : Named, Shape {
  Rectangle(double width, double height) : width(width), height(height) {}
  double area() const override { return width * height; }
  double width, height;
};

double cast_down(const double *x, int) {
  std::vector<std::unique_ptr<Shape>> shapes;
  shapes.push_back(std::make_unique<Circle>(x[0]));
  shapes.push_back(std::make_unique<Rectangle>(x[1], x[2]));
  double sum = 0;
  for (const auto &shape : shapes) {
    if (const auto *rectangle = dynamic_cast<const Rectangle *>(shape.get()))
      sum += rectangle->width * rectangle->name;
    sum += shape->area() * x[3];
  }
  return sum;
}

struct Curve {
  virtual double at(double x) const = 0;
  virtual ~Curve() = default;
};
struct Parabola : virtual Curve {
  explicit Parabola(double scale) : scale(scale) {}
  double at(double x) const override { return scale * x * x; }
  double scale;
};
struct Offset : virtual Curve {
  int steps = 2;
};
struct Shifted : Parabola, Offset {
  Shifted(double scale, double shift) : Parabola(scale), shift(shift) {}
  double at(double x) const override { return Parabola::at(x) + shift * steps; }
  double shift;
};

double virtual_bases(const double *x, int) { // their tables begin with more offsets than others
  const Parabola parabola(x[0]);
  const Shifted shifted(x[1], x[2]);
  const Curve *curves[] = {&parabola, &shifted};
  double sum = 0;
  for (int i = 0; i < 4; ++i)
    sum += curves[i % 2]->at(x[3] + i);
  return sum;
}

struct Visitor;
struct Expression {
  virtual ~Expression() = default;
  virtual void accept(Visitor &visitor) const = 0;
};
struct Variable;
struct Product;
struct Visitor {
  virtual void visit(const Variable &variable) = 0;
  virtual void visit(const Product &product) = 0;
};
struct Variable : Expression {
  explicit Variable(int index) : index(index) {}
  void accept(Visitor &visitor) const override { visitor.visit(*this); }
  int index;
};
struct Product : Expression {
  std::vector<std::shared_ptr<Expression>> factors;
  void accept(Visitor &visitor) const override { visitor.visit(*this); }
};
struct Evaluation : Visitor {
  const double *x = nullptr;
  double result = 0;
  void visit(const Variable &variable) override { result = x[variable.index]; }
  void visit(const Product &product) override {
    double value = 1;
    for (const auto &factor : product.factors) {
      factor->accept(*this);
      value *= result + 1;
    }
    result = value;
  }
};

double visited(const double *x, int n) { // which table a pointer may have was a choice, and nothing was found there
  auto inner = std::make_shared<Product>(), outer = std::make_shared<Product>();
  for (int i = 0; i < n; ++i)
    (i % 2 ? inner : outer)->factors.push_back(std::make_shared<Variable>(i));
  outer->factors.push_back(inner);
  Evaluation evaluation;
  evaluation.x = x;
  outer->accept(evaluation);
  return evaluation.result;
}

double found_by_search(const double *x, int n) {
  struct Entry {
    double value;
    char key[8];
  } entry = {x[0] * x[1], "abc"};
  char *found = std::strchr(entry.key, n > 100 ? 'z' : 'b');
  if (!found)
    return 0;
  return *reinterpret_cast<double *>(found - 1 - sizeof(double)) * x[2];
}

} // namespace

PLUGIN_TEST(RecursiveObjects, AFunctionMayCallItself) {
  CHECK_FUNCTION(function_that_calls_itself, 0.3, 0.8, 0.5, 1.4);
}
PLUGIN_TEST(RecursiveObjects, ATreeMayBeBuiltByAFunctionThatCallsItself) {
  CHECK_FUNCTION(tree_built_by_recursion, 0.3, 0.8, 0.5, 1.4);
}
PLUGIN_TEST(RecursiveObjects, CastsDownAHierarchyKeepTheShadow) {
  CHECK_FUNCTION(cast_down, 0.3, 0.8, 0.5, 1.4);
}
PLUGIN_TEST(RecursiveObjects, VirtualBasesAreFound) {
  CHECK_FUNCTION(virtual_bases, 0.3, 0.8, 0.5, 1.4);
}
PLUGIN_TEST(RecursiveObjects, VisitorsAreFollowed) {
  CHECK_FUNCTION(visited, 0.3, 0.8, 0.5, 1.4);
}
PLUGIN_TEST(RecursiveObjects, SearchesKeepTheShadow) {
  CHECK_FUNCTION(found_by_search, 0.3, 0.8, 0.5, 1.4);
}
