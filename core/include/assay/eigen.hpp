#pragma once
// Eigen's matrices for the traversal: to_vec, make_zero, random tangents, comparisons and tests of gradients.
//
// Entries that are not stored are no numbers: a sparse matrix has the numbers of its pattern, a self-adjoint or
// triangular view those of its triangle. Views (Map, the triangles) are rebuilt as objects that own memory: a matrix,
// an OwnedTriangle.

#include "assay/detail/containers.hpp"
#include "assay/detail/traverse/walk.hpp"

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <Eigen/SparseCore>

#include <cstring>
#include <stdexcept>
#include <string>

namespace assay {

namespace detail {

inline Label eigen_label(Eigen::Index row, Eigen::Index column, bool is_vector) {
  const auto i = static_cast<std::size_t>(row), j = static_cast<std::size_t>(column);
  return is_vector ? Label::index(i > j ? i : j) : Label::entry(i, j);
}

/// All entries of a dense matrix in its storage order. A map of constant numbers is a view that does not write to them.
template <class Matrix, class Part>
void walk_dense(Matrix &x, Part &&part) {
  for (Eigen::Index outer = 0; outer < x.outerSize(); ++outer)
    for (Eigen::Index inner = 0; inner < x.innerSize(); ++inner) {
      const Eigen::Index row = Matrix::IsRowMajor ? outer : inner, column = Matrix::IsRowMajor ? inner : outer;
      part(const_cast<typename Matrix::Scalar &>(x.const_cast_derived().coeffRef(row, column)),
           eigen_label(row, column, Matrix::IsVectorAtCompileTime));
    }
}

template <class Matrix>
void require_same_size(const Matrix &value, const Matrix &shadow) {
  if (value.rows() != shadow.rows() || value.cols() != shadow.cols())
    throw std::invalid_argument("assay: a matrix of " + std::to_string(value.rows()) + " by " +
                                std::to_string(value.cols()) + " has a shadow of " + std::to_string(shadow.rows()) +
                                " by " + std::to_string(shadow.cols()));
}

/// The shadow of a sparse matrix stores the entries that the matrix stores: an entry that is not stored has no place
/// for a derivative.
template <class Sparse>
void require_same_pattern(const Sparse &value, const Sparse &shadow) {
  require_same_size(value, shadow);
  for (Eigen::Index outer = 0; outer < value.outerSize(); ++outer) {
    typename Sparse::InnerIterator entry(value, outer), twin(shadow, outer);
    for (; entry; ++entry, ++twin)
      if (!twin || twin.index() != entry.index())
        throw std::invalid_argument("assay: entry (" + std::to_string(entry.row()) + ", " +
                                    std::to_string(entry.col()) +
                                    ") of a sparse matrix is stored, but not that of its shadow: make it with "
                                    "make_zero, which keeps the pattern");
    if (twin)
      throw std::invalid_argument("assay: entry (" + std::to_string(twin.row()) + ", " + std::to_string(twin.col()) +
                                  ") of the shadow of a sparse matrix is stored, but not that of the matrix: make it "
                                  "with make_zero, which keeps the pattern");
  }
}

/// A seed stores the entries that the result stores. Asked while the result is differentiated, without a derivative.
template <class Sparse>
[[gnu::noinline, clang::annotate("enzyme_inactive")]] void require_pattern_of_seed(const Sparse &result,
                                                                                   const Sparse &seed) {
  bool same = result.rows() == seed.rows() && result.cols() == seed.cols() && result.nonZeros() == seed.nonZeros();
  for (Eigen::Index outer = 0; same && outer < result.outerSize(); ++outer) {
    typename Sparse::InnerIterator entry(result, outer), twin(seed, outer);
    for (; same && entry; ++entry, ++twin)
      same = twin && twin.index() == entry.index();
  }
  if (!same)
    throw std::invalid_argument("assay: a sparse result with " + std::to_string(result.nonZeros()) +
                                " stored entries has a seed with " + std::to_string(seed.nonZeros()) +
                                ", or with others: a seed has the result's pattern");
}

template <class Matrix>
struct DenseTraversal {
  using Parts = TypeList<typename Matrix::Scalar>;
  static constexpr bool resizes = Matrix::MaxSizeAtCompileTime == Eigen::Dynamic;
  static void walk(Matrix &x, auto &&part) { walk_dense(x, part); }
  static void memory(Matrix &x, auto &&owned) {
    owned(static_cast<const void *>(x.data()), static_cast<std::size_t>(x.size()) * sizeof(typename Matrix::Scalar));
  }
  static void require_same_shape(const Matrix &value, const Matrix &shadow) {
    detail::require_same_size(value, shadow);
  }
  static void require_seed(const Matrix &result, const Matrix &seed) { require_seed_shape(result, seed); }
  /// Rows and columns stand beside the pointer to the numbers.
  static void adopt_structure(const Matrix &primal, Matrix &shadow) {
    if constexpr (Matrix::SizeAtCompileTime == Eigen::Dynamic && Matrix::MaxSizeAtCompileTime == Eigen::Dynamic)
      if (shadow.size() == 0 && primal.size() != 0)
        adopt_sizes(primal, shadow);
  }

private:
  static void adopt_sizes(const Matrix &primal, Matrix &shadow) {
    auto *numbers = shadow.data();
    std::memcpy(static_cast<void *>(&shadow), static_cast<const void *>(&primal), sizeof(Matrix));
    auto *words = reinterpret_cast<const typename Matrix::Scalar **>(&shadow);
    for (std::size_t word = 0; word != sizeof(Matrix) / sizeof(void *); ++word)
      if (words[word] == primal.data())
        words[word] = numbers;
  }
};

/// Entries of the triangle that a mode of Eigen's (Upper, StrictlyLower, ...) stores.
template <unsigned Mode, class Matrix, class Part>
void walk_triangle(Matrix &x, Part &&part) {
  constexpr bool diagonal = (Mode & (Eigen::UnitDiag | Eigen::ZeroDiag)) == 0;
  for (Eigen::Index column = 0; column < x.cols(); ++column)
    for (Eigen::Index row = 0; row < x.rows(); ++row) {
      const bool inside = row == column ? diagonal : (Mode & Eigen::Lower) != 0 ? row > column : row < column;
      if (inside)
        part(x.const_cast_derived().coeffRef(row, column), eigen_label(row, column, false));
    }
}

template <class>
struct TriangleOf;
template <class Matrix, unsigned UpLo>
struct TriangleOf<Eigen::SelfAdjointView<Matrix, UpLo>> {
  using Plain = typename std::remove_const_t<Matrix>::PlainObject;
  static constexpr unsigned mode = UpLo;
  static auto view(Plain &x) { return x.template selfadjointView<UpLo>(); }
};
template <class Matrix, unsigned Mode>
struct TriangleOf<Eigen::TriangularView<Matrix, Mode>> {
  using Plain = typename std::remove_const_t<Matrix>::PlainObject;
  static constexpr unsigned mode = Mode;
  static auto view(Plain &x) { return x.template triangularView<Mode>(); }
};

} // namespace detail

/// A self-adjoint or triangular view with a matrix of its own.
template <class TriangleView>
struct OwnedTriangle {
  typename detail::TriangleOf<TriangleView>::Plain matrix;
  auto view() { return detail::TriangleOf<TriangleView>::view(matrix); }
};

template <class S, int R, int C, int O, int MaxR, int MaxC>
struct Traversal<Eigen::Matrix<S, R, C, O, MaxR, MaxC>>
    : detail::DenseTraversal<Eigen::Matrix<S, R, C, O, MaxR, MaxC>> {};
template <class S, int R, int C, int O, int MaxR, int MaxC>
struct Traversal<Eigen::Array<S, R, C, O, MaxR, MaxC>> : detail::DenseTraversal<Eigen::Array<S, R, C, O, MaxR, MaxC>> {
};

template <class Plain, int Options, class Stride>
struct Traversal<Eigen::Map<Plain, Options, Stride>> {
  using X = Eigen::Map<Plain, Options, Stride>;
  using Parts = detail::TypeList<typename X::Scalar>;
  using Owner = std::remove_const_t<Plain>;
  static void walk(X &x, auto &&part) { detail::walk_dense(x, part); }
  static Owner own(const X &x) { return x; }
  static void require_same_shape(const X &value, const X &shadow) { detail::require_same_size(value, shadow); }
  /// A map like `x` of memory that `owner` has.
  static X refer(Owner &owner, const X &x) { return X(owner.data(), x.rows(), x.cols()); }
};

template <class S, int O, class I>
struct Traversal<Eigen::SparseMatrix<S, O, I>> {
  using X = Eigen::SparseMatrix<S, O, I>;
  using Parts = detail::TypeList<S>;
  static constexpr bool resizes = true;
  static void walk(X &x, auto &&part) {
    for (Eigen::Index outer = 0; outer < x.outerSize(); ++outer)
      for (typename X::InnerIterator entry(x, outer); entry; ++entry)
        part(entry.valueRef(), detail::eigen_label(entry.row(), entry.col(), false));
  }
  static void memory(X &x, auto &&owned) {
    owned(static_cast<const void *>(x.valuePtr()), static_cast<std::size_t>(x.data().size()) * sizeof(S));
  }
  static void require_same_shape(const X &value, const X &shadow) { detail::require_same_pattern(value, shadow); }
  static void require_seed(const X &result, const X &seed) { detail::require_pattern_of_seed(result, seed); }
  /// The pattern is that of the seed; the numbers alone are copied.
  static void fill(const X &whole, X &result) {
    detail::require_pattern_of_seed(whole, result);
    for (Eigen::Index outer = 0; outer < whole.outerSize(); ++outer) {
      typename X::InnerIterator to(result, outer);
      for (typename X::InnerIterator from(whole, outer); from; ++from, ++to)
        to.valueRef() = from.value();
    }
  }
  /// The shadow of a result has numbers but no indices: they are those of the primal.
  static void add_seed(const X &primal, X &shadow, const X &seed) {
    if (seed.nonZeros() != primal.nonZeros())
      throw std::invalid_argument("assay: a sparse result with " + std::to_string(primal.nonZeros()) +
                                  " stored entries has a seed with " + std::to_string(seed.nonZeros()));
    for (Eigen::Index index = 0; index < primal.nonZeros(); ++index)
      shadow.valuePtr()[index] += seed.valuePtr()[index];
  }
};

template <class S, int O, class I>
struct Traversal<Eigen::SparseVector<S, O, I>> {
  using X = Eigen::SparseVector<S, O, I>;
  using Parts = detail::TypeList<S>;
  static constexpr bool resizes = true;
  static void walk(X &x, auto &&part) {
    for (typename X::InnerIterator entry(x); entry; ++entry)
      part(entry.valueRef(), detail::Label::index(static_cast<std::size_t>(entry.index())));
  }
  static void require_same_shape(const X &value, const X &shadow) { detail::require_same_pattern(value, shadow); }
  static void require_seed(const X &result, const X &seed) { detail::require_pattern_of_seed(result, seed); }
  static void memory(X &x, auto &&owned) {
    owned(static_cast<const void *>(x.valuePtr()), static_cast<std::size_t>(x.nonZeros()) * sizeof(S));
  }
};

template <class S, int N, int MaxN>
struct Traversal<Eigen::DiagonalMatrix<S, N, MaxN>> {
  using X = Eigen::DiagonalMatrix<S, N, MaxN>;
  using Parts = detail::TypeList<S>;
  static constexpr bool resizes = MaxN == Eigen::Dynamic;
  static void walk(X &x, auto &&part) {
    for (Eigen::Index i = 0; i < x.diagonal().size(); ++i)
      part(x.diagonal().coeffRef(i), detail::eigen_label(i, i, false));
  }
  static void require_same_shape(const X &value, const X &shadow) { detail::require_same_size(value, shadow); }
  static void require_seed(const X &result, const X &seed) { detail::require_seed_shape(result, seed); }
  static void memory(X &x, auto &&owned) {
    owned(static_cast<const void *>(x.diagonal().data()), static_cast<std::size_t>(x.diagonal().size()) * sizeof(S));
  }
};

template <class S, int O>
struct Traversal<Eigen::Quaternion<S, O>> {
  using X = Eigen::Quaternion<S, O>;
  using Parts = detail::TypeList<S>;
  static constexpr bool resizes = false;
  static void walk(X &x, auto &&part) {
    part(x.x(), detail::Label::suffix(".x()"));
    part(x.y(), detail::Label::suffix(".y()"));
    part(x.z(), detail::Label::suffix(".z()"));
    part(x.w(), detail::Label::suffix(".w()"));
  }
};

template <class View>
struct TriangleTraversal {
  using Parts = detail::TypeList<typename detail::TriangleOf<View>::Plain::Scalar>;
  using Owner = OwnedTriangle<View>;
  static void walk(View &x, auto &&part) {
    detail::walk_triangle<detail::TriangleOf<View>::mode>(x.nestedExpression(), part);
  }
  static Owner own(const View &x) { return {x.nestedExpression()}; }
};
template <class Matrix, unsigned UpLo>
struct Traversal<Eigen::SelfAdjointView<Matrix, UpLo>> : TriangleTraversal<Eigen::SelfAdjointView<Matrix, UpLo>> {};
template <class Matrix, unsigned Mode>
struct Traversal<Eigen::TriangularView<Matrix, Mode>> : TriangleTraversal<Eigen::TriangularView<Matrix, Mode>> {};

template <class View>
struct Traversal<OwnedTriangle<View>> {
  using Parts = detail::TypeList<typename detail::TriangleOf<View>::Plain::Scalar>;
  static void walk(OwnedTriangle<View> &x, auto &&part) {
    detail::walk_triangle<detail::TriangleOf<View>::mode>(x.matrix, part);
  }
};

/// A permutation has no numbers.
template <int N, int MaxN, class I>
inline constexpr bool is_inert<Eigen::PermutationMatrix<N, MaxN, I>> = true;

} // namespace assay
