#include "core/test/device/emulation.hpp"

extern "C" void misc(double *results);
extern "C" void annotated(double *results);

namespace {

int failures = 0;
void expect(const char *what, double found, double expected, double tolerance = 1e-12) {
  const bool agrees = std::abs(found - expected) <= tolerance;
  failures += !agrees;
  std::printf("%s: %.10g, expected %.10g%s\n", what, found, expected, agrees ? "" : ": WRONG");
}

} // namespace

int main() {
  double found[9] = {};
  emu::launch(1, 1, [&] { misc(found); });
  const double by_x = 4 * std::sin(3.0), by_y = 4 * std::cos(3.0);
  const double expected[9] = {by_x, by_x, by_y, by_x, by_x, 30, 84, by_x, by_y};
  for (int i = 0; i < 9; ++i)
    expect("result", found[i], expected[i]);
  double of_annotated[6] = {};
  emu::launch(1, 1, [&] { annotated(of_annotated); });
  const double expected_of_annotated[6] = {23, 12, 9, 1, 12, 21.5};
  for (int i = 0; i < 6; ++i)
    expect("annotated", of_annotated[i], expected_of_annotated[i]);
  return failures == 0 ? 0 : 1;
}
