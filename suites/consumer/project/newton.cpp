// Finds the starting angle that ends at 0.3 by Newton's method with the derivative from Assay.
#include "pendulum.hpp"
#include <assay/autodiff.hpp>
#include <cstdio>

int main() {
  using namespace assay;
  double angle = 1;
  for (int i = 0; i < 8; ++i) {
    const auto result = autodiff<ReverseWithPrimal>(swing, Active{angle}, Const{0.1}, Const{100});
    angle -= (result.primal - 0.3) / std::get<0>(result.gradient);
  }
  const double miss = swing(angle, 0.1, 100) - 0.3;
  std::printf("start at %.12f, miss by %g\n", angle, miss);
  return std::abs(miss) < 1e-12 ? 0 : 1;
}
