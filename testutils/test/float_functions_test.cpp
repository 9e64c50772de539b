// Functions of many floats beside finite differences alone, as a kernel on a device or a compiled test without wide
// arithmetic has them. Would catch: steps at which float's rounding hides the derivative, so that right code stays
// undecided; the same points evaluated for each output anew (132,000 calls for one check of saxpy, once).

#include "testutils/test/hand_subject.hpp"
#include <assay/testing/message.hpp>

#include <cmath>
#include <memory>
#include <numeric>

#include <gtest/gtest.h>

namespace assay::testutils {
namespace {

constexpr ElementType in_float = ElementType::single_precision;
constexpr std::size_t count = 256, side = 16;

float rounded(double value) {
  return static_cast<float>(value);
}

/// A subject that counts how often its function is evaluated.
struct Counted {
  std::shared_ptr<std::size_t> calls = std::make_shared<std::size_t>(0);
  HandSubject subject;

  Counted(Signature signature, HandSubject::Primal primal, HandSubject::Forward forward, HandSubject::Reverse reverse)
      : subject(
            std::move(signature),
            [calls = calls, primal = std::move(primal)](Arguments &x) {
              ++*calls;
              return primal(x);
            },
            std::move(forward), std::move(reverse)) {}
};

/// y[i] += a x[i]
Counted saxpy() {
  return {{"saxpy", {buffer("x", {count}, in_float), scalar("a", in_float), buffer("y", {count}, in_float)}, {}},
          [](Arguments &x) {
            for (std::size_t i = 0; i < count; ++i)
              x[2][i] = rounded(x[2][i]) + rounded(x[1][0]) * rounded(x[0][i]);
            return Values{};
          },
          [](const Arguments &x, Arguments &t) {
            for (std::size_t i = 0; i < count; ++i)
              t[2][i] = rounded(t[2][i]) + rounded(x[1][0]) * rounded(t[0][i]) + rounded(t[1][0]) * rounded(x[0][i]);
            return Values{};
          },
          [](const Arguments &x, const Values &, Arguments &s) {
            float a = rounded(s[1][0]);
            for (std::size_t i = 0; i < count; ++i) {
              s[0][i] = rounded(s[0][i]) + rounded(x[1][0]) * rounded(s[2][i]);
              a += rounded(x[0][i]) * rounded(s[2][i]);
            }
            s[1][0] = a;
          }};
}

/// sum of x[i]^2
HandSubject energy(std::size_t size) {
  return {{"energy", {buffer("x", {size}, in_float)}, scalar("result", in_float)},
          [](Arguments &x) {
            float sum = 0;
            for (const double value : x[0])
              sum += rounded(value) * rounded(value);
            return Values{sum};
          },
          [](const Arguments &x, Arguments &t) {
            float sum = 0;
            for (std::size_t i = 0; i < x[0].size(); ++i)
              sum += 2 * rounded(x[0][i]) * rounded(t[0][i]);
            return Values{sum};
          },
          [](const Arguments &x, const Values &seed, Arguments &s) {
            for (std::size_t i = 0; i < x[0].size(); ++i)
              s[0][i] = rounded(s[0][i] + 2 * rounded(x[0][i]) * rounded(seed[0]));
          }};
}

/// The same, with function and derivative in wide arithmetic, which tells a large sum as closely as one number.
class WideEnergy : public HandSubject {
public:
  explicit WideEnergy(std::size_t size) : HandSubject(energy(size)) {}

