// Results that own numbers through pointers, or hold them in optionals and variants: a seed is a value of its own,
// which the result does not share, and one of another shape is refused.
#include "support/plugin_test.hpp"
#include <assay/autodiff.hpp>
#include <memory>
#include <optional>
#include <stdexcept>
#include <variant>
#include <vector>

using namespace assay;

namespace {

std::shared_ptr<double> shared(double x) {
  return std::make_shared<double>(x * x);
}
std::unique_ptr<double> unique(double x) {
  return std::make_unique<double>(x * x);
}

struct Layers {
  std::unique_ptr<std::vector<double>> weights;
  std::optional<std::vector<double>> bias;
  std::variant<double, std::vector<double>> scale;
};
Layers layers(double x) {
  return {std::make_unique<std::vector<double>>(std::vector{x * x, x}), std::vector{x, 2 * x * x}, std::vector{x * x}};
}

/// One number is reached twice.
std::vector<std::shared_ptr<double>> sharing(double x) {
  const auto square = std::make_shared<double>(x * x);
  return {square, square, std::make_shared<double>(x)};
}

class Hidden {
public:
  Hidden() = default;
  explicit Hidden(double x) : number_(std::make_shared<double>(x)) {}

private:
  std::shared_ptr<double> number_;
  friend auto assay_fields(Hidden &x) { return std::tie(x.number_); }
};
Hidden hidden(double x) {
  return Hidden(x * x * x);
}

struct Tree {
  double value = 0;
  std::unique_ptr<Tree> left, right;
};
Tree tree(double x) {
  Tree root{x * x, nullptr, nullptr};
  root.left = std::make_unique<Tree>(Tree{x, nullptr, nullptr});
  root.left->right = std::make_unique<Tree>(Tree{x * x * x, nullptr, nullptr});
  return root;
}

template <class Result, std::size_t N>
void expect_slopes(Result (*f)(double), const std::array<double, N> &slopes) {
  const auto forward = jacobian<Forward>(f, 2.0), reverse = jacobian<Reverse>(f, 2.0);
  const auto in_lanes = jacobian<Reverse, Chunk<2>>(f, 2.0);
  EXPECT_HOLDS(forward.rows() == long(N) && reverse.rows() == long(N));
  for (std::size_t i = 0; i < N; ++i) {
    EXPECT_CLOSE(forward(i, 0), slopes[i]);
    EXPECT_CLOSE(reverse(i, 0), slopes[i]);
    EXPECT_CLOSE(in_lanes(i, 0), slopes[i]);
  }
}

/// Parts that can be copied byte by byte, and hold one thing or another.
struct Chosen {
  std::vector<double> numbers;
  std::variant<double, float> either;
  std::optional<double> perhaps;
};
Chosen chosen(double x) {
  Chosen result{{x}, x * x, {}};
  if (x < 0)
    result.perhaps = x;
  return result;
}
struct Maybe {
  double number;
  std::optional<double> square;
};
Maybe maybe(double x) {
  return {x, x * x};
}

template <class Call>
bool refused(Call call) {
  try {
    call();
  } catch (const std::invalid_argument &) {
    return true;
  }
  return false;
}

} // namespace

PLUGIN_TEST(OwnedResults, HaveSeedsOfTheirOwn) {
  EXPECT_CLOSE(std::get<0>(autodiff<Reverse>(shared, Seed{std::make_shared<double>(3.0)}, Active{2.0}).gradient), 12.0);
  EXPECT_CLOSE(std::get<0>(autodiff<Reverse>(unique, Seed{std::make_unique<double>(3.0)}, Active{2.0}).gradient), 12.0);
}
PLUGIN_TEST(OwnedResults, HaveJacobians) {
  expect_slopes(shared, std::array{4.0});
  expect_slopes(unique, std::array{4.0});
  expect_slopes(layers, std::array{4.0, 1.0, 1.0, 8.0, 4.0});
  expect_slopes(sharing, std::array{4.0, 1.0});
  expect_slopes(hidden, std::array{12.0});
  expect_slopes(tree, std::array{4.0, 1.0, 12.0});
}
PLUGIN_TEST(OwnedResults, AreSeededInSplitMode) {
  auto [forward, reverse] = autodiff_thunk<ReverseSplitWithPrimal, Active>(unique, type<Active<double>>);
  auto [tape, primal, shadow] = forward(Active{2.0});
  EXPECT_CLOSE(*primal, 4.0);
  EXPECT_CLOSE(std::get<0>(reverse(Active{2.0}, std::make_unique<double>(5.0), tape)), 20.0);
}
PLUGIN_TEST(OwnedResults, RefuseSeedsThatHoldSomethingElseBesideNumbers) {
  EXPECT_CLOSE(std::get<0>(autodiff<Reverse>(chosen, Seed{Chosen{{1}, 10.0, {}}}, Active{2.0}).gradient), 41.0);
  EXPECT_HOLDS(refused([] { autodiff<Reverse>(chosen, Seed{Chosen{{1}, 10.0F, {}}}, Active{2.0}); }));
  EXPECT_HOLDS(refused([] { autodiff<Reverse>(chosen, Seed{Chosen{{1}, 10.0, 1.0}}, Active{2.0}); }));
  EXPECT_HOLDS(refused([] { autodiff<Reverse>(chosen, Seed{Chosen{{1}, 10.0, {}}}, Active{-2.0}); }));
  EXPECT_HOLDS(refused([] {
    auto [forward, reverse] = autodiff_thunk<ReverseSplitNoPrimal, Active>(maybe, type<Active<double>>);
    auto augmented = forward(Active{2.0});
    reverse(Active{2.0}, Maybe{1, {}}, augmented.tape);
  }));
}
PLUGIN_TEST(OwnedResults, RefuseSeedsOfAnotherShape) {
  EXPECT_HOLDS(refused([] { autodiff<Reverse>(unique, Seed{std::unique_ptr<double>()}, Active{2.0}); }));
  EXPECT_HOLDS(refused([] {
    Layers seed{std::make_unique<std::vector<double>>(2), std::vector<double>(3), std::vector<double>(1)};
    autodiff<Reverse>(layers, Seed{std::move(seed)}, Active{2.0});
  }));
  EXPECT_HOLDS(refused([] {
    Layers seed{std::make_unique<std::vector<double>>(2), std::vector<double>(2), 1.0};
    autodiff<Reverse>(layers, Seed{std::move(seed)}, Active{2.0});
  }));
}
