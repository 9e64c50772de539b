// Kinds of vectors and matrices that real functions ask for, by name.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::gen {

/// Of a matrix: the last two extents, or a square number of elements. Of a vector: each row.
enum class Structure : std::uint8_t {
  none,
  positive_definite, ///< Symmetric, eigenvalues from 1/10 to 1.
  symmetric,
  orthogonal, ///< Orthonormal columns, or rows where there are fewer of these.
  lower,      ///< Zero above the diagonal, which keeps away from 0.
  upper,
  simplex,     ///< Positive, with the sum 1.
  stochastic,  ///< A matrix each of whose rows is a simplex.
  sorted,      ///< Ascending.
  unit_vector, ///< Of length 1.
};

inline constexpr std::array<std::pair<Structure, std::string_view>, 9> structure_names{{
    {Structure::positive_definite, "spd"},
    {Structure::symmetric, "symmetric"},
    {Structure::orthogonal, "orthogonal"},
    {Structure::lower, "lower"},
    {Structure::upper, "upper"},
    {Structure::simplex, "simplex"},
    {Structure::stochastic, "stochastic"},
    {Structure::sorted, "sorted"},
    {Structure::unit_vector, "unit_vector"},
}};

constexpr std::string_view name_of(Structure structure) {
  for (const auto &[value, name] : structure_names)
    if (value == structure)
      return name;
  return "";
}

constexpr std::optional<Structure> structure_named(std::string_view name) {
  for (const auto &[value, known] : structure_names)
    if (known == name)
      return value;
  return std::nullopt;
}

/// Whether the elements come from a range of their own; those of the others follow from the structure.
constexpr bool has_free_elements(Structure structure) {
  return structure == Structure::none || structure == Structure::symmetric || structure == Structure::lower ||
         structure == Structure::upper || structure == Structure::sorted;
}

constexpr bool needs_square(Structure structure) {
  return structure == Structure::positive_definite || structure == Structure::symmetric ||
         structure == Structure::lower || structure == Structure::upper;
}

/// The rows of the matrices that an array of these extents holds, one after another; 0 where it is none of squares.
constexpr std::size_t square_rows(const std::vector<std::size_t> &extents) {
  if (extents.size() >= 2)
    return extents.back() == extents[extents.size() - 2] ? extents.back() : 0;
  std::size_t rows = 0;
  while (!extents.empty() && rows * rows < extents.front())
    ++rows;
  return !extents.empty() && rows * rows == extents.front() ? rows : 0;
}

/// Whether an array of these extents can have the structure; one without elements can.
constexpr bool fits(Structure structure, const std::vector<std::size_t> &extents) {
  if (!needs_square(structure) && !(structure == Structure::orthogonal && extents.size() < 2))
    return true;
  for (const std::size_t extent : extents)
    if (extent == 0)
      return true;
  return square_rows(extents) != 0;
}

} // namespace assay::gen
