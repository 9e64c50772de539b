// Numbers that are written as text and read again: text has no derivative, so what is read is constant. A variable into
// which nothing was read keeps what it was.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace {

double through_a_stream(double x) {
  std::stringstream text;
  text << x;
  double y = x * x;
  text >> y;
  return y * x;
}
double through_scanf(double x) {
  char text[64], word[8];
  std::snprintf(text, sizeof text, "7 %.17g word %.17g 9", x * x, x);
  float single = float(x);
  double y = x, left = x;
  int number = 0;
  std::sscanf(text, "%d %lf %7s %f %*d %lf", &number, &y, word, &single, &left);
  return number * y * single * x + left; // nothing is left for the last one
}
double through_characters(double x) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, x * x);
  double y = x;
  std::from_chars(text, end.ptr, y);
  return y * x;
}
double through_strings(double x) {
  const std::string text = std::to_string(x);
  return (std::stod(text) + std::atof(text.c_str()) + std::strtod(text.c_str(), nullptr)) * x;
}
double into_a_vector(double x) {
  std::istringstream text("1 2 3");
  std::vector<double> values(3, x);
  for (double &value : values)
    text >> value;
  return values[0] * values[1] * values[2] * x;
}
double beyond_the_end(double x) {
  std::istringstream text("2");
  double y = x * x, z = x * x;
  text >> y >> z;
  return y * x + z;
}

} // namespace

#define CHECK(f, derivative)                                                                                           \
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)f, 3.0), derivative);                                                 \
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)f, 3.0, 1.0), derivative)

PLUGIN_TEST(Text, MakesConstantsOfWhatAStreamReads) {
  CHECK(through_a_stream, 3);
  CHECK(into_a_vector, 6);
}
PLUGIN_TEST(Text, MakesConstantsOfWhatScanfReads) {
  CHECK(through_scanf, 7 * 9 * 3 + 1);
}
PLUGIN_TEST(Text, MakesConstantsOfWhatIsConverted) {
  CHECK(through_characters, 9);
  CHECK(through_strings, 9);
}
PLUGIN_TEST(Text, LeavesVariablesAloneThatAreNotRead) {
  CHECK(beyond_the_end, 2 + 6);
}
