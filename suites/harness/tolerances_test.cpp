// Tolerances by path and by type, as users give them.

#include <assay/testing.hpp>

namespace {

using namespace assay;

struct Layer {
  std::vector<double> weight;
  double bias;
};

// Its rule is off by a millionth.
__attribute__((noinline)) double doubled(double x) {
  return 2 * x;
}
double inexact_derivative(double, double dx) {
  return (2 + 2e-6) * dx;
}
struct Augmented {
  void *tape;
  double primal;
};
Augmented augmented_doubled(double x) {
  return {nullptr, 2 * x};
}
double inexact_reverse(double, double seed, void *) {
  return (2 + 2e-6) * seed;
}

double output(const Layer &layer) {
  return doubled(layer.weight[0]) + layer.weight[1] * layer.bias;
}

const Layer layer{{0.5, -1.25}, 0.75};

TEST(Tolerances, OfAPathAreThoseOfItsElementsAlone) {
  EXPECT_GRADIENT_FAILURE(check_reverse_all({.names = {"x"}}, output, layer), wrong_derivative);
  test_reverse_all({.names = {"x"}, .tolerances = {{"x.weight", {.rtol = 1e-5}}}}, output, layer);
  test_reverse_all({.names = {"x"}, .tolerances = {{"x.weight[*]", {.rtol = 1e-5}}}}, output, layer);
  EXPECT_GRADIENT_FAILURE(
      check_reverse_all({.names = {"x"}, .tolerances = {{"x.weight[1]", {.rtol = 1e-5}}, {"x.bias", {.atol = 1e-5}}}},
                        output, layer),
      wrong_derivative);
  test_forward_all({.tolerances = {{"result", {.rtol = 1e-5}}}}, output, layer);
}

TEST(Tolerances, OfATypeAreThoseOfAllItsElements) {
  test_reverse_all({.tolerances = {{"double", {.rtol = 1e-5}}}}, output, layer);
}

TEST(Tolerances, OfNothingAreAnError) {
  EXPECT_THROW(check_reverse_all({.tolerances = {{"x.wieght", {.rtol = 1e-5}}}}, output, layer), std::invalid_argument);
}

ASSAY_GRADIENT_TEST_WITH(InexactlyDoubled,
                         (TestOptions{.tolerances = {{"x1", {.rtol = 1e-5}}, {"result", {.rtol = 1e-5}}}}), doubled,
                         gen::real(-2, 2))

} // namespace

void *__enzyme_register_derivative_doubled[] = {(void *)doubled, (void *)inexact_derivative};
void *__enzyme_register_gradient_doubled[] = {(void *)doubled, (void *)augmented_doubled, (void *)inexact_reverse};
