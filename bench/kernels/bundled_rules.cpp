// The rules that come with the library, one kernel each: what a gradient costs where a rule computes it.
#include "bench/kernel_of.hpp"

#include <assay/rules/cholesky.hpp>
#include <assay/rules/eigensystem.hpp>
#include <assay/rules/exponential.hpp>
#include <assay/rules/fft.hpp>
#include <assay/rules/fixed_point.hpp>
#include <assay/rules/integral.hpp>
#include <assay/rules/interpolation.hpp>
#include <assay/rules/inverse.hpp>
#include <assay/rules/logdet.hpp>
#include <assay/rules/logsumexp.hpp>
#include <assay/rules/lu.hpp>
#include <assay/rules/norm.hpp>
#include <assay/rules/ode.hpp>
#include <assay/rules/qr.hpp>
#include <assay/rules/root.hpp>
#include <assay/rules/softmax.hpp>
#include <assay/rules/solve.hpp>
#include <assay/rules/sort.hpp>
#include <assay/rules/sparse_solve.hpp>
#include <assay/rules/svd.hpp>
#include <assay/rules/top.hpp>

namespace assay::bench {

namespace {

using Numbers = std::vector<double>;

constexpr std::size_t order = 24;     // of matrices
constexpr std::size_t length = 1000;  // of vectors
constexpr std::size_t unknowns = 400; // of sparse systems

double squares(const auto &y) {
  double sum = 0;
  for (decltype(y.size()) i = 0; i < y.size(); ++i)
    sum += y.data()[i] * y.data()[i] * (1 + 0.01 * double(i));
  return sum;
}

Numbers vector_of(const double *x) {
  return Numbers(x, x + length);
}
/// Numbers that finite differences do not bring into another order.
Numbers spread_out(const double *x) {
  Numbers spread(x, x + length);
  for (std::size_t i = 0; i < length; ++i)
    spread[i] += double(37 * i % length);
  return spread;
}
Numbers dominant(const double *x) {
  Numbers a(x, x + order * order);
  for (std::size_t i = 0; i < order; ++i)
    a[i * order + i] += double(order + i);
  return a;
}

struct Contraction {
  Numbers operator()(const Numbers &x, const Numbers &p) const {
    Numbers y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      y[i] = 0.3 * std::sin(x[i]) + 0.1 * x[(i + 1) % x.size()] + p[i];
    return y;
  }
};
struct Oscillators {
  Numbers operator()(double t, const Numbers &x, const Numbers &p) const {
    Numbers y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      y[i] = std::sin(x[(i + 1) % x.size()]) - p[i] * x[i] + 0.1 * t;
    return y;
  }
};
struct Cubic {
  double operator()(double x, double p) const { return x * x * x + x - p; }
};

double inverse(const double *x) {
  return squares(rules::inverse(dominant(x)));
}
double logdet(const double *x) {
  return rules::logdet(dominant(x));
}
double cholesky(const double *x) {
  return squares(rules::cholesky(dominant(x)));
}
double lu(const double *x) {
  return squares(rules::lu(dominant(x)).packed);
}
double qr(const double *x) {
  const auto y = rules::qr(dominant(x));
  return squares(y.q) + squares(y.r);
}
double eigensystem(const double *x) {
  const auto y = rules::eigensystem(dominant(x));
  return squares(y.values) + squares(y.vectors);
}
double svd(const double *x) {
  const auto y = rules::svd(dominant(x));
  return squares(y.values) + squares(y.u) + squares(y.v);
}
double exponential(const double *x) {
  return squares(rules::exponential(Numbers(x, x + order * order)));
}
double solve(const double *x) {
  return squares(rules::solve(dominant(x), Numbers(x, x + order)));
}
double sparse_solve(const double *x) {
  rules::SparseMatrix a(unknowns, unknowns);
  a.reserve(Eigen::VectorXi::Constant(unknowns, 2));
  for (int i = 0; i < int(unknowns); ++i) {
    a.insert(i, i) = 4 + x[i];
    if (i > 0)
      a.insert(i - 1, i) = x[i];
  }
  a.makeCompressed();
  return squares(rules::sparse_solve(a, Eigen::VectorXd::Constant(unknowns, x[0])));
}
double norm(const double *x) {
  return rules::norm(vector_of(x));
}
double logsumexp(const double *x) {
  return rules::logsumexp(vector_of(x));
}
double softmax(const double *x) {
  return squares(rules::softmax(vector_of(x)));
}
double sorted(const double *x) {
  return squares(rules::sorted(spread_out(x)));
}
double top(const double *x) {
  return squares(rules::top(spread_out(x), 50));
}
double interpolation(const double *x) {
  const Numbers nodes = rules::sorted(Numbers{0, 1, 2, 3, 4, 5, 6, 7});
  const Numbers values(x, x + nodes.size());
  double sum = 0;
  for (int i = 0; i < 100; ++i)
    sum += rules::interpolate<rules::Curve::cubic>(nodes, values, 0.07 * i) * (1 + i);
  return sum;
}
double integral(const double *x) {
  return rules::integral([](double t) { return std::exp(-t * t); }, x[0], x[1], 50);
}
double root(const double *x) {
  return rules::root(Cubic(), 1.0, x[0]);
}
double fixed_point(const double *x) {
  return squares(rules::fixed_point(Contraction(), Numbers(20), Numbers(x, x + 20)));
}
double ode(const double *x) {
  return squares(rules::ode(Oscillators(), Numbers(x, x + 20), Numbers(x + 20, x + 40), 0.0, 1.0, 20));
}
#ifdef ASSAY_HAS_FFTW
double fft(const double *x) {
  rules::ComplexVector numbers(length / 2);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = {x[2 * i], x[2 * i + 1]};
  const rules::ComplexVector y = rules::fft(numbers);
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i)
    sum += (y[i].real() * y[i].real() + y[i].imag() * y[i].imag()) * (1 + 0.01 * double(i));
  return sum;
}
#endif

template <double (*value)(const double *)>
Kernel row(const char *name, std::size_t inputs, double lower = -1, double upper = 1) {
  using Functions = FunctionOfInput<value>;
  return kernel_of<Functions::primal, Functions::gradient, Functions::forward>({name, inputs, 0, lower, upper});
}

} // namespace

std::vector<Kernel> bundled_rules() {
  constexpr std::size_t matrix = order * order;
  return {
      row<inverse>("rule_inverse", matrix),
      row<logdet>("rule_logdet", matrix),
      row<cholesky>("rule_cholesky", matrix),
      row<lu>("rule_lu", matrix),
      row<qr>("rule_qr", matrix),
      row<eigensystem>("rule_eigensystem", matrix),
      row<svd>("rule_svd", matrix),
      row<exponential>("rule_exponential", matrix, -0.1, 0.1),
      row<solve>("rule_solve", matrix),
      row<sparse_solve>("rule_sparse_solve", unknowns),
      row<norm>("rule_norm", length),
      row<logsumexp>("rule_logsumexp", length),
      row<softmax>("rule_softmax", length),
      row<sorted>("rule_sorted", length, -0.3, 0.3),
      row<top>("rule_top", length, -0.3, 0.3),
      row<interpolation>("rule_interpolation", 8),
      row<integral>("rule_integral", 2),
      row<root>("rule_root", 1, 1, 3),
      row<fixed_point>("rule_fixed_point", 20),
      row<ode>("rule_ode", 40),
#ifdef ASSAY_HAS_FFTW
      row<fft>("rule_fft", length),
#endif
  };
}

} // namespace assay::bench
