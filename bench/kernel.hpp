// One differentiated function to measure: its primal, its gradient by reverse mode and its directional derivatives by
// forward mode, one or several at a time.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace assay::bench {

/// Most tangents that one call of forward mode takes.
constexpr std::size_t most_lanes = 8;

/// The memory that a kernel works on. Everything is allocated before the clock runs.
struct Problem {
  std::vector<double> input;
  std::vector<double> direction; ///< tangent of the input
  std::array<std::vector<double>, most_lanes> directions;
  std::vector<double> gradient;       ///< shadow of the input; reverse mode adds to it
  std::vector<double> scratch;        ///< what the kernel may overwrite
  std::vector<double> scratch_shadow; ///< for each lane, one after the other
  std::vector<double> data;           ///< what the kernel reads and is not differentiated for
  std::array<int, 3> sizes{};
};

/// What make_problem needs to know of a kernel.
struct Setup {
  const char *name;
  std::size_t inputs;
  std::size_t scratch;
  double lower, upper;        ///< range that inputs are drawn from
  std::size_t data = 0;       ///< numbers between 0 and 1
  std::array<int, 3> sizes{}; ///< extents that the compiler does not know
};

using Tangents = std::array<double, most_lanes>;

struct Kernel : Setup {
  const char *source; ///< the file that it is in
  double (*primal)(Problem &);
  void (*gradient)(Problem &);
  double (*forward)(Problem &);
  /// Forward mode with 4 and with 8 tangents in one call. Null where that is not measured.
  Tangents (*forward4)(Problem &) = nullptr;
  Tangents (*forward8)(Problem &) = nullptr;
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
Kernel gaussian_mixture();
Kernel recurrent_cell();
Kernel perceptron();
Kernel brusselator();
Kernel softmax_regression();
Kernel bundle_adjustment();
Kernel option_prices();
Kernel small_matrices();
Kernel heat_in_place();
Kernel sparse_iteration();
Kernel cholesky();
Kernel lu();
Kernel lu_of_rows();
Kernel transformer_state();
Kernel formula_text();
Kernel tridiagonal();
Kernel fft();
Kernel matrix_product_200();
Kernel matrix_product_restrict();
Kernel formula_by_engine();
Kernel formula_by_rule();

/// One for each of <assay/rules/...>.
std::vector<Kernel> bundled_rules();

} // namespace assay::bench
