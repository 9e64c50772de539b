// The coefficients of a finite difference method, solved exactly.
//
// The conditions  sum_i c_i g_i^k = q! [k = q]  are a Vandermonde system. Floating-point numbers are rationals, so for
// any grid the system is solved by Gaussian elimination without any round-off, and the solution is rounded once, at the
// end. That takes long beside a finite difference, and the same few grids come back all the time, so solutions are
// kept. This header needs Boost.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace assay::fdm::detail {

using Rational = boost::multiprecision::cpp_rational;
using Row = std::vector<Rational>; // One equation; its right-hand side comes last.

inline std::vector<Row> conditions(std::span<const double> grid, int derivative) {
  const std::size_t size = grid.size();
  std::vector<Row> rows(size, Row(size + 1));
  Row powers(size, Rational(1));
  Rational factorial = 1;
  for (std::size_t k = 0; k < size; ++k) {
    std::copy(powers.begin(), powers.end(), rows[k].begin());
    if (k > 0)
      factorial *= static_cast<int>(k);
    rows[k][size] = static_cast<int>(k) == derivative ? factorial : Rational(0);
    for (std::size_t i = 0; i < size; ++i)
      powers[i] *= Rational(grid[i]);
  }
  return rows;
}

/// Subtracts the pivot's row from all others so that only it has an entry in the pivot's column.
inline void eliminate(std::vector<Row> &rows, std::size_t pivot) {
  const auto nonzero = std::find_if(rows.begin() + static_cast<std::ptrdiff_t>(pivot), rows.end(),
                                    [&](const Row &row) { return row[pivot] != 0; });
  std::swap(rows[pivot], *nonzero); // Distinct points make the matrix regular, so there is one.
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (r == pivot || rows[r][pivot] == 0)
      continue;
    const Rational ratio = rows[r][pivot] / rows[pivot][pivot];
    for (std::size_t column = pivot; column < rows[r].size(); ++column)
      rows[r][column] -= ratio * rows[pivot][column];
  }
}

template <class T>
T nearest(const Rational &exact) {
  using Longer = boost::multiprecision::cpp_bin_float_100;
  const Longer quotient = Longer(numerator(exact)) / Longer(denominator(exact));
  return quotient.convert_to<T>();
}

/// The exact solution, rounded to T.
template <class T>
std::vector<T> solved_coefficients(std::span<const double> grid, int derivative) {
  auto rows = conditions(grid, derivative);
  for (std::size_t pivot = 0; pivot < rows.size(); ++pivot)
    eliminate(rows, pivot);
  std::vector<T> coefficients;
  coefficients.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    coefficients.push_back(nearest<T>(rows[i].back() / rows[i][i]));
  return coefficients;
}

/// Solutions by grid and derivative. Grids that are made up while a program runs must not pile up: once there are many,
/// it starts again.
template <class T>
class CoefficientCache {
public:
  std::vector<T> at(std::span<const double> grid, int derivative) {
    const Key key{{grid.begin(), grid.end()}, derivative};
    const std::scoped_lock lock(mutex);
    if (const auto found = known.find(key); found != known.end())
      return found->second;
    if (known.size() == most)
      known.clear();
    return known.try_emplace(key, solved_coefficients<T>(grid, derivative)).first->second;
  }

  std::size_t size() const { return known.size(); }
  static constexpr std::size_t most = 512;

private:
  using Key = std::pair<std::vector<double>, int>;
  std::mutex mutex;
  std::map<Key, std::vector<T>> known;
};

/// The exact solution, rounded to T; solved at the first call for this grid and derivative.
template <class T>
std::vector<T> solve_for_coefficients(std::span<const double> grid, int derivative) {
  static CoefficientCache<T> cache;
  return cache.at(grid, derivative);
}

} // namespace assay::fdm::detail
