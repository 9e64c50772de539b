// Trees of objects with one base: a leaf's numbers lie where the nodes have the addresses of their children, and a
// function that calls itself builds the tree from pointers that it moves.
#include "support/vector_program.hpp"
#include <cmath>
#include <memory>

namespace {

using namespace assay::suites;

struct Shape {
  virtual ~Shape() = default;
  virtual double area(double t) const = 0;
};

struct Circle : Shape {
  double radius;
  explicit Circle(double radius) : radius(radius) {}
  double area(double t) const override { return radius * radius * std::exp(-t * radius); }
};

struct Rectangle : Shape {
  double width, height;
  Rectangle(double width, double height) : width(width), height(height) {}
  double area(double t) const override { return width * height / (1 + t * width); }
};

struct Union : Shape {
  std::unique_ptr<Shape> first, second;
  Union(std::unique_ptr<Shape> first, std::unique_ptr<Shape> second)
      : first(std::move(first)), second(std::move(second)) {}
  double area(double t) const override {
    const double one = first->area(t), other = second->area(0.5 * t);
    return one + other - 0.1 * one * other;
  }
};

std::unique_ptr<Shape> shape(const double *x, int begin, int end) {
  if (end - begin == 1)
    return std::make_unique<Circle>(x[begin]);
  if (end - begin == 2)
    return std::make_unique<Rectangle>(x[begin], x[begin + 1]);
  const int middle = (begin + end) / 2;
  return std::make_unique<Union>(shape(x, begin, middle), shape(x, middle, end));
}

double area_of_tree(const double *x, int n) {
  const std::unique_ptr<Shape> whole = shape(x, 0, n);
  double sum = 0;
  for (int i = 0; i < 3; ++i)
    sum += whole->area(0.2 * i);
  return sum;
}

} // namespace

PLUGIN_TEST(TreeOfShapes, IsBuiltByACallOfItself) {
  CHECK_FUNCTION(area_of_tree, 0.9, 1.1, 0.7, 0.8, 1.2, 0.6, 1.3, 0.95, 0.75);
}

PLUGIN_TEST(TreeOfShapes, HasNodesOfEachKindInEachPlace) {
  CHECK_FUNCTION(area_of_tree, 0.9, 1.1, 0.7, 0.8, 1.2, 0.6, 1.3, 0.95, 0.75, 0.85, 1.15, 0.65, 1.25);
}
