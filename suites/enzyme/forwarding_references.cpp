// Calls that take everything by forwarding reference: objects, and temporary pointers to objects that the function
// takes by reference.
#include "support/plugin_test.hpp"
#include <vector>

extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_interleave;
template <class Result, class... Arguments>
Result __enzyme_autodiff(Arguments &&...);

struct Model {
  double factor;
  std::vector<double> offsets;
  double at(double x) const { return factor * x * x + offsets[0] * x; }
  static double square(double x) { return x * x; }
};
struct Point {
  double x, y;
};

namespace {

double evaluate(const Model &model, double x) {
  return model.at(x);
}
double product(const Point &a, const Point *b) {
  return a.x * b->x + a.y * b->y;
}
void advance(double *&cursor, double factor) {
  *cursor++ *= factor;
}
double advanced(double *data, double factor) {
  double *cursor = data;
  advance(cursor, factor);
  advance(cursor, factor);
  return data[0] + 10 * data[1];
}

} // namespace

PLUGIN_TEST(ForwardingReferences, ToObjectsAndToPointersToThem) {
  Model model{3, {2}}, of_pointers{0, {0}}, of_objects{0, {0}};
  double x = 2;
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)evaluate, enzyme_dup, &model, &of_pointers, enzyme_out, x), 14);
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)evaluate, enzyme_dup, model, of_objects, enzyme_out, 2.0), 14);
  for (const Model &shadow : {of_pointers, of_objects}) {
    EXPECT_CLOSE(shadow.factor, 4);
    EXPECT_CLOSE(shadow.offsets[0], 2);
  }
}
PLUGIN_TEST(ForwardingReferences, WithInterleavedShadows) {
  Point a{1, 2}, b{3, 4}, da{0, 0}, db{0, 0}, *pointer = &b, *shadow = &db;
  __enzyme_autodiff<void>((void *)product, enzyme_dup, &a, pointer, enzyme_interleave, &da, shadow);
  EXPECT_CLOSE(da.x, 3);
  EXPECT_CLOSE(db.y, 2);
}
PLUGIN_TEST(ForwardingReferences, OfFunctionsWithoutCast) {
  EXPECT_CLOSE(__enzyme_autodiff<double>(Model::square, 3.0), 6);
  double data[2] = {5, 7}, shadow[2] = {0, 0};
  EXPECT_CLOSE(__enzyme_autodiff<double>(advanced, enzyme_dup, data, shadow, enzyme_out, 2.0), 5 + 70);
  EXPECT_CLOSE(shadow[1], 20);
}
