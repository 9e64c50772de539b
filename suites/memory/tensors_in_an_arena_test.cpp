// What tensors_in_an_arena.c computes, against central differences.
#include "support/plugin_test.hpp"
#include "support/vector_program.hpp"

extern "C" {
double c_tensors_in_a_block(double *x);
double c_tensors_in_a_buffer(double *x);
void c_tensors_in_a_block_gradient(double *x, double *dx);
void c_tensors_in_a_buffer_gradient(double *x, double *dx);
}

namespace {
constexpr std::size_t numbers = 44;

/// The shadow begins with zeros, each number is copied once: adjoints of words that may be doubles or pairs of floats
/// are moved, but never added.
void check(double (*program)(double *), void (*gradient)(double *, double *)) {
  std::array<double, numbers> x, shadow{};
  for (std::size_t i = 0; i < numbers; ++i)
    x[i] = assay::suites::direction(i);
  gradient(x.data(), shadow.data());
  for (std::size_t i = 0; i < numbers; ++i)
    assay::suites::expect_near_element(shadow[i], assay::suites::central_difference([&](double change) {
                                         auto moved = x;
                                         moved[i] += change;
                                         return program(moved.data());
                                       }),
                                       1e-6, "reverse gradient", i, __FILE__, __LINE__);
}
} // namespace

PLUGIN_TEST(TensorsInAnArena, InABlock) {
  check(c_tensors_in_a_block, c_tensors_in_a_block_gradient);
}
PLUGIN_TEST(TensorsInAnArena, InAStaticBuffer) {
  check(c_tensors_in_a_buffer, c_tensors_in_a_buffer_gradient);
}
