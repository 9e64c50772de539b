// Gradients of functions of the library's types and of cyclic structures.

#include <assay/testing.hpp>

#include <complex>
#include <map>
#include <optional>

namespace {

using namespace assay;

std::complex<double> square(std::complex<double> z) {
  return z * z;
}

TEST(LibraryTypes, ComplexNumberByValueAndAsResult) {
  test_reverse_all(square, std::complex<double>(1, 2));
  test_forward_all(square, std::complex<double>(1, 2));
}

double weighted(const std::map<int, double> &weights) {
  double sum = 0;
  for (const auto &[key, value] : weights)
    sum += key * value * value;
  return sum;
}

TEST(LibraryTypes, Map) {
  const std::map<int, double> weights{{1, 2}, {3, 4}};
  test_reverse_all(weighted, weights);
  test_forward_all(weighted, weights);
}

double product(const std::optional<double> &x, double y) {
  return x ? *x * y : y;
}

TEST(LibraryTypes, Optional) {
  test_reverse_all(product, std::optional(1.5), 2.0);
  test_forward_all(product, std::optional<double>(), 2.0);
}

struct Ring {
  double value;
  Ring *next;
};

double around(const Ring &ring) {
  return ring.value * ring.next->value * ring.next->next->value;
}

TEST(Cycle, IsTwoVariablesHoweverOftenItIsGoneAround) {
  Ring first{1.5, nullptr}, second{2.5, &first};
  first.next = &second;
  const testutils::Report report = check_reverse_all(TestOptions{.variations = off}, around, first);
  ASSERT_EQ(report.records.size(), 1U);
  EXPECT_EQ(report.records[0].verdict, testutils::Verdict::pass);
  EXPECT_EQ(report.signature.parameters[0].size(), 2U);
}

struct Opaque {
  double *data;
  int size;
};

double sum_times(const Opaque &opaque, double x) {
  double sum = 0;
  for (int i = 0; i < opaque.size; ++i)
    sum += opaque.data[i] * x;
  return sum;
}

TEST(RawPointer, ToNumbersIsConstantBecauseItDoesNotSayToHowMany) {
  double data[]{1, 2};
  const testutils::Report report = check_reverse_all(TestOptions{.variations = off}, sum_times, Opaque{data, 2}, 1.5);
  ASSERT_EQ(report.records.size(), 1U);
  EXPECT_EQ(report.records[0].combination.arguments[0], testutils::Activity::constant);
  EXPECT_EQ(report.records[0].verdict, testutils::Verdict::pass);
}

} // namespace
