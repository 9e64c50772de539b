// Containers of std::pmr: a resource of this file is code like any other; one of the C++ library without derivative is
// refused by name.
#include "support/plugin_test.hpp"
#include "support/stop_test.hpp"

#include <memory_resource>
#include <vector>

extern int enzyme_out;
template <class Result>
Result __enzyme_autodiff(void *, ...);

namespace {

/// Hands out one piece of memory after the other.
class Arena : public std::pmr::memory_resource {
public:
  Arena(void *begin, std::size_t bytes) : next(static_cast<char *>(begin)), end(next + bytes) {}

private:
  void *do_allocate(std::size_t bytes, std::size_t alignment) override {
    bytes = (bytes + alignment - 1) / alignment * alignment;
    if (next + bytes > end)
      throw std::bad_alloc();
    next += bytes;
    return next - bytes;
  }
  void do_deallocate(void *, std::size_t, std::size_t) override {}
  bool do_is_equal(const std::pmr::memory_resource &other) const noexcept override { return this == &other; }

  char *next, *end;
};

double squares_from(std::pmr::memory_resource &resource, double x) {
  std::pmr::vector<double> numbers(&resource);
  for (int i = 1; i <= 5; ++i)
    numbers.push_back(x * i);
  double sum = 0;
  for (const double each : numbers)
    sum += each * each;
  return sum;
}
double squares_in_arena(double x) {
  alignas(double) char memory[1024];
  Arena arena(memory, sizeof memory);
  return squares_from(arena, x);
}
/// Constructed before any derivative runs.
std::pmr::monotonic_buffer_resource common_buffer;
double squares_in_common_buffer(double x) {
  return squares_from(common_buffer, x);
}

PLUGIN_TEST(MemoryResources, OfThisFileAreDifferentiated) {
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)squares_in_arena, enzyme_out, 3.0), 330.0);
}

// Would catch: a message that leaves it to its reader to find out which function is meant.
PLUGIN_TEST(MemoryResources, OfTheLibraryStopTheProgramByName) {
  const auto differentiate = [] { (void)__enzyme_autodiff<double>((void *)squares_in_common_buffer, enzyme_out, 3.0); };
  EXPECT_STOP(differentiate, "memory resources of std::pmr are such functions");
}

} // namespace
