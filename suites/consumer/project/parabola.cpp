// A program that was written for Enzyme's C++ interface.
#include <cstdio>
#include <enzyme/enzyme>

int main() {
  const auto parabola = [](double x) { return x * x; };
  const double slope = enzyme::autodiff<enzyme::Forward>(parabola, enzyme::Duplicated(3.0, 1.0));
  std::printf("slope %g\n", slope);
  return slope == 6 ? 0 : 1;
}
