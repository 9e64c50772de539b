// Rules of functions that take and return memory.
#include "support/plugin_test.hpp"
#include <assay/autodiff.hpp>
#include <assay/rules.hpp>
#include <cmath>
#include <complex>
#include <numeric>
using namespace assay;
namespace {
double norm2(const std::vector<double> &x) {
  double sum = 0;
  for (double each : x)
    sum += each * each;
  return sum;
}
struct Norm2Rule {
  static auto forward(const auto &config, auto x) {
    return Duplicated{norm2(x.value), config.each_lane([&](int lane) {
                        double sum = 0;
                        if (x.is_active())
                          for (std::size_t i = 0; i < x.value.size(); ++i)
                            sum += 20 * x.value[i] * x.shadow(lane)[i];
                        return sum;
                      })};
  }
  static auto augmented_primal(const auto &, auto x) {
    return AugmentedReturn{norm2(x.value), None{}, x.overwritten() ? x.value : std::vector<double>()};
  }
  static void reverse(const auto &config, auto dy, const auto &tape, auto x) {
    if (x.is_const())
      return;
    const std::vector<double> &value = x.overwritten() ? tape : x.value;
    for (int lane : config.lanes())
      for (std::size_t i = 0; i < value.size(); ++i)
        x.shadow(lane)[i] += 20 * dy(lane) * value[i];
  }
};
ASSAY_RULE(Norm2Rule, norm2);
PLUGIN_TEST(ContainerRules, AddToShadowsOfContainers) {
  std::vector<double> x{1, 2, 3}, dx(3);
  autodiff<Reverse>(norm2, Duplicated{x, dx});
  EXPECT_SAME(dx[1], 40);
  std::vector<double> t{1, 0, 1};
  EXPECT_SAME(autodiff<Forward>(norm2, Duplicated{x, t}).derivative, 80);
}
PLUGIN_TEST(ContainerRules, KeepWhatIsOverwritten) {
  const auto f = [](std::vector<double> &x) {
    double y = norm2(x);
    for (double &e : x)
      e = 0;
    return y * y;
  };
  std::vector<double> x{1, 2, 3}, dx(3);
  autodiff<Reverse>(f, Duplicated{x, dx});
  EXPECT_SAME(dx[1], 28 * 40);
  EXPECT_SAME(dx[2], 28 * 60);
}
// writes to an argument
void axpy(double a, const std::vector<double> &x, std::vector<double> &y) {
  for (std::size_t i = 0; i < x.size(); ++i)
    y[i] += a * x[i];
}
struct AxpyRule {
  static void forward(const auto &config, auto a, auto x, auto y) {
    axpy(a.value, x.value, y.value);
    if (y.is_const())
      return;
    for (int lane : config.lanes())
      for (std::size_t i = 0; i < x.value.size(); ++i)
        y.shadow(lane)[i] += 10 * a.shadow(lane) * x.value[i] + (x.is_active() ? 10 * a.value * x.shadow(lane)[i] : 0);
  }
  static auto augmented_primal(const auto &, auto a, auto x, auto y) {
    auto kept = x.value;
    axpy(a.value, x.value, y.value);
    return AugmentedReturn{None{}, None{}, std::move(kept)};
  }
  static void reverse(const auto &config, auto, const auto &kept, auto a, auto x, auto y) {
    if (y.is_const())
      return;
    for (int lane : config.lanes())
      for (std::size_t i = 0; i < kept.size(); ++i) {
        a.shadow(lane) += 10 * kept[i] * y.shadow(lane)[i];
        if (x.is_active())
          x.shadow(lane)[i] += 10 * a.value * y.shadow(lane)[i];
      }
  }
};
ASSAY_RULE(AxpyRule, axpy);
PLUGIN_TEST(ContainerRules, ServeFunctionsThatWriteToArguments) {
  std::vector<double> x{1, 2}, dx(2), y{3, 4}, dy{1, 10};
  const auto r = autodiff<Reverse>(axpy, Active{2.0}, Duplicated{x, dx}, Duplicated{y, dy});
  EXPECT_SAME(get<0>(r.gradient), 10 + 200);
  EXPECT_SAME(dx[1], 200);
  EXPECT_SAME(dy[1], 10);
  EXPECT_SAME(y[1], 8);
  std::vector<double> dz{0, 0}, tx{1, 1};
  autodiff<Forward>(axpy, Const{2.0}, Duplicated{x, tx}, Duplicated{y, dz});
  EXPECT_SAME(dz[0], 20);
  const std::vector<double> cx{1, 2};
  std::vector<double> dw{1, 1}, w{0, 0};
  EXPECT_SAME(get<0>(autodiff<Reverse>(axpy, Active{2.0}, Const{cx}, Duplicated{w, dw}).gradient), 30);
}
// pointers
double dot(const double *x, const double *y, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * y[i];
  return sum;
}
struct DotRule {
  static auto forward(const auto &config, auto x, auto y, auto n) {
    return Duplicated{dot(x.value, y.value, n.value), config.each_lane([&](int lane) {
                        double sum = 0;
                        if (x.is_active())
                          sum += 10 * dot(x.shadow(lane), y.value, n.value);
                        if (y.is_active())
                          sum += 10 * dot(x.value, y.shadow(lane), n.value);
                        return sum;
                      })};
  }
  static void reverse(const auto &config, auto dy, None, auto x, auto y, auto n) {
    for (int lane : config.lanes())
      for (int i = 0; i < n.value; ++i) {
        if (x.is_active())
          x.shadow(lane)[i] += 10 * y.value[i] * dy(lane);
        if (y.is_active())
          y.shadow(lane)[i] += 10 * x.value[i] * dy(lane);
      }
  }
  static bool applies(const auto &config) { return !config.overwritten(0) && !config.overwritten(1); }
};
ASSAY_RULE(DotRule, dot);
PLUGIN_TEST(ContainerRules, ServePointers) {
  double x[2] = {1, 2}, dx[2] = {}, y[2] = {3, 4}, dy[2] = {};
  autodiff<Reverse>(dot, Duplicated{x + 0, dx + 0}, Duplicated{y + 0, dy + 0}, Const{2});
  EXPECT_SAME(dx[1], 40);
  EXPECT_SAME(dy[1], 20);
  autodiff<Reverse>(dot, Const{x + 0}, Duplicated{y + 0, dy + 0}, Const{2});
  EXPECT_SAME(dy[1], 40);
  EXPECT_SAME(autodiff<Forward>(dot, Duplicated{x + 0, dx + 0}, Const{y + 0}, Const{2}).derivative,
              10 * (30 * 3 + 40 * 4));
}
// returns
std::vector<double> doubled(const std::vector<double> &x) {
  std::vector<double> y(x);
  for (double &e : y)
    e *= 2;
  return y;
}
struct DoubledRule {
  static auto forward(const auto &config, auto x) {
    return Duplicated{doubled(x.value), config.each_lane([&](int lane) {
                        auto t = x.shadow(lane);
                        for (double &e : t)
                          e *= 20;
                        return t;
                      })};
  }
  static void reverse(const auto &config, const auto &dy, None, auto x) {
    for (int lane : config.lanes())
      for (std::size_t i = 0; i < x.value.size(); ++i)
        x.shadow(lane)[i] += 20 * dy(lane)[i];
  }
};
ASSAY_RULE(DoubledRule, doubled);
PLUGIN_TEST(ContainerRules, ServeFunctionsThatReturnContainers) {
  const auto f = [](const std::vector<double> &x) {
    const auto y = doubled(x);
    return y[0] * y[1];
  };
  std::vector<double> x{3, 4}, dx(2), t{1, 0};
  autodiff<Reverse>(f, Duplicated{x, dx});
  EXPECT_SAME(dx[0], 8 * 20);
  EXPECT_SAME(dx[1], 6 * 20);
  EXPECT_SAME(autodiff<Forward>(f, Duplicated{x, t}).derivative, 160);
}
std::complex<double> turn(std::complex<double> z) {
  return z * std::complex<double>(0, 1);
}
struct TurnRule {
  static auto forward(const auto &config, auto z) {
    return Duplicated{turn(z.value), config.each_lane([&](int lane) { return 10.0 * turn(z.shadow(lane)); })};
  }
  static void reverse(const auto &config, auto dy, None, auto z) {
    for (int lane : config.lanes())
      z.shadow(lane) += 10.0 * dy(lane) * std::complex<double>(0, -1);
  }
};
ASSAY_RULE(TurnRule, turn);
PLUGIN_TEST(ContainerRules, ServeStructsInRegisters) {
  const auto f = [](double x, double y) {
    const auto z = turn({x, y});
    return 2 * z.real() + 3 * z.imag();
  };
  const auto g = autodiff<Reverse>(f, Active{1.0}, Active{2.0}).gradient; // -y, x
  EXPECT_SAME(get<0>(g), 30);
  EXPECT_SAME(get<1>(g), -20);
  EXPECT_SAME(autodiff<Forward>(f, Duplicated{1.0, 1.0}, Duplicated{2.0, 0.0}).derivative, 30);
}
struct Three {
  double a, b, c;
};
Three spread(const Three &t, double x) {
  return {t.a * x, t.b * x, t.c * x};
}
struct SpreadRule {
  static auto forward(const auto &config, auto t, auto x) {
    return Duplicated{spread(t.value, x.value), config.each_lane([&](int lane) {
                        Three d = spread(t.value, 10 * x.shadow(lane));
                        if (t.is_active()) {
                          const Three e = spread(t.shadow(lane), 10 * x.value);
                          d.a += e.a;
                          d.b += e.b;
                          d.c += e.c;
                        }
                        return d;
                      })};
  }
  static void reverse(const auto &config, const auto &dy, None, auto t, auto x) {
    for (int lane : config.lanes()) {
      const Three &s = dy(lane);
      x.shadow(lane) += 10 * (s.a * t.value.a + s.b * t.value.b + s.c * t.value.c);
      if (t.is_active()) {
        t.shadow(lane).a += 10 * s.a * x.value;
        t.shadow(lane).b += 10 * s.b * x.value;
        t.shadow(lane).c += 10 * s.c * x.value;
      }
    }
  }
};
ASSAY_RULE(SpreadRule, spread);
PLUGIN_TEST(ContainerRules, ServeStructsInMemory) {
  const auto f = [](const Three &t, double x) {
    const Three s = spread(t, x);
    const Three u = spread(s, x);
    return u.a + 2 * u.b + s.c;
  };
  Three t{1, 2, 3}, dt{};
  const auto g = autodiff<Reverse>(f, Duplicated{t, dt}, Active{5.0}).gradient;
  // s = 5 t; u = 5 s; true: dt.a = 25 -> x100, du/dx
  EXPECT_SAME(dt.a, 2500);
  EXPECT_SAME(dt.c, 50);
  EXPECT_SAME(get<1>(g), 10 * (5 * 1 + 2 * 5 * 2) + 100 * (5 + 2 * 5 * 2) + 10 * 3);
}

// ---- containers that are made anew, or moved, before reverse runs ----

double sum_of_squares(const std::vector<double> &x) {
  double sum = 0;
  for (const double each : x)
    sum += each * each;
  return sum;
}
struct SumOfSquaresRule {
  static auto augmented_primal(const auto & /*config*/, auto x) {
    return AugmentedReturn{sum_of_squares(x.value), None{}, x.value};
  }
  static void reverse(const auto &config, const auto &dy, const auto &kept, auto x) {
    for (const int lane : config.lanes())
      for (std::size_t i = 0; x.is_active() && i < kept.size(); ++i)
        x.shadow(lane)[i] += 2 * kept[i] * dy(lane);
  }
};
ASSAY_RULE(SumOfSquaresRule, sum_of_squares);

struct Weighted { // its own number beside the addresses
  double weight;
  std::vector<double> numbers;
};
double weighted_sum(const Weighted &w) {
  double sum = 0;
  for (const double each : w.numbers)
    sum += w.weight * each;
  return sum;
}
struct WeightedSumRule {
  static auto augmented_primal(const auto & /*config*/, auto w) {
    return AugmentedReturn{weighted_sum(w.value), None{}, w.value};
  }
  static void reverse(const auto &config, const auto &dy, const auto &kept, auto w) {
    for (const int lane : config.lanes())
      for (std::size_t i = 0; w.is_active() && i < kept.numbers.size(); ++i) {
        w.shadow(lane).numbers[i] += kept.weight * dy(lane);
        w.shadow(lane).weight += kept.numbers[i] * dy(lane);
      }
  }
};
ASSAY_RULE(WeightedSumRule, weighted_sum);

std::vector<double> doubled_squares(const std::vector<double> &x) {
  std::vector<double> y(x);
  for (double &each : y)
    each = 2 * each * each;
  return y;
}
struct DoubledSquaresRule {
  static auto augmented_primal(const auto & /*config*/, auto x) {
    return AugmentedReturn{doubled_squares(x.value), None{}, x.value};
  }
  static void reverse(const auto &config, const auto &dy, const auto &kept, auto x) {
    for (const int lane : config.lanes())
      for (std::size_t i = 0; x.is_active() && i < kept.size(); ++i)
        x.shadow(lane)[i] += 4 * kept[i] * dy(lane)[i];
  }
};
ASSAY_RULE(DoubledSquaresRule, doubled_squares);

PLUGIN_TEST(ContainerRules, SeeTheShadowOfEachTurnOfALoop) {
  const auto f = [](double x) {
    double sum = 0;
    for (int turn = 1; turn <= 3; ++turn)
      sum += sum_of_squares({x * turn, x});
    return sum;
  };
  EXPECT_SAME(get<0>(autodiff<Reverse>(f, Active{2.0}).gradient), 2 * 2.0 * (1 + 4 + 9 + 3));
}

PLUGIN_TEST(ContainerRules, SeeTheShadowOfEachTurnBesideNumbersOfTheObject) {
  const auto f = [](double x) {
    Weighted w{x, {}};
    double sum = 0;
    for (int turn = 1; turn <= 3; ++turn) {
      w.numbers = std::vector<double>(std::size_t(turn), x * turn);
      sum += weighted_sum(w);
    }
    return sum;
  };
  EXPECT_SAME(get<0>(autodiff<Reverse>(f, Active{2.0}).gradient), 2 * 2.0 * (1 + 4 + 9));
}

PLUGIN_TEST(ContainerRules, SeeTheShadowOfAResultThatIsMovedAway) {
  const auto f = [](double x) {
    std::vector<double> v{x, 2 * x};
    for (int turn = 0; turn < 2; ++turn)
      v = doubled_squares(v);
    return v[0] + v[1];
  };
  EXPECT_SAME(get<0>(autodiff<Reverse>(f, Active{1.5}).gradient), 8 * 4 * 1.5 * 1.5 * 1.5 * 17);
}

// objects in objects
using Rows = std::vector<std::vector<double>>;
double sum_of_rows(const Rows &rows) {
  double sum = 0;
  for (const std::vector<double> &row : rows)
    sum += norm2(row);
  return sum;
}
struct SumOfRowsRule {
  static auto augmented_primal(const auto & /*config*/, auto rows) {
    return AugmentedReturn{sum_of_rows(rows.value), None{}, rows.value};
  }
  static void reverse(const auto &config, auto dy, const auto &kept, auto rows) {
    for (const int lane : config.lanes())
      for (std::size_t i = 0; rows.is_active() && i < kept.size(); ++i)
        for (std::size_t j = 0; j < kept[i].size(); ++j)
          rows.shadow(lane)[i][j] += 2 * kept[i][j] * dy(lane);
  }
};
struct Table {
  std::array<std::vector<double>, 2> rows;
  double scale = 1;
};
double sum_of_table(const Table &table) {
  return (sum_of_squares(table.rows[0]) + sum_of_squares(table.rows[1])) * table.scale;
}
struct SumOfTableRule {
  static auto augmented_primal(const auto & /*config*/, auto table) {
    return AugmentedReturn{sum_of_table(table.value), None{}, table.value};
  }
  static void reverse(const auto &config, auto dy, const auto &kept, auto table) {
    for (const int lane : config.lanes())
      for (std::size_t i = 0; table.is_active() && i < 2; ++i)
        for (std::size_t j = 0; j < kept.rows[i].size(); ++j) {
          table.shadow(lane).rows[i][j] += 2 * kept.scale * kept.rows[i][j] * dy(lane);
          table.shadow(lane).scale += kept.rows[i][j] * kept.rows[i][j] * dy(lane);
        }
  }
};
ASSAY_RULE(SumOfRowsRule, sum_of_rows);
ASSAY_RULE(SumOfTableRule, sum_of_table);

PLUGIN_TEST(ContainerRules, SeeTheInnerVectorsOfEachTurn) {
  const auto f = [](double x) {
    Rows rows(2);
    double sum = 0;
    for (int turn = 1; turn <= 3; ++turn) {
      rows[turn % 2] = std::vector<double>(std::size_t(turn), x * turn); // the others stay
      sum += sum_of_rows(rows);
    }
    return sum;
  };
  // turn 1: {-, 1}; turn 2: {2 2, 1}; turn 3: {2 2, 3 3 3}
  EXPECT_SAME(get<0>(autodiff<Reverse>(f, Active{2.0}).gradient), 2 * 2.0 * (1 + 9 + 8 + 27));
}

PLUGIN_TEST(ContainerRules, SeeTheVectorsOfAnArrayInAStruct) {
  const auto f = [](double x) {
    Table table;
    table.scale = x;
    double sum = 0;
    for (int turn = 1; turn <= 3; ++turn) {
      table.rows[turn % 2] = {x * turn};
      sum += sum_of_table(table);
    }
    return sum;
  };
  EXPECT_SAME(get<0>(autodiff<Reverse>(f, Active{2.0}).gradient), 3 * 4.0 * (1 + 5 + 13));
}

/// A result that is declared constant.
const std::vector<double> doubles(double x) { // NOLINT(readability-const-return-type)
  return {x, 2 * x};
}
struct DoublesRule {
  static void reverse(const auto &config, const auto &dy, None /*tape*/, auto x) {
    for (const int lane : config.lanes())
      x.shadow(lane) += 10 * dy(lane)[0] + 20 * dy(lane)[1];
  }
};
ASSAY_RULE(DoublesRule, doubles);

PLUGIN_TEST(ContainerRules, ReturnConstantContainers) {
  EXPECT_SAME(get<0>(autodiff<Reverse>([](double x) { return doubles(x)[1]; }, Active{2.0}).gradient), 20);
}
} // namespace
