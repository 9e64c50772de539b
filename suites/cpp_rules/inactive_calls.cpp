// Functions that carry no derivative, and hand on where their parameters lie to functions of other files: so does a
// launch of a kernel.
#include <assay/autodiff.hpp>
#include <assay/rules.hpp>
#include <gtest/gtest.h>

// Of another file.
extern "C" int get_memory(void **memory, std::size_t bytes);
extern "C" int copy_memory(void *to, const void *from, std::size_t bytes);
extern "C" int launch(void **places);

using namespace assay;

namespace {

__attribute__((noinline)) void mark(const double *x, int *count) {
  void *places[2] = {&x, &count};
  launch(places);
}
ASSAY_RULE(rules::inactive, mark);

__attribute__((noinline)) int get(void **memory, std::size_t bytes) {
  return get_memory(memory, bytes);
}
struct GetRule {
  static auto augmented_primal(const auto &config, auto memory, auto bytes) {
    for (const int lane : config.lanes())
      if (memory.is_active())
        get(memory.shadow(lane), bytes.value);
    return AugmentedReturn{get(memory.value, bytes.value), None{}, None{}};
  }
  static void reverse(const auto &, const auto &, None, auto, auto) {}
};
ASSAY_RULE(GetRule, get);

__attribute__((noinline)) int copy(double *to, const double *from, std::size_t count) {
  return copy_memory(to, from, count * sizeof(double));
}
struct CopyRule {
  static auto augmented_primal(const auto &, auto to, auto from, auto count) {
    return AugmentedReturn{copy(to.value, from.value, count.value), None{}, None{}};
  }
  static void reverse(const auto &config, const auto &, None, auto to, auto from, auto count) {
    for (const int lane : config.lanes())
      for (std::size_t index = 0; to.is_active() && index < count.value; ++index) {
        if (from.is_active())
          const_cast<double *>(from.shadow(lane))[index] += to.shadow(lane)[index];
        to.shadow(lane)[index] = 0;
      }
  }
};
ASSAY_RULE(CopyRule, copy);

struct Buffers {
  explicit Buffers(int count) : count(count) {
    get(reinterpret_cast<void **>(&numbers), count * sizeof(double));
    get(reinterpret_cast<void **>(&marks), sizeof(int));
  }
  void find() { mark(numbers, marks); }
  int count;
  double *numbers;
  int *marks;
};

double product(const double *in) {
  Buffers buffers(2);
  copy(buffers.numbers, in, 2);
  buffers.find();
  double out[2];
  copy(out, buffers.numbers, 2);
  return out[0] * out[1];
}

} // namespace

TEST(InactiveCalls, KeepMemoryApartThatTheyHandOn) {
  const double x[2] = {3, 5};
  double dx[2] = {};
  autodiff<Reverse>(product, Duplicated{&x[0], &dx[0]});
  EXPECT_EQ(dx[0], 5);
  EXPECT_EQ(dx[1], 3);
}
