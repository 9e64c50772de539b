// __enzyme_virtualreverse of a virtual table that only the running program knows.
#include "support/plugin_test.hpp"
#include <cmath>
#include <cstring>
#include <memory>

namespace {

struct Shape {
  virtual ~Shape() = default;
  virtual double area(double scale) const = 0;
  double size = 0;
};
struct Square : Shape {
  double area(double scale) const override { return scale * size * size; }
};
struct Named {
  virtual ~Named() = default;
  virtual int id() const { return 7; }
  int number = 3;
};
struct Circle : Named, Shape {
  double area(double scale) const override { return scale * 3 * size * size * size; }
};

struct Sized {
  virtual ~Sized() = default;
  virtual double twice(double x) { return 2 * once(x); }
  virtual double once(double x) { return x; }
  double size = 1;
};
struct Grown : virtual Sized {
  double growth = 2;
  double once(double x) override { return growth * size * x; }
};
struct Squared : Grown {
  double twice(double x) override { return Grown::twice(x) + once(x) * x; }
};
double evaluate_twice(Sized *object, double x) {
  return object->twice(x);
}

double evaluate(const Shape *shape, double scale) {
  return shape->area(scale) * shape->size;
}

struct TapedDouble {
  void *tape;
  double value;
};
struct Pair {
  TapedDouble (*augmented)(const Shape *, Shape *, double);
  double (*reverse)(const Shape *, Shape *, double, double, void *);
};

volatile bool takes_square = true;

} // namespace

extern "C" {
extern int enzyme_dup;
void *__enzyme_virtualreverse(void *);
double __enzyme_autodiff(void *, ...);
}

namespace {

std::unique_ptr<Shape> make(double size) {
  std::unique_ptr<Shape> shape;
  if (takes_square)
    shape = std::make_unique<Square>();
  else
    shape = std::make_unique<Circle>();
  shape->size = size;
  return shape;
}

/// A shadow as programs make it: the bytes of the object, with its numbers cleared and its table exchanged.
std::unique_ptr<Shape> make_shadow(Shape &object) {
  std::unique_ptr<Shape> shadow = make(0);
  *(void **)shadow.get() = __enzyme_virtualreverse(*(void **)&object);
  return shadow;
}

} // namespace

PLUGIN_TEST(VirtualTables, GiveShadowsOfObjects) {
  for (const bool square : {true, false}) {
    takes_square = square;
    const std::unique_ptr<Shape> shape = make(2), shadow = make_shadow(*shape);
    const double dscale = __enzyme_autodiff((void *)evaluate, enzyme_dup, shape.get(), shadow.get(), 5.0);
    EXPECT_CLOSE(dscale, square ? 8 : 48);
    EXPECT_CLOSE(shadow->size, square ? 5 * 3 * 4 : 5 * 3 * 4 * 8);
    EXPECT_HOLDS((dynamic_cast<Square *>(shadow.get()) != nullptr) == square);
  }
}
PLUGIN_TEST(VirtualTables, HoldPairsThatCanBeCalled) {
  takes_square = false;
  const std::unique_ptr<Shape> shape = make(2), shadow = make(0);
  // Behind the two entries of the destructor.
  const Pair *const *table = (const Pair *const *)__enzyme_virtualreverse(*(void **)shape.get());
  const TapedDouble forward = table[2]->augmented(shape.get(), shadow.get(), 5.0);
  EXPECT_CLOSE(forward.value, 5 * 3 * 8);
  EXPECT_CLOSE(table[2]->reverse(shape.get(), shadow.get(), 5.0, 2.0, forward.tape), 2 * 24);
  EXPECT_CLOSE(shadow->size, 2 * 5 * 9 * 4);
}
PLUGIN_TEST(VirtualTables, OfAnObjectThatIsSeen) {
  Square square, shadow;
  square.size = 3;
  *(void **)&shadow = __enzyme_virtualreverse(*(void **)&square);
  EXPECT_CLOSE(__enzyme_autodiff((void *)evaluate, enzyme_dup, &square, &shadow, 2.0), 27);
  EXPECT_CLOSE(shadow.size, 2 * 27);
}
PLUGIN_TEST(VirtualTables, OfVirtualBases) {
  Squared object, shadow;
  shadow.size = shadow.growth = 0;
  Sized *base = &object, *base_of_shadow = &shadow;
  *(void **)base_of_shadow = __enzyme_virtualreverse(*(void **)base);
  // 2 growth size x + growth size x^2
  EXPECT_CLOSE(__enzyme_autodiff((void *)evaluate_twice, enzyme_dup, base, base_of_shadow, 3.0), 4 + 12);
  EXPECT_CLOSE(shadow.size, 12 + 18);
  EXPECT_CLOSE(shadow.growth, 6 + 9);
}
