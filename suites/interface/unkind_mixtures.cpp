// Programs that use much of the interface at once: orders, batches, tapes, threads, templates, variants, trees.
#include "support/plugin_test.hpp"
#include <array>
#include <assay/autodiff.hpp>
#include <assay/gradient.hpp>
#include <assay/hessian.hpp>
#include <assay/jacobian.hpp>
#include <assay/thunk.hpp>
#include <cmath>
#include <complex>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <variant>
#include <vector>

using namespace assay;

namespace {

using Numbers = std::vector<double>;

// ---- third order, over containers ----

double cubic_form(const Numbers &x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = i; j < x.size(); ++j)
      sum += x[i] * x[j] * x[j] * static_cast<double>(i + 1);
  return sum;
}

PLUGIN_TEST(Mixtures, ThirdDerivativesAlongThreeDirections) {
  const auto along = [](const Numbers &x, const Numbers &u) { return hvp(cubic_form, x, u)[1]; };
  const Numbers x{1, 2}, u{1, 0}, v{0, 1};
  // f = x0^3 + x0 x1^2 + 2 x1^3: d/dx1 of d2f/(dx0 dx1) = 2
  EXPECT_CLOSE(along(x, u), 2 * x[1]);
  EXPECT_CLOSE(autodiff<Forward>(along, Duplicated{x, v}, Const{u}).derivative, 2.0);
  Numbers dx(2);
  autodiff<Reverse>(along, Duplicated{x, dx}, Const{v});
  EXPECT_CLOSE(dx[0], 2.0);
  EXPECT_CLOSE(dx[1], 12.0);
}

// ---- a variant as argument ----

using Shape = std::variant<double, Numbers>;
double area(const Shape &shape) {
  if (const double *side = std::get_if<double>(&shape))
    return *side * *side;
  double sum = 0;
  for (const double each : std::get<Numbers>(shape))
    sum += each * each * each;
  return sum;
}

PLUGIN_TEST(Mixtures, VariantsOfEitherKind) {
  const Shape square = 3.0, list = Numbers{1, 2};
  Shape dsquare = 0.0, dlist = Numbers{0, 0};
  autodiff<Reverse>(area, Duplicated{square, dsquare});
  autodiff<Reverse>(area, Duplicated{list, dlist});
  EXPECT_SAME(std::get<double>(dsquare), 6.0);
  EXPECT_SAME(std::get<Numbers>(dlist)[1], 12.0);
  const Shape tangent = Numbers{1, 1};
  EXPECT_SAME(autodiff<Forward>(area, Duplicated{list, tangent}).derivative, 15.0);
}

// ---- tapes in any order, some of them dropped ----

double chain(const Numbers &x, double scale) {
  Numbers history{scale};
  for (const double each : x)
    history.push_back(std::sin(history.back() * each));
  return history.back();
}

PLUGIN_TEST(Mixtures, ManyTapesInAnyOrder) {
  auto [forward, reverse] =
      autodiff_thunk<ReverseSplitWithPrimal, Active>(chain, type<Duplicated<Numbers>>, type<Active<double>>);
  const Numbers x{0.5, 1.5, 2.5};
  std::vector<Numbers> shadows(6, Numbers(3));
  using TapeType = tape_type<ReverseSplitWithPrimal, Active, decltype((chain)), Duplicated<Numbers>, Active<double>>;
  std::vector<TapeType> tapes;
  for (std::size_t i = 0; i < 6; ++i)
    tapes.push_back(std::move(forward(Duplicated{x, shadows[i]}, Active{0.1 * double(i + 1)}).tape));
  for (const std::size_t i : {4U, 0U, 3U}) {
    const auto adjoint = std::get<1>(reverse(Duplicated{x, shadows[i]}, Active{0.1 * double(i + 1)}, 2.0, tapes[i]));
    Numbers dx(3);
    const auto expected = autodiff<Reverse>(chain, Duplicated{x, dx}, Active{0.1 * double(i + 1)});
    EXPECT_CLOSE(adjoint, 2 * std::get<1>(expected.gradient));
    EXPECT_CLOSE(shadows[i][2], 2 * dx[2]);
  }
  EXPECT_HOLDS(tapes[1].is_full() && !tapes[4].is_full());
}

