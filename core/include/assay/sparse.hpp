#pragma once
// Sparse Jacobians and Hessians: columns that cannot meet in a row are computed in one run.
//
//   const SparsityPattern pattern = detect_pattern(f, x);
//   const SparseMatrix<double> J = sparse_jacobian<Forward>(f, x, pattern);
//   const SparseMatrix<double> H = sparse_hessian(f, x, pattern);      // a pattern of the Hessian
//
// Columns that share no row have one colour and are differentiated along the sum of their directions (Curtis, Powell
// and Reid, 1974). The colouring is greedy, in the order of the columns, on the graph whose edges join columns with a
// row in common: a distance-2 colouring of the bipartite graph of rows and columns.

#include "assay/hessian.hpp"

#include <algorithm>

namespace assay {

/// Which elements of a matrix can differ from zero: the columns of each row, in ascending order.
struct SparsityPattern {
  std::size_t rows = 0, cols = 0;
  std::vector<std::vector<std::size_t>> columns_of_row;
};

/// A matrix with the elements of a pattern.
template <class Number>
class SparseMatrix {
public:
  explicit SparseMatrix(SparsityPattern stored) : pattern_(std::move(stored)), values_(pattern_.rows) {
    for (std::size_t row = 0; row != pattern_.rows; ++row)
      values_[row].resize(pattern_.columns_of_row[row].size());
  }

