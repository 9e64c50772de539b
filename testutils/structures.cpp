#include "testutils/structures.hpp"

#include <assay/generators/draw.hpp>
#include <assay/generators/matrices.hpp>
#include <assay/generators/vectors.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace assay::testutils {

namespace {

using gen::Structure;

std::size_t product(const std::vector<std::size_t> &extents) {
  return std::accumulate(extents.begin(), extents.end(), std::size_t{1}, std::multiplies<>());
}

struct Shape {
  std::size_t rows = 1, columns = 0;
};

/// Of the matrices, or of the rows, that the array holds one after another.
Shape piece_of(Structure structure, const std::vector<std::size_t> &extents) {
  const bool is_matrix = needs_square(structure) || structure == Structure::orthogonal;
  if (!is_matrix)
    return {1, extents.back()};
  if (extents.size() >= 2)
    return {extents[extents.size() - 2], extents.back()};
  return {gen::square_rows(extents), gen::square_rows(extents)};
}

/// The first columns, or rows, of a square one.
Values orthogonal(const Shape &shape, gen::Stream &stream) {
  const std::size_t n = std::max(shape.rows, shape.columns);
  const gen::Matrix<double> square = gen::draw(gen::orthogonal(n), stream).value();
  Values values;
  for (std::size_t row = 0; row < shape.rows; ++row)
    for (std::size_t column = 0; column < shape.columns; ++column)
      values.push_back(square(row, column));
  return values;
}

double away_from_zero(double value) {
  constexpr double least = 0.5;
  return std::abs(value) >= least ? value : std::copysign(least + std::abs(value), value);
}

/// Free elements where `Structure` leaves them.
Values free_matrix(const Domain &domain, std::size_t n, FunctionRef<double()> element) {
  Values values(n * n);
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t column = 0; column <= row; ++column) {
      const double drawn = element();
      const bool is_pivot = row == column && domain.structure != Structure::symmetric && std::isinf(domain.low) &&
                            std::isinf(domain.high);
      const double value = is_pivot ? domain.scale * away_from_zero(drawn / domain.scale) : drawn;
      if (domain.structure != Structure::upper)
        values[row * n + column] = value;
      if (domain.structure != Structure::lower)
        values[column * n + row] = value;
    }
  return values;
}

Values sorted(std::size_t count, FunctionRef<double()> element) {
  Values values(count);
  std::generate(values.begin(), values.end(), [&] { return element(); });
  std::sort(values.begin(), values.end());
  return values;
}

Values piece(const Domain &domain, const Shape &shape, FunctionRef<double()> element, gen::Stream &stream) {
  switch (domain.structure) {
  case Structure::positive_definite:
    return gen::draw(gen::positive_definite(shape.rows), stream).value().values;
  case Structure::orthogonal:
    return orthogonal(shape, stream);
  case Structure::symmetric:
  case Structure::lower:
  case Structure::upper:
    return free_matrix(domain, shape.rows, element);
  case Structure::simplex:
  case Structure::stochastic:
    return gen::draw(gen::simplex(shape.columns), stream).value();
  case Structure::unit_vector:
    return gen::draw(gen::unit_vector(shape.columns), stream).value();
  case Structure::sorted:
  case Structure::none:
    break;
  }
  return sorted(shape.columns, element);
}

Values identity(const Shape &shape, double scale) {
  Values values(shape.rows * shape.columns);
  for (std::size_t index = 0; index < std::min(shape.rows, shape.columns); ++index)
    values[index * shape.columns + index] = scale;
  return values;
}

} // namespace

Values structured(const Domain &domain, const std::vector<std::size_t> &extents, FunctionRef<double()> element,
                  gen::Stream &stream) {
  const std::size_t count = product(extents);
  const Shape shape = count == 0 ? Shape() : piece_of(domain.structure, extents);
  const bool is_scaled = !has_free_elements(domain.structure);
  Values values;
  while (values.size() < count)
    for (const double value : piece(domain, shape, element, stream))
      values.push_back(is_scaled ? domain.scale * value : value);
  return values;
}

Values special_structure(const Domain &domain, const std::vector<std::size_t> &extents, const Values &usual) {
  if (usual.empty())
    return usual;
  const Shape shape = piece_of(domain.structure, extents);
  Values values = usual;
  if (domain.structure == Structure::sorted) {
    for (std::size_t index = 1; index < values.size(); index += 2)
      if (index % shape.columns != 0)
        values[index] = values[index - 1];
    return values;
  }
  if (domain.structure == Structure::simplex || domain.structure == Structure::stochastic) {
    std::fill(values.begin(), values.end(), domain.scale / static_cast<double>(shape.columns));
    return values;
  }
  if (has_free_elements(domain.structure)) // Where the range may leave out 0 and 1.
    return usual;
  const Values one = identity(shape, domain.scale);
  for (std::size_t index = 0; index < values.size(); ++index)
    values[index] = one[index % one.size()];
  return values;
}

} // namespace assay::testutils
