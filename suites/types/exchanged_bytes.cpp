// Records exchanged and copied byte by byte, as generic sorts do: their numbers lost derivatives without a word where
// the records were too large for the loop to be unrolled.
#include "support/vector_program.hpp"
#include <cstdlib>

namespace {

void exchange(void *one, void *other, std::size_t bytes) {
  auto *first = static_cast<char *>(one), *second = static_cast<char *>(other);
  for (std::size_t i = 0; i < bytes; ++i) {
    const char kept = first[i];
    first[i] = second[i];
    second[i] = kept;
  }
}

void copy(void *to, const void *from, std::size_t bytes) {
  auto *target = static_cast<unsigned char *>(to);
  const auto *source = static_cast<const unsigned char *>(from);
  while (bytes-- != 0)
    *target++ = *source++;
}

struct Mixed {
  short key;
  double weight;
  float scale;
  double values[2];
  const double *origin;
};

double mixed_records(const double *x, int) {
  Mixed a{1, x[0], 0.5F, {x[1], x[2] * x[0]}, x}, b, c{2, x[2], 0.25F, {x[0] * x[1], 3}, nullptr};
  copy(&b, &a, sizeof a);
  exchange(&b, &c, sizeof b);
  return b.weight * b.values[0] + c.weight * c.values[1] * double(c.scale) + b.values[1] * c.values[0] +
         c.origin[1] * b.key;
}

struct Wide {
  double values[12];
  int rank;
};

/// Reversed in place; the middle one is exchanged with itself.
double reversed_array(const double *x, int n) {
  auto *records = static_cast<Wide *>(std::calloc(std::size_t(n), sizeof(Wide)));
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 12; ++k)
      records[i].values[k] = x[i] * x[k % n];
  for (int i = 0; i < n; ++i)
    records[i].rank = i;
  for (int i = 0; i <= n / 2; ++i)
    exchange(&records[i], &records[n - 1 - i], sizeof(Wide));
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += records[i].values[i] * records[i].values[i + 4] * (records[i].rank + 1) * (i + 2);
  std::free(records);
  return sum;
}

/// So small that the optimiser unrolls the exchange.
double reversed_numbers(const double *x, int n) {
  double numbers[6];
  for (int i = 0; i < n; ++i)
    numbers[i] = x[i] + i;
  for (int i = 0; i < n / 2; ++i)
    exchange(&numbers[i], &numbers[n - 1 - i], sizeof(double));
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += numbers[i] * numbers[i] * i;
  return sum;
}

[[gnu::noinline]] void exchange_rows(double *rows, std::size_t one, std::size_t other, std::size_t width) {
  exchange(&rows[one * width], &rows[other * width], width * sizeof(double));
}

double rows_of_any_width(const double *x, int n) {
  double rows[12];
  for (int i = 0; i < 12; ++i)
    rows[i] = x[i % n] * (i + 1);
  exchange_rows(rows, 0, 12 / std::size_t(n) - 1, std::size_t(n));
  double sum = 0;
  for (int i = 0; i < 12; ++i)
    sum += rows[i] * rows[i] * rows[(i + 5) % 12] * (i + 1);
  return sum;
}

} // namespace

PLUGIN_TEST(ExchangedBytes, of_records_with_everything_in_them) {
  CHECK_FUNCTION(mixed_records, 0.3, 0.7, -0.4);
}
PLUGIN_TEST(ExchangedBytes, of_large_records_on_the_heap) {
  CHECK_FUNCTION(reversed_array, 0.3, 0.7, -0.4, 1.1, 0.9);
}
PLUGIN_TEST(ExchangedBytes, of_single_numbers) {
  CHECK_FUNCTION(reversed_numbers, 0.3, 0.7, -0.4, 1.1, 0.9);
}
PLUGIN_TEST(ExchangedBytes, of_any_number) {
  CHECK_FUNCTION(rows_of_any_width, 0.3, 0.7, -0.4, 1.1);
}