  std::size_t rows() const { return pattern_.rows; }
  std::size_t cols() const { return pattern_.cols; }
  const SparsityPattern &pattern() const { return pattern_; }
  /// The values of a row, one for each of its columns in the pattern.
  std::vector<Number> &values(std::size_t row) { return values_[row]; }
  const std::vector<Number> &values(std::size_t row) const { return values_[row]; }
  Number operator()(std::size_t row, std::size_t column) const {
    const auto &columns = pattern_.columns_of_row[row];
    const auto found = std::lower_bound(columns.begin(), columns.end(), column);
    return found != columns.end() && *found == column ? values_[row][std::size_t(found - columns.begin())] : Number(0);
  }

private:
  SparsityPattern pattern_;
  std::vector<std::vector<Number>> values_;
};

/// A colour for each column of the pattern; columns of one colour have no row in common.
inline std::vector<std::size_t> colour_columns(const SparsityPattern &pattern) {
  std::vector<std::vector<std::size_t>> rows_of_column(pattern.cols);
  for (std::size_t row = 0; row != pattern.rows; ++row)
    for (const std::size_t column : pattern.columns_of_row[row])
      rows_of_column[column].push_back(row);
  constexpr auto none = static_cast<std::size_t>(-1);
  std::vector<std::size_t> colours(pattern.cols, none), taken_by(pattern.cols + 1, none);
  for (std::size_t column = 0; column != pattern.cols; ++column) {
    for (const std::size_t row : rows_of_column[column])
      for (const std::size_t neighbour : pattern.columns_of_row[row])
        if (colours[neighbour] != none)
          taken_by[colours[neighbour]] = column;
    std::size_t colour = 0;
    while (taken_by[colour] == column)
      ++colour;
    colours[column] = colour;
  }
  return colours;
}

namespace detail {

inline std::size_t count_colours(const std::vector<std::size_t> &colours) {
  std::size_t count = 0;
  for (const std::size_t colour : colours)
    count = std::max(count, colour + 1);
  return count;
}

/// Of a row of the pattern.
inline void require_ascending_columns(const SparsityPattern &pattern, std::size_t row) {
  const auto &columns = pattern.columns_of_row[row];
  for (std::size_t entry = 0; entry != columns.size(); ++entry) {
    if (columns[entry] >= pattern.cols)
      throw std::invalid_argument("assay: row " + std::to_string(row) + " of the pattern names column " +
                                  std::to_string(columns[entry]) + " of " + std::to_string(pattern.cols));
    if (entry > 0 && columns[entry - 1] >= columns[entry])
      throw std::invalid_argument("assay: the columns of row " + std::to_string(row) +
                                  " of the pattern are not in ascending order");
  }
}

inline void require_pattern(const SparsityPattern &pattern, std::size_t columns) {
  if (pattern.cols != columns)
    throw std::invalid_argument("assay: the pattern has " + std::to_string(pattern.cols) +
                                " columns, but the argument has " + std::to_string(columns) + " numbers");
  if (pattern.columns_of_row.size() != pattern.rows)
    throw std::invalid_argument("assay: the pattern has " + std::to_string(pattern.rows) +
                                " rows, but lists the columns of " + std::to_string(pattern.columns_of_row.size()));
  for (std::size_t row = 0; row != pattern.rows; ++row)
    require_ascending_columns(pattern, row);
}

/// Sets the directions of one colour, or clears them.
inline void set_colour(const NumberPlaces &places, const std::vector<std::size_t> &colours, std::size_t colour,
                       double value) {
  for (std::size_t column = 0; column != colours.size(); ++column)
    if (colours[column] == colour)
      places.set(column, value);
}

/// Puts the sums along one colour where they belong.
template <class Number, class Sums>
void take_colour(SparseMatrix<Number> &matrix, const std::vector<std::size_t> &colours, std::size_t colour,
                 const Sums &sums) {
  const auto numbers = numbers_of(sums);
  if (numbers.size() != matrix.rows())
    throw std::invalid_argument("assay: the pattern has " + std::to_string(matrix.rows()) +
                                " rows, but the result has " + std::to_string(numbers.size()) + " numbers");
  for (std::size_t row = 0; row != matrix.rows(); ++row) {
    const auto &columns = matrix.pattern().columns_of_row[row];
    for (std::size_t entry = 0; entry != columns.size(); ++entry)
      if (colours[columns[entry]] == colour)
        matrix.values(row)[entry] = static_cast<Number>(numbers[row]);
  }
}

template <class Number>
SparsityPattern pattern_of(const Matrix<Number> &matrix) {
  SparsityPattern pattern{matrix.rows(), matrix.cols(), {}};
  pattern.columns_of_row.resize(matrix.rows());
  for (std::size_t row = 0; row != matrix.rows(); ++row)
    for (std::size_t column = 0; column != matrix.cols(); ++column)
      if (matrix(row, column) != Number(0))
        pattern.columns_of_row[row].push_back(column);
  return pattern;
}

} // namespace detail

namespace detail {
/// The readable errors for a sparse Jacobian.
template <class F, class X>
consteval bool has_sparse_jacobian() {
  constexpr bool callable = std::invocable<F &, X &>;
  static_assert(callable, "assay: the function of sparse_jacobian is called with the one argument");
  if constexpr (callable) {
    constexpr bool returns_numbers = HasNumbers<std::remove_cvref_t<std::invoke_result_t<F &, X &>>>;
    static_assert(returns_numbers, "assay: the function of sparse_jacobian returns nothing that has a derivative");
    return returns_numbers && shows_its_numbers<X>();
  }
  return false;
}
} // namespace detail

/// The elements of the Jacobian at `x` that differ from zero there, from a dense Jacobian. An element that vanishes at
/// `x` by chance is missing: detect the pattern at a point in general position.
template <class F, class X>
[[gnu::always_inline]] inline SparsityPattern detect_pattern(F &&function, X &&x) {
  return detail::pattern_of(jacobian<Forward>(function, x));
}
/// The same of the Hessian.
template <class F, class X>
[[gnu::always_inline]] inline SparsityPattern detect_hessian_pattern(F &&function, X &&x) {
  return detail::pattern_of(hessian(function, x));
}

/// The Jacobian at `x`, by one forward run for each colour of the pattern's columns. Throws std::invalid_argument where
/// the pattern has another size.
template <auto M, class F, class X>
  requires(DifferentiationMode<decltype(M)>)
[[gnu::always_inline]] inline auto sparse_jacobian(F &&function, X &&x, const SparsityPattern &pattern) {
  using ModeType = std::remove_cv_t<decltype(M)>;
  constexpr bool has_mode = detail::is_forward<ModeType> && !detail::keeps_primal<ModeType>;
  static_assert(has_mode, "assay: sparse_jacobian is for the mode Forward: its columns are coloured");
  if constexpr (has_mode && detail::has_sparse_jacobian<F, X>()) {
    using R = std::remove_cvref_t<std::invoke_result_t<F &, X &>>;
    using T = std::remove_cvref_t<X>;
    detail::require_pattern(pattern, count_numbers(x));
    SparseMatrix<detail::JacobianNumber<R, T>> matrix(pattern);
    detail::OwnShadows<T, 1> tangent(x);
    const detail::NumberPlaces places(tangent.get(0));
    const auto colours = colour_columns(pattern);
    for (std::size_t colour = 0; colour != detail::count_colours(colours); ++colour) {
      detail::set_colour(places, colours, colour, 1);
      detail::take_colour(
          matrix, colours, colour,
          detail::differentiate_values<ModeType, detail::ReturnActivity::deduced>(function, tangent.annotate(x))
              .derivative);
      detail::set_colour(places, colours, colour, 0);
    }
    return matrix;
  }
}

/// Refuses arguments that are no pattern.
template <auto M, class F, class X, class Pattern>
  requires(!std::convertible_to<Pattern, const SparsityPattern &>)
inline auto sparse_jacobian(F && /*function*/, X && /*x*/, Pattern && /*pattern*/) {
  static_assert(std::convertible_to<Pattern, const SparsityPattern &>,
                "assay: the pattern of sparse_jacobian is a SparsityPattern: detect_pattern(f, x) finds it");
}

/// The Hessian at `x`, by one run of forward over reverse mode for each colour of the pattern's columns.
template <class F, class X>
[[gnu::always_inline]] inline auto sparse_hessian(F &&function, X &&x, const SparsityPattern &pattern) {
  if constexpr (detail::has_hessian<F, X>()) {
    using T = std::remove_cvref_t<X>;
    detail::require_pattern(pattern, count_numbers(x));
    SparseMatrix<detail::number_of<T>> matrix(pattern);
    detail::OwnShadows<T, 1> tangent(x), product(x);
    detail::OwnShadow<T> gradient(x);
    const detail::NumberPlaces places(tangent.get(0));
    const auto colours = colour_columns(pattern);
    for (std::size_t colour = 0; colour != detail::count_colours(colours); ++colour) {
      detail::set_colour(places, colours, colour, 1);
      set_zero(gradient.get());
      product.clear();
      detail::differentiate_gradient(function, tangent.annotate(x), product.annotate(gradient.get()));
      detail::take_colour(matrix, colours, colour, product.get(0));
      detail::set_colour(places, colours, colour, 0);
    }
    return matrix;
  }
}

/// Refuses arguments that are no pattern.
template <class F, class X, class Pattern>
  requires(!std::convertible_to<Pattern, const SparsityPattern &>)
inline auto sparse_hessian(F && /*function*/, X && /*x*/, Pattern && /*pattern*/) {
  static_assert(std::convertible_to<Pattern, const SparsityPattern &>,
                "assay: the pattern of sparse_hessian is a SparsityPattern: detect_hessian_pattern(f, x) finds it");
}

} // namespace assay
