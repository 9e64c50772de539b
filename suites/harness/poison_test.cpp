// Would catch: rules that look at padding, at what of a shadow carries no derivative, at memory beside a span, or at a
// shadow before its caller has filled it; and a check that spoils what the function may look at.

#include "harness/failures.hpp"

#include <array>
#include <cstring>

namespace {

using namespace assay;
using assay::suites::messages_of;
using assay::suites::plainly;

struct Augmented {
  void *tape;
  double primal;
};

// ---- Padding ----

struct Padded {
  float a;
  double b;
};

__attribute__((noinline)) double product(const Padded *p) {
  return p->a * p->b;
}
Augmented augmented_product(const Padded *p, Padded *) {
  return {nullptr, p->a * p->b};
}
void looks_at_padding(const Padded *p, Padded *dp, double seed, void *) {
  float gap = 0;
  std::memcpy(&gap, reinterpret_cast<const char *>(p) + sizeof(float), sizeof gap);
  dp->a += static_cast<float>(p->b * seed);
  dp->b += p->a * seed + 0 * gap;
}
double uses_product(const Padded &p) {
  return product(&p);
}

TEST(Poison, APaddingThatIsReadIsFound) {
  const testutils::Report report = check_reverse_all(plainly, uses_product, Padded{0.5F, 2});
  EXPECT_GRADIENT_FAILURE(report, wrong_derivative);
  EXPECT_NE(messages_of(report).find("or on their padding"), std::string::npos) << messages_of(report);
}

// ---- Integers of a shadow ----

struct Counted {
  std::array<double, 2> x;
  int count;
};

__attribute__((noinline)) double sum(const Counted *p) {
  double total = 0;
  for (int index = 0; index < p->count; ++index)
    total += p->x[static_cast<std::size_t>(index)];
  return total;
}
Augmented augmented_sum(const Counted *p, Counted *) {
  return {nullptr, sum(p)};
}
void counts_by_the_shadow(const Counted *, Counted *dp, double seed, void *) {
  for (int index = 0; index < std::min(dp->count, 2); ++index)
    dp->x[static_cast<std::size_t>(index)] += seed;
}
double uses_sum(const Counted &p) {
  return sum(&p);
}

TEST(Poison, AnIntegerOfTheShadowThatIsReadIsFound) {
  const testutils::Report report = check_reverse_all(plainly, uses_sum, Counted{{0.5, 2}, 1});
  EXPECT_GRADIENT_FAILURE(report, wrong_derivative);
}

// ---- Beside a span ----

__attribute__((noinline)) double total(const double *x, std::size_t count) {
  double all = 0;
  for (std::size_t index = 0; index < count; ++index)
    all += x[index];
  return all;
}
Augmented augmented_total(const double *x, double *, std::size_t count) {
  return {nullptr, total(x, count)};
}
void looks_behind(const double *x, double *dx, std::size_t count, double seed, void *) {
  for (std::size_t index = 0; index < count; ++index)
    dx[index] += seed + 0 * x[index + 1];
}
double uses_total(std::span<const double> x) {
  return total(x.data(), x.size());
}

TEST(Poison, ANumberBesideASpanThatIsReadIsFound) {
  const std::array<double, 3> x{1, 2, 3};
  const testutils::Report report = check_reverse_all(plainly, uses_total, std::span<const double>(x));
  EXPECT_GRADIENT_FAILURE(report, wrong_derivative);
  EXPECT_NE(messages_of(report).find("memory beside x1"), std::string::npos) << messages_of(report);
}

// ---- Shadows before they are filled ----

__attribute__((noinline)) void square_into(const double *x, double *y) {
  *y = *x * *x;
}
void *keeps_the_seed(const double *x, double *, double *y, double *dy) {
  square_into(x, y);
  return new std::array<double, 2>{*x, *dy};
}
void from_the_tape(const double *, double *dx, double *, double *dy, void *tape) {
  const auto *kept = static_cast<std::array<double, 2> *>(tape);
  *dx += 2 * (*kept)[0] * (*kept)[1];
  *dy = 0;
  delete kept;
}
void uses_square(std::vector<double> &x) {
  square_into(x.data(), x.data() + 1);
}
constexpr auto in_two = in_forms<TestForm{.split = true}>;

TEST(Poison, AShadowThatIsReadBeforeItIsFilledIsFound) {
  const std::vector<double> x{2, 0};
  EXPECT_TRUE(check_reverse_all(plainly, uses_square, x).ok());
  EXPECT_GRADIENT_FAILURE(check_reverse_all(TestOptions{.variations = in_two}, uses_square, x), wrong_derivative);
}

// ---- Nothing else is spoiled ----

struct Inner {
  char kind;
  double value;
  float weight;
};
struct Outer {
  int count;
  std::array<Inner, 2> inner;
  bool flag;
  std::vector<Inner> more;
  std::complex<float> z;
  const double scale = 2;
};

double of_all(const Outer &outer, std::array<double, 2> &scratch) {
  double total = outer.flag ? outer.z.real() * outer.scale : 0;
  for (int index = 0; index < outer.count; ++index)
    total += outer.inner[static_cast<std::size_t>(index)].value * outer.inner[0].weight;
  for (const Inner &inner : outer.more)
    total += inner.kind == 'a' ? inner.value * inner.value : inner.weight;
  scratch[0] = total;
  return total * scratch[1];
}

TEST(Poison, StructsWithPaddingPassInAllForms) {
  const Outer outer{2, {{{'a', 1, 2}, {'b', 3, 0.5F}}}, true, {{'a', 0.25, 1}, {'b', 1, 3}}, {1, 2}};
  const std::array<double, 2> scratch{0.5, 1.5};
  test_forward_all(TestOptions{.variations = on}, of_all, outer, scratch);
  test_reverse_all(TestOptions{.variations = on}, of_all, outer, scratch);
}

TEST(Poison, OnlyBytesThatMeanNothingChange) {
  Outer outer{2, {{{'a', 1, 2}, {'b', 3, 0.5F}}}, true, {{'a', 0.25, 1}, {'b', 1, 3}}, {1, 2}};
  std::memset(reinterpret_cast<char *>(&outer.inner[0]) + 1, 0, 7);
  detail::poison_padding(outer);
  EXPECT_EQ(outer.count, 2);
  EXPECT_EQ(outer.inner[0].kind, 'a');
  EXPECT_EQ(outer.inner[1].value, 3);
  EXPECT_EQ(outer.inner[1].weight, 0.5F);
  EXPECT_TRUE(outer.flag);
  ASSERT_EQ(outer.more.size(), 2U);
  EXPECT_EQ(outer.more[1].weight, 3);
  EXPECT_EQ(outer.z.imag(), 2);
  EXPECT_EQ(outer.scale, 2);
  std::array<unsigned char, 7> padding{};
  std::memcpy(padding.data(), reinterpret_cast<const char *>(&outer.inner[0]) + 1, padding.size());
  EXPECT_EQ(padding, (std::array<unsigned char, 7>{255, 255, 255, 255, 255, 255, 255}));
}

} // namespace

void *__enzyme_register_gradient_product[] = {(void *)product, (void *)augmented_product, (void *)looks_at_padding};
void *__enzyme_register_gradient_sum[] = {(void *)sum, (void *)augmented_sum, (void *)counts_by_the_shadow};
void *__enzyme_register_gradient_poisoned_total[] = {(void *)total, (void *)augmented_total, (void *)looks_behind};
void *__enzyme_register_gradient_poisoned_square[] = {(void *)square_into, (void *)keeps_the_seed,
                                                      (void *)from_the_tape};
