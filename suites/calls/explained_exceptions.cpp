// what() of exceptions whose class is in the library, in a file that has classes of exceptions of its own.
#include "support/vector_program.hpp"
#include <stdexcept>
#include <string>

namespace {

struct Diverged : std::exception {
  const char *what() const noexcept override { return "diverged"; }
};

struct Named : std::runtime_error {
  using std::runtime_error::runtime_error;
};

double after_handlers(const double *x, int n) {
  double sum = x[n - 1];
  std::size_t letters = 0;
  for (int i = 0; i < 5; ++i)
    try {
      if (i == 0)
        throw Diverged();
      if (i == 1)
        throw std::runtime_error("out of range");
      if (i == 2)
        throw Named("named");
      if (i == 3)
        (void)std::string("text").at(7);
      sum += x[0] * i;
    } catch (const std::exception &error) {
      letters += std::string(error.what()).size();
      sum *= x[1] + double(letters % 7);
    }
  return sum * sum;
}

} // namespace

PLUGIN_TEST(ExplainedExceptions, OfTheLibraryBesideOnesOfTheFile) {
  CHECK_FUNCTION(after_handlers, 0.7, 0.4, 1.1);
}
