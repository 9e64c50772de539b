// What a tape holds: it is released with the tape where no reverse pass is run, and it is smaller where the caller
// changes nothing.
#include "support/heap_growth.hpp"
#include "support/plugin_test.hpp"
#include <assay/autodiff.hpp>
#include <assay/thunk.hpp>
#include <cmath>
#include <vector>

using namespace assay;

namespace {

using Numbers = std::vector<double>;

/// A call that stays a call, with a tape and memory of its own.
[[gnu::noinline]] double smooth(Numbers &x, int rounds) {
  double sum = 0;
  Numbers squares(x.size());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < x.size(); ++i) {
      squares[i] = x[i] * x[i];
      sum += squares[i] * squares[i];
      x[i] = squares[i] / 2;
    }
  return sum;
}
double smoothed(const Numbers &x, int rounds) {
  Numbers copy = x;
  double sum = 0;
  for (int round = 0; round < rounds; ++round)
    sum += smooth(copy, round + 1) + smooth(copy, 2);
  if (rounds > 4)
    throw rounds;
  return sum;
}

PLUGIN_TEST(DroppedTapes, ReleaseWhatTheReversePassWouldHave) {
  EXPECT_NO_GROWTH([] {
    const Numbers x{1, 0.5, 0.25};
    Numbers dx(3);
    auto [forward, reverse] =
        autodiff_thunk<ReverseSplitNoPrimal, Active>(smoothed, type<Duplicated<Numbers>>, type<Const<int>>);
    auto dropped = forward(Duplicated{x, dx}, Const{3});
    auto used = forward(Duplicated{x, dx}, Const{2});
    auto replaced = forward(Duplicated{x, dx}, Const{1});
    replaced.tape = std::move(dropped.tape);
    reverse(Duplicated{x, dx}, Const{2}, 1.0, used.tape);
    EXPECT_HOLDS(dx[0] != 0);
  });
}

PLUGIN_TEST(DroppedTapes, AreNoneWhereTheForwardPassThrows) {
  EXPECT_NO_GROWTH([] {
    const Numbers x{1, 0.5};
    Numbers dx(2);
    auto [forward, reverse] =
        autodiff_thunk<ReverseSplitNoPrimal, Active>(smoothed, type<Duplicated<Numbers>>, type<Const<int>>);
    try {
      forward(Duplicated{x, dx}, Const{5});
    } catch (int rounds) {
      EXPECT_HOLDS(rounds == 5);
    }
  });
}

[[gnu::noinline]] double cube_at(const double *x, std::size_t i) {
  return x[i] * x[i] * x[i];
}
double sum_of_cubes(const Numbers &x) {
  double sum = 0;
  for (const double each : x)
    sum += each * each * each;
  for (std::size_t i = 0; i < x.size(); ++i)
    sum += cube_at(x.data(), i);
  return sum;
}

struct Pass {
  std::size_t bytes;
  double derivative;
};
/// How much the forward pass leaves for the reverse pass.
template <auto Mode>
Pass pass_of_cubes(double between) {
  Numbers x(1000, 2.0), dx(1000);
  auto [forward, reverse] = autodiff_thunk<Mode, Active>(sum_of_cubes, type<Duplicated<Numbers>>);
  const std::size_t before = suites::heap_in_use();
  auto [tape, primal, shadow] = forward(Duplicated{x, dx});
  const std::size_t bytes = suites::heap_in_use() - before;
  x.assign(1000, between);
  reverse(Duplicated{x, dx}, 1.0, tape);
  return {bytes, dx[7]};
}

PLUGIN_TEST(ModifiedBetween, SavesTheTapeOfWhatStays) {
  constexpr auto kept = set_modified_between<false>(ReverseSplitNoPrimal);
  const Pass all = pass_of_cubes<ReverseSplitNoPrimal>(0), less = pass_of_cubes<kept>(2);
  EXPECT_SAME(all.derivative, 24.0);
  EXPECT_SAME(less.derivative, 24.0);
  EXPECT_HOLDS(less.bytes + 1000 * sizeof(double) <= all.bytes);
  // The promise is used: numbers that change all the same are read as they are.
  EXPECT_HOLDS(pass_of_cubes<kept>(1).derivative != 24.0);
}

double product_with(const Numbers &x, const Numbers &factors) {
  double product = 1;
  for (std::size_t i = 0; i < x.size(); ++i)
    product *= std::sin(x[i]) * factors[i];
  return product;
}

PLUGIN_TEST(ModifiedBetween, IsSaidArgumentByArgument) {
  constexpr auto mode = set_modified_between<true, false>(ReverseSplitWithPrimal);
  Numbers x{1, 2}, dx(2), factors{2, 3}, dfactors(2);
  auto [forward, reverse] =
      autodiff_thunk<mode, Active>(product_with, type<Duplicated<Numbers>>, type<Duplicated<Numbers>>);
  auto [tape, primal, shadow] = forward(Duplicated{x, dx}, Duplicated{factors, dfactors});
  x = {7, 8};
  reverse(Duplicated{x, dx}, Duplicated{factors, dfactors}, 1.0, tape);
  EXPECT_CLOSE(dx[0], 6 * std::cos(1.0) * std::sin(2.0));
  EXPECT_CLOSE(dfactors[1], 2 * std::sin(1.0) * std::sin(2.0));
}

void copy_as_integers(const double *from, double *to) {
  for (int i = 0; i < 2; ++i)
    reinterpret_cast<long *>(to)[i] = reinterpret_cast<const long *>(from)[i];
}
double product_of_copies(const double *x) {
  double copy[2];
  copy_as_integers(x, copy);
  return copy[0] * copy[1];
}

PLUGIN_TEST(TypeOptionsOfACall, HoldInEveryMode) {
  const double x[2] = {2, 3};
  double dx[2] = {0, 0};
  constexpr auto reverse_mode = set_type_warning<false>(set_strict_aliasing<false>(Reverse));
  autodiff<reverse_mode>(product_of_copies, Duplicated{&x[0], &dx[0]});
  EXPECT_SAME(dx[0], 3.0);
  constexpr auto forward_mode = set_strict_aliasing<false>(Forward);
  const double tangent[2] = {1, 0};
  EXPECT_SAME(autodiff<forward_mode>(product_of_copies, Duplicated{&x[0], &tangent[0]}).derivative, 3.0);
  constexpr auto split_mode = set_strict_aliasing<false>(ReverseSplitNoPrimal);
  auto [forward, reverse] = autodiff_thunk<split_mode, Active>(product_of_copies, type<Duplicated<const double *>>);
  const double *at = x;
  double *shadow_at = dx;
  auto [tape, primal, shadow] = forward(Duplicated{at, shadow_at});
  reverse(Duplicated{at, shadow_at}, 1.0, tape);
  EXPECT_SAME(dx[1], 4.0);
}

} // namespace
