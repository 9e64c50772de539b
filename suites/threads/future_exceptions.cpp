// Exceptions that a thread leaves to who asks for its value.
#include "support/vector_program.hpp"
#include <future>
#include <stdexcept>

namespace {

using namespace assay::suites;

double with_exception(const double *x, int) {
  auto lost = std::async(std::launch::async, [=]() -> double {
    if (x[0] > -5)
      throw std::runtime_error("too large");
    return x[0];
  });
  try {
    return lost.get();
  } catch (const std::runtime_error &) {
    return x[1] * x[2];
  }
}

} // namespace

PLUGIN_TEST(Futures, PassOnExceptions) {
  CHECK_FUNCTION(with_exception, 0.9, 0.4, 0.7);
}
