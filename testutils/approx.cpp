#include <assay/testing/approx.hpp>

#include "testutils/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace assay {

namespace {

// An estimate of an error is an estimate too.
constexpr long double margin_of_errors = 3;

struct Precision {
  long double epsilon;
  int least_exponent;
  long double tolerance;
};

template <class T>
Precision precision(long double tolerance) {
  return {std::numeric_limits<T>::epsilon(), std::numeric_limits<T>::min_exponent, tolerance};
}

Precision precision_of(testutils::ElementType element) {
  using enum testutils::ElementType;
  switch (element) {
  case single_precision:
    return precision<float>(testutils::absolute_tolerance({}, element));
  case half_precision:
  case brain_float:
    return {testutils::epsilon_of(element), std::ilogb(testutils::least_normal_number(element)) + 1,
            testutils::absolute_tolerance({}, element)};
  case double_precision:
    return precision<double>(testutils::absolute_tolerance({}, element));
  case long_double:
    return precision<long double>(1e-12L);
  case integer:
    break;
  }
  return {0, 0, 0};
}

long double ulps_between(const Precision &precision, long double one, long double other) {
  if (one == other)
    return 0;
  if (!std::isfinite(one) || !std::isfinite(other) || precision.epsilon == 0)
    return std::numeric_limits<long double>::infinity();
  int exponent = 0;
  std::frexp(std::max(std::fabs(one), std::fabs(other)), &exponent);
  return std::fabs(one - other) / std::ldexp(precision.epsilon, std::max(exponent, precision.least_exponent) - 1);
}

Difference measured(const detail::NumberPair &pair, const ApproxOptions &options) {
  const Precision precision = precision_of(pair.element);
  const bool exact = pair.element == testutils::ElementType::integer;
  const long double size = std::max(std::fabs(pair.actual), std::fabs(pair.expected));
  Difference row{{}, pair.actual, pair.expected};
  row.absolute_error = std::fabs(pair.actual - pair.expected);
  row.relative_error = row.absolute_error == 0 ? 0 : row.absolute_error / size;
  row.ulp_error = ulps_between(precision, pair.actual, pair.expected);
  if (!exact)
    row.tolerance = static_cast<long double>(options.atol.value_or(static_cast<double>(precision.tolerance))) +
                    static_cast<long double>(options.rtol.value_or(static_cast<double>(precision.tolerance))) * size +
                    margin_of_errors * pair.error;
  return row;
}

bool same(const Difference &row, const ApproxOptions &options) {
  if (std::isnan(row.actual) && std::isnan(row.expected))
    return options.nans == NaNs::equal;
  if (row.actual == row.expected)
    return true;
  // Beside an infinity or a NaN no tolerance means anything.
  if (!std::isfinite(row.actual) || !std::isfinite(row.expected))
    return false;
  return row.absolute_error <= row.tolerance || row.ulp_error <= static_cast<long double>(options.ulps);
}

} // namespace

std::vector<std::pair<std::size_t, Difference>> detail::compare_pairs(const std::vector<NumberPair> &pairs,
                                                                      const ApproxOptions &options) {
  std::vector<std::pair<std::size_t, Difference>> found;
  for (std::size_t position = 0; position < pairs.size(); ++position)
    if (const Difference row = measured(pairs[position], options); !same(row, options))
      found.emplace_back(position, row);
  return found;
}

std::string Differences::text() const {
  constexpr std::size_t most_rows = 12;
  if (!shape.empty())
    return "  " + shape + "\n";
  std::string table = fmt::format("  {} of {} differ\n", rows.size(), compared);
  std::size_t width = 4;
  for (const Difference &row : rows)
    width = std::max(width, row.path.size());
  for (std::size_t index = 0; index < std::min(rows.size(), most_rows); ++index) {
    const Difference &row = rows[index];
    table += fmt::format("  {:{}}  {:.12g}, expected {:.12g}: absolute {:.2e}, relative {:.2e}, {:.3g} ulp, "
                         "tolerance {:.2e}\n",
                         row.path, width, row.actual, row.expected, row.absolute_error, row.relative_error,
                         row.ulp_error, row.tolerance);
  }
  if (rows.size() > most_rows)
    table += fmt::format("  and {} more\n", rows.size() - most_rows);
  return table;
}

} // namespace assay
