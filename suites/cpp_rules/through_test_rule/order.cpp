// Rules that sort, those of sums over a vector, and those of linear maps, through test_rule.
#include "through_test_rule.hpp"
#include <assay/rules/fft.hpp>
#include <assay/rules/logsumexp.hpp>
#include <assay/rules/norm.hpp>
#include <assay/rules/softmax.hpp>
#include <assay/rules/sort.hpp>
#include <assay/rules/top.hpp>

using namespace assay;
using bundled::Numbers;
using bundled::test_function;
using bundled::weighed;

namespace {

const Numbers numbers{0.3, 1.1, -0.5};

double sorted(const Numbers &x) {
  return weighed(rules::sorted(x));
}
double top(const Numbers &x) {
  return weighed(rules::top(x, 2));
}
double softmax(const Numbers &x) {
  return weighed(rules::softmax(x));
}
double logsumexp(const Numbers &x) {
  return rules::logsumexp(x);
}
double norm(const Numbers &x) {
  return rules::norm(x);
}

TEST(OrderRules, Sorted) {
  test_function("sorted", sorted, numbers);
}
TEST(OrderRules, Top) {
  test_function("top", top, numbers);
}
TEST(OrderRules, Softmax) {
  test_function("softmax", softmax, numbers);
}
TEST(OrderRules, Logsumexp) {
  test_function("logsumexp", logsumexp, numbers);
}
TEST(OrderRules, Norm) {
  test_function("norm", norm, numbers);
}

#ifdef ASSAY_HAS_FFTW
double power(const Numbers &x) {
  const auto y = rules::fft({{x[0], x[1]}, {x[2], 0.5}, {x[1], x[0]}});
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i)
    sum += y[i].real() * y[i].real() * double(i + 1) + y[i].imag() * y[i].real();
  return sum;
}
TEST(OrderRules, Fourier) {
  test_function("power", power, numbers);
}
#endif

} // namespace
