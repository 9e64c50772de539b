// One differentiated function to measure: its primal, its gradient by reverse mode and its directional derivative by
// forward mode.
#pragma once

#include <cstddef>
#include <vector>

namespace assay::bench {

/// The memory that a kernel works on. Everything is allocated before the clock runs.
struct Problem {
  std::vector<double> input;
  std::vector<double> direction; ///< tangent of the input
  std::vector<double> gradient;  ///< shadow of the input; reverse mode adds to it
  std::vector<double> scratch;   ///< what the kernel may overwrite
  std::vector<double> scratch_shadow;
};

/// What make_problem needs to know of a kernel.
struct Setup {
  const char *name;
  std::size_t inputs;
  std::size_t scratch;
  double lower, upper; ///< range that inputs are drawn from
};

struct Kernel : Setup {
  double (*primal)(Problem &);
  void (*gradient)(Problem &);
  double (*forward)(Problem &);
};

/// All kernels: first those of the shipped examples, then loops that exercise one ability of the engine each.
std::vector<Kernel> all_kernels();

Kernel rosenbrock();
Kernel dense_layer();
Kernel heat_stencil();
Kernel newton();
Kernel n_body();
Kernel sum_of_squares();
Kernel matrix_product();
Kernel horner();
Kernel log_sum_exp();
Kernel reaction_steps();
Kernel branches();
Kernel indirect();

} // namespace assay::bench
