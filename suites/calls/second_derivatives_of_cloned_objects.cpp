// Objects with virtual functions that keep each other behind growing arrays of pointers: a group that clones its
// members and changes the copies.
#include "support/second_order.hpp"
#include <memory>
#include <vector>

namespace {

struct Shape {
  virtual ~Shape() = default;
  virtual std::unique_ptr<Shape> clone() const = 0;
  virtual double area() const = 0;
  virtual void scale(double factor) = 0;
};

struct Square : Shape {
  double side;
  explicit Square(double side) : side(side) {}
  std::unique_ptr<Shape> clone() const override { return std::make_unique<Square>(*this); }
  double area() const override { return side * side; }
  void scale(double factor) override { side *= factor; }
};

struct Group : Shape {
  std::vector<std::unique_ptr<Shape>> members;
  Group() = default;
  Group(const Group &other) {
    for (const auto &member : other.members)
      members.push_back(member->clone());
  }
  std::unique_ptr<Shape> clone() const override { return std::make_unique<Group>(*this); }
  double area() const override {
    double sum = 0;
    for (const auto &member : members)
      sum += member->area();
    return sum;
  }
  void scale(double factor) override {
    for (const auto &member : members)
      member->scale(factor);
  }
};

double of_a_cloned_group(const double *x, int) {
  Group group;
  group.members.push_back(std::make_unique<Square>(x[0]));
  group.members.push_back(std::make_unique<Square>(x[2]));
  group.members.push_back(std::make_unique<Square>(x[3]));
  const std::unique_ptr<Shape> copy = group.clone();
  copy->scale(x[1]);
  return copy->area() * group.area();
}

} // namespace

PLUGIN_TEST(SecondDerivativesOfClonedObjects, of_a_cloned_group) {
  CHECK_FUNCTION(of_a_cloned_group, 0.3, 0.9, 0.5, 1.5);
  CHECK_SECOND_ORDER(of_a_cloned_group, 0.3, 0.9, 0.5, 1.5);
}