// ---- threads that differentiate ----

PLUGIN_TEST(Mixtures, ThreadsThatEachHaveTheirTape) {
  std::array<double, 4> slopes{};
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < slopes.size(); ++i)
    threads.emplace_back([&slopes, i] {
      auto [forward, reverse] =
          autodiff_thunk<ReverseSplitNoPrimal, Active>(chain, type<Const<Numbers>>, type<Active<double>>);
      const Numbers x{0.5, 1.5};
      for (int round = 0; round < 50; ++round) {
        auto kept = forward(Const{x}, Active{double(i)});
        auto dropped = forward(Const{x}, Active{1.0});
        slopes[i] = std::get<1>(reverse(Const{x}, Active{double(i)}, 1.0, kept.tape));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  for (std::size_t i = 0; i < slopes.size(); ++i)
    EXPECT_CLOSE(slopes[i], std::cos(std::sin(0.5 * double(i)) * 1.5) * 1.5 * std::cos(0.5 * double(i)) * 0.5);
}

// ---- templates: a base that knows its derived class, pointers to members, generic lambdas ----

template <class Derived>
struct Model {
  double loss(const Numbers &x) const {
    double sum = 0;
    for (const double each : x)
      sum += static_cast<const Derived &>(*this).term(each);
    return sum;
  }
};
struct Quartic : Model<Quartic> {
  double scale;
  explicit Quartic(double s) : scale(s) {}
  double term(double x) const { return scale * x * x * x * x; }
};

PLUGIN_TEST(Mixtures, TemplatesAndPointersToMembers) {
  const Quartic model(2);
  Quartic dmodel(0);
  const Numbers x{1, 2};
  Numbers dx(2);
  autodiff<Reverse>(&Quartic::loss, Duplicated{model, dmodel}, Duplicated{x, dx});
  EXPECT_SAME(dmodel.scale, 17.0);
  EXPECT_SAME(dx[1], 64.0);
  const auto power = [](auto base, auto... more) { return (base * ... * more); };
  EXPECT_SAME(std::get<1>(autodiff<Reverse>(power, Active{2.0}, Active{3.0F}, Active{4.0}).gradient), 8.0F);
}

// ---- batches over complex numbers and structs ----

struct Wave {
  std::complex<double> amplitude;
  std::array<float, 2> phases;
};
std::complex<double> superposition(const Wave &wave, const std::vector<std::complex<double>> &z) {
  std::complex<double> sum = 0;
  for (const auto &each : z)
    sum += wave.amplitude * each * double(wave.phases[0] * wave.phases[1]);
  return sum;
}

PLUGIN_TEST(Mixtures, BatchesOfComplexNumbersWithSeeds) {
  const Wave wave{{1, 2}, {2, 3}};
  Wave d1{}, d2{};
  const std::vector<std::complex<double>> z{{1, 1}, {0, 2}};
  std::vector<std::complex<double>> z1(2), z2(2);
  const std::array<std::complex<double>, 2> seeds{std::complex<double>{1, 0}, std::complex<double>{0, 1}};
  autodiff<Reverse>(superposition, Seed{seeds}, BatchDuplicated{wave, std::tie(d1, d2)},
                    BatchDuplicated{z, std::tie(z1, z2)});
  // The real part of 6 a (z0 + z1) by the real part of a: 6 Re(z0 + z1); the imaginary part by it: 6 Im.
  EXPECT_CLOSE(d1.amplitude.real(), 6.0);
  EXPECT_CLOSE(d1.amplitude.imag(), -18.0);
  EXPECT_CLOSE(d2.amplitude.real(), 18.0);
  EXPECT_CLOSE(z1[0].imag(), -12.0);
  EXPECT_CLOSE_FLOAT(d1.phases[0], 3.0F * float((wave.amplitude * (z[0] + z[1])).real()));
}

// ---- a tree of owned nodes, twice differentiated ----

struct Tree {
  double weight;
  std::unique_ptr<Tree> left, right;
};
double evaluate(const Tree &tree, double x) {
  double value = std::exp(tree.weight * x);
  if (tree.left)
    value += evaluate(*tree.left, x * 0.5);
  if (tree.right)
    value *= evaluate(*tree.right, x + 0.25);
  return value;
}

PLUGIN_TEST(Mixtures, SecondDerivativesThroughATree) {
  const Tree tree{0.5, std::make_unique<Tree>(Tree{1, nullptr, nullptr}),
                  std::make_unique<Tree>(Tree{2, nullptr, nullptr})};
  const auto slope = [&tree](double x) {
    return std::get<1>(autodiff<Reverse>(evaluate, Const{tree}, Active{x}).gradient);
  };
  const double x = 0.3;
  // g h with g = exp(x/2) + exp(x/2), h = exp(2 x + 1/2)
  const double g = 2 * std::exp(x / 2), h = std::exp(2 * x + 0.5);
  EXPECT_CLOSE(slope(x), g * h * 2.5);
  EXPECT_CLOSE(autodiff<Forward>(slope, Duplicated{x, 1.0}).derivative, g * h * 6.25);
  EXPECT_CLOSE(std::get<0>(autodiff<Reverse>(slope, Active{x}).gradient), g * h * 6.25);
}

// ---- type-erased callables and exceptions on the way ----

double guarded(const std::function<double(double)> &f, double x) {
  try {
    if (x > 2)
      throw std::domain_error("too large");
    return f(x) * x;
  } catch (const std::domain_error &) {
    return 3 * x * x;
  }
}

PLUGIN_TEST(Mixtures, ErasedCallablesAndHandlers) {
  const double offset = 4;
  const std::function<double(double)> f = [offset](double x) { return std::sin(x) + offset; };
  const auto slope = [&f](double x) { return std::get<1>(autodiff<Reverse>(guarded, Const{f}, Active{x}).gradient); };
  EXPECT_CLOSE(slope(1.0), std::cos(1.0) + std::sin(1.0) + offset);
  EXPECT_CLOSE(slope(3.0), 18.0);
}

// ---- split mode inside of what is differentiated, with a function and at a width ----

double energy(const Numbers &x) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    sum += x[i] * x[i] * x[i + 1];
  return sum;
}
double slope_by_tape(const Numbers &x) {
  auto [forward, reverse] = autodiff_thunk<ReverseSplitNoPrimal, Active>(energy, type<Duplicated<Numbers>>);
  Numbers dx(x.size());
  auto [tape, primal, shadow] = forward(Duplicated{x, dx});
  reverse(Duplicated{x, dx}, 1.0, tape);
  return dx[1];
}

PLUGIN_TEST(Mixtures, ATapeInsideOfWhatIsDifferentiated) {
  // dE/dx1 = x0^2 + 2 x1 x2
  const Numbers x{1, 2, 3};
  const Numbers expected{2, 6, 4};
  const Numbers reverse_over = gradient<Reverse>(slope_by_tape, x),
                forward_over = gradient<Forward, Chunk<2>>(slope_by_tape, x);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_SAME(reverse_over[i], expected[i]);
    EXPECT_SAME(forward_over[i], expected[i]);
  }
}

double tangled(double x) {
  auto [forward, reverse] = autodiff_thunk<ReverseSplitNoPrimal, Active>(
      static_cast<double (*)(double)>([](double t) { return t * t * t * t; }), type<Active<double>>);
  auto first = forward(Active{x});
  auto dropped = forward(Active{2 * x});
  return std::get<0>(reverse(Active{x}, x, first.tape));
}

PLUGIN_TEST(Mixtures, ADroppedTapeInsideOfWhatIsDifferentiated) {
  EXPECT_SAME(tangled(2), 64.0); // 4 x^4
  EXPECT_SAME(std::get<0>(autodiff<Reverse>(tangled, Active{2.0}).gradient), 128.0);
  EXPECT_SAME(autodiff<Forward>(tangled, Duplicated{2.0, 1.0}).derivative, 128.0);
}

} // namespace
