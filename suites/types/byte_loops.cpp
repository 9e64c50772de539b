// Loops that move numbers byte by byte, as programs write them that have no memcpy, and copies of as many
// structures as there are.
#include "support/vector_program.hpp"
#include <cstdlib>

namespace {

void copy_bytes(void *to, const void *from, std::size_t bytes) {
  auto *target = static_cast<unsigned char *>(to);
  const auto *source = static_cast<const unsigned char *>(from);
  for (std::size_t i = 0; i < bytes; ++i)
    target[i] = source[i];
}

double sum_of_moved_bytes(const double *x, int n) {
  double own[8] = {};
  copy_bytes(own, x, std::size_t(n) * sizeof(double));
  double last = 0;
  copy_bytes(&last, &x[n - 1], sizeof last);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += own[i] * own[i] * last;
  return sum;
}

[[gnu::noinline]] double with_reversed_bytes(double x) {
  double y;
  const auto *from = reinterpret_cast<const unsigned char *>(&x);
  auto *to = reinterpret_cast<unsigned char *>(&y);
  for (std::size_t i = 0; i < sizeof(double); ++i)
    to[i] = from[sizeof(double) - 1 - i];
  return y;
}

double sum_of_swapped_twice(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double number = with_reversed_bytes(with_reversed_bytes(x[i]));
    sum += number * number;
  }
  return sum;
}

struct Record {
  int key;
  float scale;
  double weight;
  const double *value;
};

double sum_of_copied_records(const double *x, int n) {
  const std::size_t count = std::size_t(n);
  auto *records = static_cast<Record *>(std::malloc(count * sizeof(Record)));
  auto *copies = static_cast<Record *>(std::malloc(count * sizeof(Record)));
  for (int i = 0; i < n; ++i)
    records[i] = {i, 0.5F * float(i), x[i] * x[i], &x[i]};
  std::memcpy(copies, records, count * sizeof(Record));
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += copies[i].key * copies[i].scale * copies[i].weight * *copies[i].value;
  std::free(records);
  std::free(copies);
  return sum;
}

} // namespace

PLUGIN_TEST(ByteLoops, Numbers) {
  CHECK_FUNCTION(sum_of_moved_bytes, 1.5, -0.5, 2.0, 0.25, 3.0);
}
PLUGIN_TEST(ByteLoops, OrderOfBytes) {
  CHECK_FUNCTION(sum_of_swapped_twice, 1.5, -0.5, 2.0, 0.25, 3.0);
}
PLUGIN_TEST(ByteLoops, RecordsOfAnyNumber) {
  CHECK_FUNCTION(sum_of_copied_records, 1.5, -0.5, 2.0, 0.25, 3.0);
}
