// Functions of containers whose gradient check has to end soon.

#include <assay/check.h>
#include <cmath>
#include <map>
#include <string>
#include <vector>

/// A polynomial in named variables.
double named_terms(const double *x, int n) {
  std::map<std::string, std::vector<double>> terms;
  for (int i = 0; i < n; ++i)
    terms["v" + std::to_string(i % 17)].push_back(std::sin(x[i]));
  double sum = 0;
  for (const auto &[name, values] : terms) {
    double product = 1;
    for (const double value : values)
      product *= 1 + 0.1 * value;
    sum += product * static_cast<double>(name.size());
  }
  return sum;
}
ASSAY_CHECK(named_terms, "double[200]", "int=200");

/// Rows that grow.
double growing_rows(const double *x, double *out, int n) {
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < n; ++i) {
    rows.emplace_back();
    for (int j = 0; j <= i; ++j)
      rows.back().push_back(x[j] * x[i - j]);
  }
  double total = 0;
  for (int i = 0; i < n; ++i) {
    out[i] = 0;
    for (const double value : rows[i])
      out[i] += value;
    total += out[i] * out[i];
  }
  return total;
}
ASSAY_CHECK(growing_rows, "double[100]", "double[100]", "int=100");
