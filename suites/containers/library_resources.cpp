// Containers and objects in the memory resources of the C++ library: buffers that only grow, and pools.
#include "support/vector_program.hpp"
#include <list>
#include <memory>
#include <memory_resource>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

namespace pmr = std::pmr;

/// Copies, moves and comparisons of allocators, too.
__attribute__((noinline)) double products_in(pmr::memory_resource *resource, const double *x, int n) {
  pmr::vector<double> numbers(x, x + n, resource), cosines(resource);
  cosines = numbers;
  for (double &each : cosines)
    each = std::cos(each);
  const pmr::vector<double> moved(std::move(cosines), resource);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += moved[i] * numbers[n - 1 - i];
  return sum;
}

double in_each_resource(const double *x, int n) {
  alignas(16) char memory[64];
  pmr::monotonic_buffer_resource buffer(memory, sizeof memory, pmr::new_delete_resource());
  pmr::unsynchronized_pool_resource pool;
  return products_in(&buffer, x, n) + 2 * products_in(&pool, x, n) + 3 * products_in(pmr::get_default_resource(), x, n);
}

double in_a_buffer_alone(const double *x, int n) {
  alignas(16) std::byte memory[512];
  pmr::monotonic_buffer_resource buffer(memory, sizeof memory, pmr::null_memory_resource());
  pmr::list<double> list(&buffer);
  for (int i = 0; i < n; ++i)
    list.push_front(x[i] * x[i]);
  double sum = 0, weight = 1;
  for (const double each : list)
    sum += each * each * weight++;
  return sum;
}

/// Memory that is never given back by itself, and is used again after all of it was.
double in_scratch(const double *x, int n) {
  pmr::monotonic_buffer_resource scratch(256);
  double sum = 0;
  for (int round = 1; round <= 3; ++round) {
    auto *scaled = static_cast<double *>(scratch.allocate(n * sizeof(double), alignof(double)));
    for (int i = 0; i < n; ++i)
      scaled[i] = x[i] * round;
    for (int i = 1; i < n; ++i)
      sum += scaled[i] * scaled[i - 1] * scaled[i];
    if (round == 2)
      scratch.release();
  }
  return sum;
}

struct Node {
  double value;
  Node *left, *right;
};
Node *balanced(pmr::polymorphic_allocator<> allocator, const double *x, int first, int last) {
  if (first >= last)
    return nullptr;
  const int middle = (first + last) / 2;
  Node *node = allocator.new_object<Node>();
  *node = {x[middle] * x[middle], balanced(allocator, x, first, middle), balanced(allocator, x, middle + 1, last)};
  return node;
}
double value_of(const Node *node, double scale) {
  return node ? node->value * scale + value_of(node->left, 2 * scale) * value_of(node->right, 3 * scale) : 1;
}
/// A tree whose nodes nobody destroys.
double in_a_tree(const double *x, int n) {
  pmr::monotonic_buffer_resource memory;
  return value_of(balanced(&memory, x, 0, n), 1);
}

double in_pools_of_a_buffer(const double *x, int n) {
  pmr::monotonic_buffer_resource buffer(4096);
  pmr::unsynchronized_pool_resource pool(&buffer);
  pmr::unordered_map<std::string, double> sums(&pool);
  for (int i = 0; i < n; ++i)
    sums[std::to_string(i % 2)] += std::sin(x[i]);
  return sums["0"] * sums["0"] + 3 * sums["1"];
}

double in_owned_resources(const double *x, int n) {
  const auto pool = std::make_unique<pmr::unsynchronized_pool_resource>();
  const std::unique_ptr<pmr::memory_resource> buffer = std::make_unique<pmr::monotonic_buffer_resource>(64);
  return products_in(pool.get(), x, n) * products_in(buffer.get(), x, n);
}

struct Limited : pmr::memory_resource {
  std::size_t left = 2000;
  void *do_allocate(std::size_t bytes, std::size_t) override {
    if (bytes > left)
      throw std::bad_alloc();
    left -= bytes;
    return ::operator new(bytes);
  }
  void do_deallocate(void *memory, std::size_t, std::size_t) override { ::operator delete(memory); }
  bool do_is_equal(const pmr::memory_resource &other) const noexcept override { return this == &other; }
};
double in_what_runs_out(const double *x, int n) {
  Limited limited;
  double sum = 0;
  try {
    pmr::monotonic_buffer_resource buffer(256, &limited);
    pmr::vector<double> values(&buffer);
    for (int i = 0; i < 1000; ++i) {
      values.push_back(x[i % n] / (i + 1));
      sum += values.back() * values[i / 2];
    }
  } catch (const std::bad_alloc &) {
    sum *= x[1];
  }
  return sum;
}

} // namespace

PLUGIN_TEST(LibraryResources, OneFunctionTakesEach) {
  CHECK_FUNCTION(in_each_resource, 0.7, 1.5, 2.25);
}
PLUGIN_TEST(LibraryResources, ABufferWithoutMore) {
  CHECK_FUNCTION(in_a_buffer_alone, 0.7, 1.5, 2.25);
}
PLUGIN_TEST(LibraryResources, MemoryIsReleasedAtOnce) {
  CHECK_FUNCTION(in_scratch, 0.7, 1.5, 2.25);
}
PLUGIN_TEST(LibraryResources, ObjectsAreNeverDestroyed) {
  CHECK_FUNCTION(in_a_tree, 0.7, 1.5, 2.25);
}
PLUGIN_TEST(LibraryResources, APoolTakesFromABuffer) {
  CHECK_FUNCTION(in_pools_of_a_buffer, 0.7, 1.5, 2.25);
}
PLUGIN_TEST(LibraryResources, TheHeapHoldsResources) {
  CHECK_FUNCTION(in_owned_resources, 0.7, 1.5, 2.25);
}
PLUGIN_TEST(LibraryResources, WhatTheyTakeFromMayThrow) {
  CHECK_FUNCTION(in_what_runs_out, 0.7, 1.5, 2.25);
}
