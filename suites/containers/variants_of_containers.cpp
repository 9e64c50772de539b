// Variants of numbers and containers: a word of them is a number at one time and an address at another, and only the
// run tells which. Each test lost a derivative, at one level or another, where such words were copied out of an array
// at an index that varies, kept in registers, or used as both.
#include "support/vector_program.hpp"
#include <utility>
#include <variant>
#include <vector>

namespace {

struct Circle {
  double radius;
};
struct Rectangle {
  double width, height;
};
struct Sum {
  std::vector<double> parts;
};
using Shape = std::variant<Circle, Sum>;

double area(const Shape &shape) {
  if (const auto *circle = std::get_if<Circle>(&shape))
    return circle->radius * circle->radius * circle->radius;
  double sum = 0;
  for (double part : std::get<Sum>(shape).parts)
    sum += part * part * part;
  return sum;
}

void grow(Shape &shape, double factor) {
  if (auto *circle = std::get_if<Circle>(&shape))
    circle->radius *= factor;
}

Shape grown(Shape shape, double factor) {
  if (auto *circle = std::get_if<Circle>(&shape))
    circle->radius *= factor;
  else
    for (double &part : std::get<Sum>(shape).parts)
      part *= factor;
  return shape;
}

double copied_out_of_an_array(const double *x, int) {
  const Shape shapes[2] = {Circle{x[0]}, Circle{x[1]}};
  double sum = 0;
  for (int i = 0; i < 2; ++i) {
    Shape shape = shapes[i];
    grow(shape, x[2]);
    sum += area(shape);
  }
  return sum;
}

double copied_out_of_a_vector(const double *x, int) {
  std::vector<Shape> shapes;
  shapes.push_back(Circle{x[0]});
  shapes.push_back(Circle{x[1]});
  double sum = 0;
  for (int i = 0; i < 2; ++i) {
    Shape shape = shapes[i];
    grow(shape, x[2]);
    sum += area(shape);
  }
  return sum;
}

double passed_and_returned_by_value(const double *x, int) {
  const std::vector<Shape> shapes{Circle{x[0]}, Sum{{x[1], x[0]}}};
  double sum = 0;
  for (const Shape &shape : shapes)
    sum += area(grown(shape, x[2]));
  return sum;
}

double another_alternative_assigned(const double *x, int) {
  std::vector<Shape> shapes{Circle{x[0]}, Sum{{x[1], x[0]}}};
  shapes[0] = Sum{{x[2]}};
  double sum = 0;
  for (const Shape &shape : shapes)
    sum += area(shape);
  return sum;
}

double kept_while_the_vector_grows(const double *x, int) {
  std::vector<Shape> shapes{Circle{x[0]}, Sum{{x[1], x[0]}}};
  shapes.push_back(grown(shapes[0], x[1]));
  double sum = 0;
  for (const Shape &shape : shapes)
    sum += area(shape);
  return sum;
}

double assigned_one_to_another(const double *x, int) {
  std::vector<Shape> shapes{Circle{x[0]}, Sum{{x[1], x[0]}}};
  shapes[1] = shapes[0];
  shapes.push_back(grown(shapes[0], x[1]));
  double sum = 0;
  for (const Shape &shape : shapes)
    sum += area(shape);
  return sum;
}

using Figure = std::variant<Circle, Rectangle, Sum>;

double size(const Figure &figure) {
  if (const auto *circle = std::get_if<Circle>(&figure))
    return circle->radius * circle->radius;
  if (const auto *rectangle = std::get_if<Rectangle>(&figure))
    return rectangle->width * rectangle->height;
  double product = 1;
  for (double part : std::get<Sum>(figure).parts)
    product *= part;
  return product;
}

Figure changed(Figure figure, double amount) {
  if (auto *circle = std::get_if<Circle>(&figure)) {
    circle->radius *= amount;
  } else if (auto *rectangle = std::get_if<Rectangle>(&figure)) {
    rectangle->width *= amount;
    rectangle->height += amount;
  } else {
    std::get<Sum>(figure).parts.push_back(amount);
  }
  return figure;
}

double of_three_alternatives(const double *x, int) {
  std::vector<Figure> figures{Circle{x[0]}, Rectangle{x[1], x[2]}, Sum{{x[0], x[1], x[2]}}};
  double sum = 0;
  for (const Figure &figure : figures)
    sum += size(figure) * size(changed(figure, x[2]));
  figures[0] = Rectangle{x[2], x[0]};
  figures[1] = figures[2];
  figures[2].emplace<Circle>(x[1]);
  for (const Figure &figure : figures)
    sum += size(figure) * size(figure);
  return sum;
}

double of_variants(const double *x, int) {
  using Outer = std::variant<int, Shape, std::pair<double, double>>;
  Outer all[4] = {3, Shape{Circle{x[0]}}, Shape{Sum{{x[1], x[2]}}}, std::pair{x[0], x[2]}};
  double sum = 0;
  for (int i = 0; i < 8; ++i) {
    const Outer copy = all[i % 4];
    if (const auto *shape = std::get_if<Shape>(&copy))
      sum += (i + 1) * area(*shape);
    else if (const auto *pair = std::get_if<2>(&copy))
      sum += pair->first * pair->second;
    all[i % 4] = all[(i + 1) % 4];
  }
  return sum;
}

PLUGIN_TEST(VariantsOfContainers, AreCopiedOutOfAnArray) {
  CHECK_FUNCTION(copied_out_of_an_array, 0.3, 0.5, 0.7);
}
PLUGIN_TEST(VariantsOfContainers, AreCopiedOutOfAVector) {
  CHECK_FUNCTION(copied_out_of_a_vector, 0.3, 0.5, 0.7);
}
PLUGIN_TEST(VariantsOfContainers, ArePassedAndReturnedByValue) {
  CHECK_FUNCTION(passed_and_returned_by_value, 0.3, 0.5, 0.7);
}
PLUGIN_TEST(VariantsOfContainers, BecomeAnotherAlternative) {
  CHECK_FUNCTION(another_alternative_assigned, 0.3, 0.5, 0.7);
}
PLUGIN_TEST(VariantsOfContainers, AreKeptWhileTheirVectorGrows) {
  CHECK_FUNCTION(kept_while_the_vector_grows, 0.3, 0.5, 0.7);
}
PLUGIN_TEST(VariantsOfContainers, AreAssignedToOneAnother) {
  CHECK_FUNCTION(assigned_one_to_another, 0.3, 0.5, 0.7);
}
PLUGIN_TEST(VariantsOfContainers, HaveThreeAlternatives) {
  CHECK_FUNCTION(of_three_alternatives, 0.3, 0.5, 0.7);
}
PLUGIN_TEST(VariantsOfContainers, HoldVariants) {
  CHECK_FUNCTION(of_variants, 0.3, 0.5, 0.7);
}

} // namespace
