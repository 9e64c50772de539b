// Constructors and destructors that are not inline have two names, and callers use the one that is an alias. Beside
// floats of another size only the callers tell that what a constructor copies are numbers.
#include "support/vector_program.hpp"

namespace assay::suites {

struct Point {
  double x, y;
};

class World { // with external linkage, as a class of a header
public:
  explicit World(const Point &gravity);
  World(const Point &gravity, double *sum);
  ~World();
  double fall(double height, int steps) const;

private:
  Point gravity_;
  bool counts_ = false;
  double *sum_ = nullptr;
};

World::World(const Point &gravity) {
  gravity_ = gravity;
}
World::World(const Point &gravity, double *sum) : sum_(sum) {
  gravity_ = gravity;
  counts_ = true;
}
World::~World() {
  if (counts_)
    *sum_ += gravity_.x * gravity_.y;
}

double World::fall(double height, int steps) const {
  double speed = 0;
  for (int i = 0; i < steps; ++i) {
    speed += 0.1 * gravity_.y;
    height += 0.1 * speed + 0.01 * gravity_.x * height;
  }
  return height;
}

static float halved(float x) { // so that not all numbers of the file are doubles
  return x / 2;
}

} // namespace assay::suites

namespace {

double fall(const double *x, int n) {
  const assay::suites::World world({x[0], x[1]});
  return world.fall(x[n - 1], n) + double(assay::suites::halved(float(n)));
}
double two_worlds(const double *x, int n) {
  double sum = x[1];
  {
    const assay::suites::World outer({x[1], x[0]}, &sum), inner({sum, x[n - 1]}, &sum);
    sum += outer.fall(x[2], 3) * inner.fall(x[0], 2);
  }
  return sum * sum;
}

} // namespace

PLUGIN_TEST(KnownByConstructors, WhatTheyCopy) {
  CHECK_FUNCTION(fall, 0.7, -1.2, 0.4);
}
PLUGIN_TEST(KnownByConstructors, AndWhatDestructorsRead) {
  CHECK_FUNCTION(two_worlds, 0.7, -1.2, 0.4);
}