  std::optional<PreciseDerivative> precise_derivative(const Arguments &inputs, const Arguments &direction) override {
    PreciseDerivative derivative;
    derivative.roundoff = 0x1p-24;
    derivative.contents.resize(1);
    double sum = 0;
    for (std::size_t i = 0; i < direction[0].size(); ++i)
      sum += 2 * inputs[0][i] * direction[0][i];
    derivative.result.push_back({sum, 1e-18 * std::abs(sum), 1e-12, true});
    return derivative;
  }
  std::optional<PreciseDerivative> derivative_in_wide(const Arguments &inputs, const Arguments &direction) override {
    return precise_derivative(inputs, direction);
  }
  std::optional<WideOutcome> differentiate_in_wide(const DerivativeRequest &request) override {
    const DerivativeOutcome outcome = differentiate(request);
    return WideOutcome{outcome, outcome, 0x1p-24, {}, {}};
  }
};

/// c = a b, of 16 x 16 numbers.
Counted matrix_product() {
  const auto multiply = [](const Values &a, const Values &b, std::size_t i, std::size_t j) {
    float sum = 0;
    for (std::size_t k = 0; k < side; ++k)
      sum += rounded(a[i * side + k]) * rounded(b[k * side + j]);
    return sum;
  };
  return {{"matrix_product",
           {buffer("a", {count}, in_float), buffer("b", {count}, in_float), buffer("c", {count}, in_float)},
           {}},
          [=](Arguments &x) {
            for (std::size_t index = 0; index < count; ++index)
              x[2][index] = multiply(x[0], x[1], index / side, index % side);
            return Values{};
          },
          [=](const Arguments &x, Arguments &t) {
            for (std::size_t index = 0; index < count; ++index)
              t[2][index] =
                  multiply(t[0], x[1], index / side, index % side) + multiply(x[0], t[1], index / side, index % side);
            return Values{};
          },
          [](const Arguments &x, const Values &, Arguments &s) {
            for (std::size_t i = 0; i < side; ++i)
              for (std::size_t j = 0; j < side; ++j)
                for (std::size_t k = 0; k < side; ++k) {
                  const float seed = rounded(s[2][i * side + j]);
                  s[0][i * side + k] = rounded(s[0][i * side + k]) + rounded(x[1][k * side + j]) * seed;
                  s[1][k * side + j] = rounded(s[1][k * side + j]) + rounded(x[0][i * side + k]) * seed;
                }
            std::fill(s[2].begin(), s[2].end(), 0);
          }};
}

/// y = exp(x) / sum exp(x) in each of 8 rows of 32.
Counted softmax() {
  constexpr std::size_t columns = 32;
  const auto probabilities = [](const Values &x, std::size_t row) {
    Values y(columns);
    float largest = rounded(x[row * columns]), sum = 0;
    for (std::size_t i = 0; i < columns; ++i)
      largest = std::fmax(largest, rounded(x[row * columns + i]));
    for (std::size_t i = 0; i < columns; ++i)
      sum += std::exp(rounded(x[row * columns + i]) - largest);
    for (std::size_t i = 0; i < columns; ++i)
      y[i] = std::exp(rounded(x[row * columns + i]) - largest) / sum;
    return y;
  };
  return {{"softmax", {buffer("x", {count}, in_float), buffer("y", {count}, in_float)}, {}},
          [=](Arguments &x) {
            for (std::size_t index = 0; index < count; ++index)
              x[1][index] = index % columns == 0 ? 0 : x[1][index];
            for (std::size_t row = 0; row < count / columns; ++row) {
              const Values y = probabilities(x[0], row);
              std::copy(y.begin(), y.end(), x[1].begin() + static_cast<std::ptrdiff_t>(row * columns));
            }
            return Values{};
          },
          [=](const Arguments &x, Arguments &t) {
            for (std::size_t row = 0; row < count / columns; ++row) {
              const Values y = probabilities(x[0], row);
              float mean = 0;
              for (std::size_t i = 0; i < columns; ++i)
                mean += rounded(y[i]) * rounded(t[0][row * columns + i]);
              for (std::size_t i = 0; i < columns; ++i)
                t[1][row * columns + i] = rounded(y[i]) * (rounded(t[0][row * columns + i]) - mean);
            }
            return Values{};
          },
          [=](const Arguments &x, const Values &, Arguments &s) {
            for (std::size_t row = 0; row < count / columns; ++row) {
              const Values y = probabilities(x[0], row);
              float mean = 0;
              for (std::size_t i = 0; i < columns; ++i)
                mean += rounded(y[i]) * rounded(s[1][row * columns + i]);
              for (std::size_t i = 0; i < columns; ++i)
                s[0][row * columns + i] += rounded(y[i]) * (rounded(s[1][row * columns + i]) - mean);
            }
            std::fill(s[1].begin(), s[1].end(), 0);
          }};
}

Report checked(Counted &counted, std::uint64_t seed = 1) {
  CheckOptions options;
  options.explanations = 0;
  options.seed = seed;
  return check_gradients(counted.subject, options);
}

void expect_decided(Counted counted, std::size_t most_calls_for_combination) {
  for (const std::uint64_t seed : {1, 2}) {
    *counted.calls = 0;
    const Report report = checked(counted, seed);
    for (const Record &record : report.records)
      EXPECT_EQ(record.verdict, Verdict::pass) << failure_message(report.signature, record);
    EXPECT_LE(*counted.calls, most_calls_for_combination * report.checked);
  }
}

/// Spoils one number of the derivative by `part` of it; in reverse mode what the shadow held stays as it is.
HandSubject::Fault fault_at(std::size_t parameter, std::size_t element, double part) {
  return [=](const DerivativeRequest &request, DerivativeOutcome &outcome) {
    for (std::size_t lane = 0; lane < outcome.shadows.size(); ++lane) {
      Values &values = outcome.shadows[lane][parameter];
      if (values.empty() || request.combination.arguments[parameter] == Activity::constant)
        continue;
      const double before = request.combination.mode == Mode::reverse ? request.shadows[lane][parameter][element] : 0;
      values[element] = rounded(values[element] + part * (values[element] - before));
    }
  };
}

void expect_found(HandSubject &&subject, Mode mode, std::size_t parameter, std::size_t element, double part) {
  subject.with_fault(fault_at(parameter, element, part));
  CheckOptions options;
  options.explanations = 0;
  options.modes = {mode};
  const Report report = check_gradients(subject, options);
  for (const Record &record : report.records)
    if (record.nonzero != 0 && record.combination.arguments[parameter] != Activity::constant) {
      EXPECT_EQ(record.verdict, Verdict::wrong_derivative) << describe(report.signature, record.combination);
    }
}

TEST(FunctionsOfManyFloats, AreDecidedInFewCalls) {
  expect_decided(saxpy(), 700);
  expect_decided(matrix_product(), 700);
  expect_decided(softmax(), 800);
}

TEST(FunctionsOfManyFloats, AreWrongWhereOneNumberIs) {
  expect_found(saxpy().subject, Mode::forward, 2, 77, 0.01);
  expect_found(softmax().subject, Mode::forward, 1, 77, 0.01);
  expect_found(matrix_product().subject, Mode::forward, 2, 77, 0.01);
}

/// Compared along directions, in which the tolerances of all elements would add up.
TEST(FunctionsOfManyFloats, AreWrongWhereOneAdjointIs) {
  expect_found(saxpy().subject, Mode::reverse, 0, 77, 0.01);
  expect_found(matrix_product().subject, Mode::reverse, 0, 77, 0.01);
  expect_found(matrix_product().subject, Mode::reverse, 1, 101, 0.01);
  for (const std::size_t element : {77, 200, 301, 404})
    expect_found(energy(513), Mode::reverse, 0, element, 0.01);
}

TEST(FunctionsOfManyFloats, AreWrongWhereOneAdjointOfThousandsIs) {
  for (const std::size_t element : {77, 2001, 3999})
    expect_found(WideEnergy(4000), Mode::reverse, 0, element, 0.01);
}

TEST(FunctionsOfManyFloats, AreRightWhereEachIsOffByRounding) {
  for (const std::size_t size : {513, 4000}) {
    WideEnergy subject(size);
    subject.with_fault([](const DerivativeRequest &request, DerivativeOutcome &outcome) {
      for (Values &values : outcome.shadows[0])
        for (std::size_t i = 0; i < values.size(); ++i)
          values[i] = rounded(values[i] * (1 + (i % 2 == 0 ? 1e-6 : 5e-7)));
    });
    CheckOptions options;
    options.modes = {Mode::reverse};
    EXPECT_EQ(check_gradients(subject, options).failed, 0U);
  }
}

} // namespace
} // namespace assay::testutils
