// Finite differences of functions of vectors: gradient, Jacobian, and products with it from both sides.
//
// A function is either a scalar function, `T f(std::span<const T> x)`, or a vector function, `void f(std::span<const T>
// x, std::span<T> y)` that writes all of y. Each is restricted to a line x + t v, and differentiated in t by the
// method.
#pragma once

#include <assay/fdm/method.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace assay::fdm {

template <class T>
using ScalarFunction = FunctionRef<T(std::span<const T> x)>;

template <class T>
using VectorFunction = FunctionRef<void(std::span<const T> x, std::span<T> y)>;

/// Limits of one variable; `std::span<const Domain>` is empty for none, or has one entry for each variable.
struct Domain {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

template <class T>
using Estimates = std::vector<Estimate<T>>;

/// Row i, column j: the derivative of output i by variable j.
template <class T>
struct Jacobian {
  std::size_t rows = 0;
  std::size_t columns = 0;
  Estimates<T> elements; ///< row by row

  const Estimate<T> &operator()(std::size_t row, std::size_t column) const { return elements[row * columns + column]; }
};

/// How far t may move in x + t v before a variable leaves its domain.
template <class T>
Reach line_reach(std::span<const T> x, std::span<const T> direction, std::span<const Domain> domains);

/// J(x) v, of a function with `outputs` outputs: derivative along a direction.
template <class T>
Estimates<T> jvp(const FiniteDifferenceMethod &method, std::type_identity_t<VectorFunction<T>> f, std::span<const T> x,
                 std::span<const T> direction, std::size_t outputs, std::span<const Domain> domains = {});

/// The derivative of a scalar function along a direction.
template <class T>
Estimate<T> directional(const FiniteDifferenceMethod &method, std::type_identity_t<ScalarFunction<T>> f,
                        std::span<const T> x, std::span<const T> direction, std::span<const Domain> domains = {});

/// The gradient of a scalar function, one estimate for each variable.
template <class T>
Estimates<T> grad(const FiniteDifferenceMethod &method, std::type_identity_t<ScalarFunction<T>> f, std::span<const T> x,
                  std::span<const Domain> domains = {});

template <class T>
Jacobian<T> jacobian(const FiniteDifferenceMethod &method, std::type_identity_t<VectorFunction<T>> f,
                     std::span<const T> x, std::size_t outputs, std::span<const Domain> domains = {});

/// J(x)^T w: the gradient of <w, f(x)>; the error is that of the sum of the elements' errors, weighted by |w|.
template <class T>
Estimates<T> j_transpose_vp(const FiniteDifferenceMethod &method, std::type_identity_t<VectorFunction<T>> f,
                            std::span<const T> x, std::span<const T> cotangent, std::span<const Domain> domains = {});

} // namespace assay::fdm
