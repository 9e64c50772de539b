// Would catch: a right derivative of values as people keep them (captures, maps, variants, complex numbers) that
// rounding makes wrong in a compiled test.

#include <assay/testing.hpp>

#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>

namespace {

using namespace assay;

TEST(NastyFunctions, CapturedWeightsBeneathCancellation) {
  const std::vector<double> w{1e8, 1, -1e8};
  const auto f = [w](const std::vector<double> &x) {
    double s = 0;
    for (std::size_t i = 0; i < w.size(); ++i)
      s += w[i] * x[i];
    return s * s;
  };
  test_forward_all(f, std::vector<double>{1.1, 0.3, 1.1});
  test_reverse_all(f, std::vector<double>{1.1, 0.3, 1.1});
}

TEST(NastyFunctions, MapOfVectors) {
  const auto f = [](const std::map<std::string, std::vector<double>> &groups) {
    double total = 0;
    for (const auto &[name, x] : groups) {
      double s = 0, q = 0;
      for (double v : x) {
        double y = 1e6 + v;
        s += y;
        q += y * y;
      }
      const double n = static_cast<double>(x.size());
      total += std::sqrt(std::abs(q / n - s / n * (s / n))) * static_cast<double>(name.size());
    }
    return total;
  };
  const std::map<std::string, std::vector<double>> g{{"a", {0.1, 2.3, -1.2}}, {"bcd", {1.5, 0.7}}};
  test_forward_all(f, g);
  test_reverse_all(f, g);
}

TEST(NastyFunctions, MutableLambda) {
  double state = 0.7;
  auto f = [state](double x) mutable {
    state = state * x + 1;
    return state * state - x;
  };
  test_forward_all(f, 1.3);
  test_reverse_all(f, 1.3);
}

TEST(NastyFunctions, VariantsAndOptionals) {
  using V = std::variant<double, std::array<double, 2>>;
  const auto f = [](const V &v, const std::optional<double> &o) {
    const double a = std::visit(
        [](const auto &x) {
          if constexpr (std::is_same_v<std::remove_cvref_t<decltype(x)>, double>)
            return x * x;
          else
            return x[0] * x[1];
        },
        v);
    return o ? a * *o : a;
  };
  test_forward_all(f, V{std::array{1.5, -0.5}}, std::optional<double>(2.5));
  test_reverse_all(f, V{2.0}, std::optional<double>(2.5));
}

TEST(NastyFunctions, ComplexPolynomialNearARoot) {
  const auto f = [](std::complex<double> z) {
    const std::complex<double> c[] = {1, -4, 6, -4, 1};
    std::complex<double> p = 0;
    for (auto k : c)
      p = p * z + k;
    return p;
  };
  test_forward_all(f, std::complex<double>(1.0001, 1e-4));
  test_reverse_all(f, std::complex<double>(1.0001, 1e-4));
}

// Would catch: a function that is refused because another one in the file has the same LLVM type, and changes what this
// one is given as constant.
double called_twice(const std::function<double(double)> &f, double x) {
  return f(x) * f(x + 1);
}
struct Steps {
  std::vector<double> weights;
  double offset;
  std::array<double, 4> further;
};
double step(Steps &s, double x) {
  for (double &each : s.weights) {
    each = std::tanh(each * x + s.offset);
    x *= each;
  }
  return x + s.further[1];
}

TEST(NastyFunctions, OfOneTypeForTheCompilerInOneFile) {
  const double a = 2;
  const std::function<double(double)> f = [a](double x) { return a * x * x; };
  test_forward_all(called_twice, f, 1.5);
  test_reverse_all(called_twice, f, 1.5);
  test_forward_all(step, Steps{{0.5, 1.5}, 0.3, {1, 2}}, 0.8);
  test_reverse_all(step, Steps{{0.5, 1.5}, 0.3, {1, 2}}, 0.8);
}

} // namespace
