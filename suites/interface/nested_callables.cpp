// Derivatives of derivatives of a function that a lambda captured: which one it is, only the run tells, and the
// derivatives of several lambdas contain one another's calls.
#include "support/plugin_test.hpp"
#include <assay/autodiff.hpp>
#include <functional>

using namespace assay;

namespace {

double fourth(double x) {
  return x * x * x * x;
}
double cube(double x) {
  return x * x * x;
}

template <class F>
auto forward(F f) {
  return [f](double x) { return autodiff_deferred<Forward>(f, Duplicated{x, 1.0}).derivative; };
}
template <class F>
auto reverse(F f) {
  return [f](double x) { return std::get<0>(autodiff_deferred<Reverse>(f, Active{x}).gradient); };
}

PLUGIN_TEST(NestedCallables, ToThirdOrderOfAPointer) {
  EXPECT_CLOSE(forward(forward(forward(fourth)))(2.0), 48);
  EXPECT_CLOSE(forward(forward(reverse(fourth)))(2.0), 48);
  EXPECT_CLOSE(forward(reverse(forward(fourth)))(2.0), 48);
  EXPECT_CLOSE(forward(reverse(reverse(fourth)))(2.0), 48);
  EXPECT_CLOSE(reverse(forward(forward(fourth)))(2.0), 48);
  EXPECT_CLOSE(reverse(forward(reverse(fourth)))(2.0), 48);
  EXPECT_CLOSE(reverse(reverse(forward(fourth)))(2.0), 48);
  EXPECT_CLOSE(reverse(reverse(reverse(fourth)))(2.0), 48);
}

PLUGIN_TEST(NestedCallables, OfPointersThatChange) {
  for (double (*f)(double) : {fourth, cube}) {
    const double curvature = f == fourth ? 48 : 12;
    EXPECT_CLOSE(forward(reverse(f))(2.0), curvature);
    EXPECT_CLOSE(reverse(forward(f))(2.0), curvature);
    const std::function<double(double)> holder = f;
    const auto called = [&holder](double x) { return holder(x); };
    EXPECT_CLOSE(forward(reverse(called))(2.0), curvature);
    EXPECT_CLOSE(reverse(reverse(called))(2.0), curvature);
  }
}

} // namespace
