#pragma once
// The matrices that jacobian() and hessian() return.

#include <cstddef>
#include <vector>

namespace assay {

/// A dense matrix, row by row.
template <class Number>
class Matrix {
public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t cols) : row_count(rows), column_count(cols), numbers(rows * cols) {}

  std::size_t rows() const { return row_count; }
  std::size_t cols() const { return column_count; }
  Number &operator()(std::size_t row, std::size_t column) { return numbers[row * column_count + column]; }
  const Number &operator()(std::size_t row, std::size_t column) const { return numbers[row * column_count + column]; }
  /// Element (i, j) stands at i * cols() + j.
  Number *data() { return numbers.data(); }
  const Number *data() const { return numbers.data(); }
  friend bool operator==(const Matrix &, const Matrix &) = default;

private:
  std::size_t row_count = 0, column_count = 0;
  std::vector<Number> numbers;
};

} // namespace assay
