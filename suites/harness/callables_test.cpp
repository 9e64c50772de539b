// Functions that hold numbers: captures of lambdas, members of function objects. They are differentiated and mutated as
// arguments are.

#include <assay/testing.hpp>

#include <algorithm>
#include <cmath>

namespace {

using namespace assay;
using testutils::Activity;

struct Polynomial {
  std::vector<double> coefficients;
  double operator()(double x) const {
    double value = 0;
    for (const double coefficient : coefficients)
      value = value * x + coefficient;
    return value;
  }
};

struct RunningMean {
  double sum = 0.25;
  int count = 1;
  double operator()(double x) {
    sum += x * x;
    return sum / ++count;
  }
};

TEST(Callable, CapturesAreDifferentiated) {
  double factor = 1.5; // The compiler may use the value of a constant instead of the capture.
  const std::vector<double> weights{0.5, -2};
  const auto function = [factor, weights, count = 2](double x) {
    double sum = 0;
    for (int i = 0; i < count; ++i)
      sum += weights[i] * std::sin(factor * x);
    return sum;
  };
  const testutils::Report reverse = check_reverse_all(TestOptions{.variations = off}, function, 0.75);
  EXPECT_EQ(reverse.passed, 3U); // {Const, Duplicated} times {Const, Active}, less the one that is all constant
  EXPECT_EQ(reverse.checked, 3U);
  ASSERT_EQ(reverse.signature.parameters.size(), 2U);
  EXPECT_EQ(reverse.signature.parameters[0].element_path(0), "captures[0]");
  EXPECT_EQ(reverse.signature.parameters[0].element_path(2), "captures[1][1]");
  EXPECT_EQ(reverse.signature.parameters[1].name, "x1");
  test_forward_all(function, 0.75);
}

TEST(Callable, MembersOfAFunctionObjectAreDifferentiated) {
  const Polynomial polynomial{{2, -1, 0.5}};
  test_reverse_all(polynomial, 1.25);
  test_forward_all({.names = {"x"}}, polynomial, 1.25);
  test_reverse<Active>(arg<Duplicated>(polynomial), arg<Const>(1.25));
  EXPECT_EQ(check_reverse<Active>(polynomial, arg<Active>(1.25)).signature.parameters.size(), 1U);
  EXPECT_EQ(check_reverse_all(arg<Const>(polynomial), 1.25).signature.parameters.size(), 1U);
}

TEST(Callable, AStateThatACallChangesIsInputAndOutput) {
  const testutils::Report report = check_reverse_all(RunningMean{}, 0.75);
  EXPECT_TRUE(report.ok());
  for (const testutils::Record &record : report.records)
    EXPECT_NE(record.combination.arguments[0], Activity::constant); // What the call writes carries a derivative.
  test_forward_all([total = 0.5](double x) mutable { return total += x * total; }, 0.75);
  test_reverse_all([total = 0.5](double x) mutable { return total += x * total; }, 0.75);
}

TEST(Callable, AnIntegerThatACallChangesIsComparedToo) {
  test_reverse_all([calls = 2](double x) mutable { return x * ++calls; }, 0.75);
}

TEST(Callable, CapturesByReferenceStayConstant) {
  double factor = 2;
  const testutils::Report report = check_reverse_all([&factor](double x) { return factor * x; }, 0.75);
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.signature.parameters.size(), 1U);
}

// ---- What goes wrong with them ----

// Its rules drop the derivative by the factor.
__attribute__((noinline)) double scaled(double factor, double x) {
  return factor * x;
}
struct Augmented {
  void *tape;
  double primal;
};
Augmented augmented_scaled(double factor, double x) {
  return {nullptr, factor * x};
}
struct Adjoints {
  double factor, x;
};
Adjoints reverse_scaled(double factor, double, double seed, void *) {
  return {0, factor * seed};
}
double forward_scaled(double factor, double, double, double dx) {
  return factor * dx;
}

TEST(Callable, ADerivativeOfCapturesThatIsDroppedIsFound) {
  double factor = 3;
  const auto function = [factor](double x) { return scaled(factor, x); };
  for (const testutils::Report &report : {check_reverse_all(function, 0.5), check_forward_all(function, 0.5)}) {
    EXPECT_GRADIENT_FAILURE(report, wrong_derivative);
    for (const testutils::Record &record : report.records)
      EXPECT_EQ(testutils::outcome_of(record.verdict) == testutils::Outcome::failed,
                record.combination.arguments[0] != Activity::constant)
          << testutils::describe(report.signature, record.combination);
  }
}

// Its rule does not add to the total.
__attribute__((noinline)) void add(double *total, double x) {
  *total += x;
}
void *augmented_add(double *, double *, double) {
  return nullptr;
}
double reverse_add(double *, double *dtotal, double, void *) {
  return *dtotal;
}

TEST(Callable, AMissingMutationOfCapturesIsFound) {
  const auto function = [total = 0.5](double x) mutable {
    add(&total, x);
    return x * x;
  };
  EXPECT_GRADIENT_FAILURE(check_reverse_all(function, 0.5), wrong_mutation);
}

} // namespace

void *__enzyme_register_gradient_scaled[] = {(void *)scaled, (void *)augmented_scaled, (void *)reverse_scaled};
void *__enzyme_register_derivative_scaled[] = {(void *)scaled, (void *)forward_scaled};
void *__enzyme_register_gradient_add[] = {(void *)add, (void *)augmented_add, (void *)reverse_add};
