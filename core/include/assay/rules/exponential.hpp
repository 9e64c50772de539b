#pragma once
// The exponential of a square matrix. Backwards dA += its derivative at A^T along dY (Al-Mohy and Higham 2009,
// "Computing the Frechet derivative of the matrix exponential", 1.1).

#include <array>
#include <assay/rules/dense.hpp>
#include <cmath>
#include <limits>
#include <unsupported/Eigen/MatrixFunctions>

namespace assay::rules {

namespace detail {

/// The derivative of exp(A) along E: that of the Pade approximant of A / 2^s, then of its squarings. Powers of A and
/// their derivatives are computed side by side (Al-Mohy and Higham 2009, algorithm 6.4; bounds of the norm from table
/// 6.1; coefficients of the approximants from Higham 2005, "The scaling and squaring method for the matrix exponential
/// revisited", 2.6). As exact as N is up to double; beyond, as double.
template <class N>
class ExponentialAlong {
public:
  ExponentialAlong(const Dense<N> &a, const Dense<N> &e) : a_(a), e_(e) { approximate(); }
  Dense<N> derivative() && { return std::move(derivative_); }

private:
  /// A matrix and its derivative.
  struct Pair {
    Dense<N> value, derivative;

    friend Pair operator*(const Pair &x, const Pair &y) {
      return {x.value * y.value, x.value * y.derivative + x.derivative * y.value};
    }
    friend Pair operator+(const Pair &x, const Pair &y) { return {x.value + y.value, x.derivative + y.derivative}; }
  };

  void approximate() {
    const double norm = double(a_.cwiseAbs().colwise().sum().maxCoeff());
    if (!std::isfinite(norm)) {
      derivative_ = Dense<N>::Constant(a_.rows(), a_.cols(), std::numeric_limits<N>::quiet_NaN());
      return;
    }
    if (norm <= 1.08e-2)
      return finish(short_approximant<4>({120, 60, 12, 1}), 0);
    if (norm <= 2.00e-1)
      return finish(short_approximant<6>({30240, 15120, 3360, 420, 30, 1}), 0);
    if (norm <= 7.83e-1)
      return finish(short_approximant<8>({17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1}), 0);
    if (norm <= 1.78)
      return finish(short_approximant<10>({17643225600., 8821612800., 2075673600., 302702400., 30270240., 2162160.,
                                           110880., 3960., 90., 1.}),
                    0);
    const int squarings = std::max(0, int(std::ceil(std::log2(norm / 4.74))));
    a_ *= N(std::ldexp(1.0, -squarings));
    e_ *= N(std::ldexp(1.0, -squarings));
    finish(long_approximant(), squarings);
  }

  /// The odd part, without its factor A, and the even part of the numerator.
  struct Parts {
    Pair odd, even;
  };

  template <std::size_t Count>
  Parts short_approximant(const std::array<double, Count> &b) const {
    const Pair square = Pair{a_, e_} * Pair{a_, e_};
    Parts parts{times_identity(b[1]), times_identity(b[0])};
    Pair power = square;
    for (std::size_t k = 2; k < Count; k += 2) {
      if (k > 2)
        power = power * square;
      add(parts.even, b[k], power);
      add(parts.odd, b[k + 1], power);
    }
    return parts;
  }

  Parts long_approximant() const {
    static constexpr std::array<double, 14> b{64764752532480000.,
                                              32382376266240000.,
                                              7771770303897600.,
                                              1187353796428800.,
                                              129060195264000.,
                                              10559470521600.,
                                              670442572800.,
                                              33522128640.,
                                              1323241920.,
                                              40840800.,
                                              960960.,
                                              16380.,
                                              182.,
                                              1.};
    const Pair second = Pair{a_, e_} * Pair{a_, e_}, fourth = second * second, sixth = fourth * second;
    const auto sum = [&](unsigned first) {
      Pair result = scaled(b[first], second);
      add(result, b[first + 2], fourth);
      add(result, b[first + 4], sixth);
      return result;
    };
    return {sixth * sum(9) + sum(3) + times_identity(b[1]), sixth * sum(8) + sum(2) + times_identity(b[0])};
  }

  /// (even - odd) Y = even + odd, and the derivative of that; then Y is squared.
  void finish(Parts parts, int squarings) {
    const Pair odd = Pair{a_, e_} * parts.odd;
    const Eigen::PartialPivLU<Dense<N>> denominator(parts.even.value - odd.value);
    Pair result;
    result.value = denominator.solve(parts.even.value + odd.value);
    result.derivative = denominator.solve(parts.even.derivative + odd.derivative +
                                          (odd.derivative - parts.even.derivative) * result.value);
    for (int k = 0; k < squarings; ++k)
      result = result * result;
    derivative_ = std::move(result.derivative);
  }

  Pair times_identity(double factor) const {
    const Eigen::Index n = a_.rows();
    return {Dense<N>::Identity(n, n) * N(factor), Dense<N>::Zero(n, n)};
  }
  static Pair scaled(double factor, const Pair &pair) { return {pair.value * N(factor), pair.derivative * N(factor)}; }
  static void add(Pair &sum, double factor, const Pair &term) {
    sum.value += N(factor) * term.value;
    sum.derivative += N(factor) * term.derivative;
  }

  Dense<N> a_, e_, derivative_;
};

} // namespace detail

struct ExponentialFormula {
  template <class N>
  static Dense<N> keep(const Dense<N> &a) {
    return detail::square(a);
  }
  template <class M>
  static M value(const auto &a) {
    if (a.size() == 0)
      return detail::stored<M>(a);
    return detail::stored<M>(std::remove_cvref_t<decltype(a)>(a.exp()));
  }
  template <class M, class N>
  static M tangent(const Dense<N> &a, const Dense<N> &da) {
    return detail::stored<M>(along<N>(a, da));
  }
  template <class N>
  static Dense<N> adjoint(const Dense<N> &a, const auto &dy) {
    return along<N>(a.transpose(), detail::dense(dy));
  }

private:
  template <class N>
  static Dense<N> along(const Dense<N> &a, const Dense<N> &e) {
    return a.rows() == 0 ? a : detail::ExponentialAlong<N>(a, e).derivative();
  }
};

/// `a` is a square matrix of Eigen, or one in a plain array, row by row.
template <class M>
M exponential(const M &a) {
  ASSAY_RULE(MatrixRule<ExponentialFormula>, exponential<M>);
  return detail::value_of<ExponentialFormula>(a);
}

} // namespace assay::rules
