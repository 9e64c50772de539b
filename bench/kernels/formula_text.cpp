// A formula is read from its text, by functions that call each other: many small calls, each with a tape of its own.
#include "bench/kernel_of.hpp"

#include <cctype>
#include <cmath>
#include <string>

namespace assay::bench {

namespace {

constexpr int variables = 50, terms = 200;

std::string formula() {
  std::string text = "1";
  for (int i = 0; i < terms; ++i)
    text += "+x" + std::to_string(i) + "*(s(x" + std::to_string(i + 1) + "-x7)/x" + std::to_string(3 * i) + ")";
  return text;
}

struct Reader {
  const char *next;
  const double *x;

  double sum() {
    double value = product();
    while (*next == '+' || *next == '-') {
      const bool adds = *next++ == '+';
      const double term = product();
      value = adds ? value + term : value - term;
    }
    return value;
  }
  double product() {
    double value = factor();
    while (*next == '*' || *next == '/') {
      const bool multiplies = *next++ == '*';
      const double other = factor();
      value = multiplies ? value * other : value / (other + 3);
    }
    return value;
  }
  double factor() {
    switch (*next++) {
    case '(': {
      const double value = sum();
      ++next;
      return value;
    }
    case 's':
      return std::sin(factor());
    case 'x':
      return x[number() % variables];
    default:
      --next;
      return number();
    }
  }
  int number() {
    int value = 0;
    while (std::isdigit(static_cast<unsigned char>(*next)))
      value = 10 * value + (*next++ - '0');
    return value;
  }
};

double value(const double *x) {
  static const std::string text = formula();
  return Reader{text.c_str(), x}.sum();
}

} // namespace

Kernel formula_text() {
  return kernel_of<value>({"formula_text", variables, 0, -1, 1});
}

} // namespace assay::bench
