// std::function objects of floats and of doubles that hold one another: their copies are made by the same code.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {

using Narrow = std::function<float(float)>;
using Wide = std::function<double(double)>;

float half(double x) {
  return float(x) / 2;
}

/// With y = x / 2: x^3 y + x^2 y^2.
double held_by_one_another(double x) {
  const Narrow inner = [y = half(x)](float t) { return t * y; };
  const Wide sum = [inner, x](double t) { return x * t + inner(float(t)); };
  const Narrow product = [sum, y = half(x)](float t) { return float(sum(t)) * y; };
  const Wide outer = [product, x](double t) { return product(float(t)) * x; };
  return outer(x);
}

/// x^2 + x^2 y + x^4 y^2 + x y + x^2 y^2
double in_vectors_that_grow(double x) {
  std::vector<Wide> wide;
  std::vector<Narrow> narrow;
  wide.push_back([x](double t) { return x * t; });
  narrow.push_back([y = half(x)](float t) { return y * t; });
  wide.push_back([f = narrow[0], x](double t) { return x * f(float(t)); });
  narrow.push_back([f = wide[1], y = half(x)](float t) { return y * float(f(t)); });
  wide.push_back([f = narrow[1], g = wide[0]](double t) { return f(float(t)) * g(t); });
  double sum = 0;
  for (const Wide &function : wide)
    sum += function(x);
  for (const Narrow &function : narrow)
    sum += function(float(x));
  return sum;
}

/// A float beside an address, and one that the optimiser keeps under the name of an address: x^3 y^3.
double beside_an_address(double x) {
  struct Pair {
    Narrow narrow;
    Wide wide;
  };
  Pair inner, outer;
  Pair *within = &inner;
  within->narrow = [y = half(x)](float t) { return t * y; };
  within->wide = [x](double t) { return t * x; };
  outer.narrow = [within, y = half(x)](float t) { return within->narrow(t) * y; };
  outer.wide = [within, x](double t) { return within->wide(t) * x; };
  return outer.narrow(float(x)) * outer.wide(half(x));
}

/// Nodes of a map are copied by a closure's copy, where others of the same memory have addresses: x^2 y.
double in_a_map_that_is_captured(double x) {
  std::map<int, Narrow> functions;
  functions[1] = [y = half(x)](float t) { return t * y; };
  const Wide outer = [functions, x](double t) { return x * functions.at(1)(float(t)); };
  return outer(x);
}

/// x^2 y + x y^2 + x y^3
double in_maps_of_names(double x) {
  std::map<std::string, Narrow> narrow;
  std::map<std::string, Wide> wide;
  narrow["a"] = [y = half(x)](float t) { return t * y; };
  wide["b"] = [&narrow, x](double t) { return x * narrow.at("a")(float(t)); };
  narrow["c"] = [&wide, y = half(x)](float t) { return y * float(wide.at("b")(t)); };
  wide["d"] = [narrow, x](double t) { return x * narrow.at("a")(float(t)) + narrow.at("c")(1); };
  return wide.at("d")(x) + narrow.at("c")(half(x));
}

Narrow compose(Wide outer, Wide inner) {
  return [outer, inner](float t) { return float(outer(inner(t))); };
}
Wide widen(Narrow outer, Narrow inner) {
  return [outer, inner](double t) { return double(outer(inner(float(t)))); };
}
/// An address is assigned over a float: x (y^3 - y - 1) + 1.
double assigned_over_one_another(double x) {
  const Wide line = [x](double t) { return t * x + 1; };
  Narrow function = [y = half(x)](float t) { return t * y - 1; };
  function = compose(line, widen(function, function));
  return function(half(x));
}

} // namespace

PLUGIN_TEST(FunctionsOfBothWidths, MayHoldOneAnother) {
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<double>((void *)held_by_one_another, 2.0), 24);
  EXPECT_CLOSE_FLOAT(__enzyme_fwddiff<double>((void *)held_by_one_another, 2.0, 1.0), 24);
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<double>((void *)in_vectors_that_grow, 2.0), 68);
  EXPECT_CLOSE_FLOAT(__enzyme_fwddiff<double>((void *)in_vectors_that_grow, 2.0, 1.0), 68);
}
PLUGIN_TEST(FunctionsOfBothWidths, MayKeepAFloatWhereOthersHaveAnAddress) {
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<double>((void *)beside_an_address, 2.0), 24);
  EXPECT_CLOSE_FLOAT(__enzyme_fwddiff<double>((void *)beside_an_address, 2.0, 1.0), 24);
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<double>((void *)assigned_over_one_another, 2.0), 1);
  EXPECT_CLOSE_FLOAT(__enzyme_fwddiff<double>((void *)assigned_over_one_another, 2.0, 1.0), 1);
}
PLUGIN_TEST(FunctionsOfBothWidths, MayStandInMaps) {
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<double>((void *)in_a_map_that_is_captured, 2.0), 6);
  EXPECT_CLOSE_FLOAT(__enzyme_fwddiff<double>((void *)in_a_map_that_is_captured, 2.0, 1.0), 6);
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<double>((void *)in_maps_of_names, 2.0), 13);
  EXPECT_CLOSE_FLOAT(__enzyme_fwddiff<double>((void *)in_maps_of_names, 2.0, 1.0), 13);
}
