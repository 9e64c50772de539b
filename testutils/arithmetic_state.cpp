#include "testutils/arithmetic_state.hpp"

#include <cstdint>
#include <fmt/format.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace assay::testutils {

namespace {

const char *name_of_rounding(int mode) {
  switch (mode) {
  case FE_TONEAREST:
    return "to nearest";
#ifdef FE_UPWARD
  case FE_UPWARD:
    return "upward";
#endif
#ifdef FE_DOWNWARD
  case FE_DOWNWARD:
    return "downward";
#endif
#ifdef FE_TOWARDZERO
  case FE_TOWARDZERO:
    return "toward zero";
#endif
  default:
    return "unknown";
  }
}

const char *on_or_off(bool on) {
  return on ? "on" : "off";
}

/// MXCSR without its flags.
unsigned sse_control() {
#if defined(__x86_64__)
  return _mm_getcsr() & ~0x3FU;
#else
  return 0;
#endif
}

/// The x87 control word.
unsigned extended_control() {
#if defined(__x86_64__)
  std::uint16_t word = 0;
  asm volatile("fnstcw %0" : "=m"(word));
  return word;
#else
  return 0;
#endif
}

int trapped_exceptions() {
#if defined(__GLIBC__)
  return ::fegetexcept();
#else
  return 0;
#endif
}

} // namespace

std::string change_of(std::string_view what, std::string_view now, std::string_view before) {
  return fmt::format("{} is {} after the call, it was {} before", what, now, before);
}

ArithmeticState::ArithmeticState()
    : rounding_(std::fegetround()), trapped_(trapped_exceptions()), sse_(sse_control()), extended_(extended_control()) {
}

std::vector<std::string> ArithmeticState::changes_since(const ArithmeticState &before) const {
  constexpr unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x40, sse_rounding = 0x6000, x87_precision = 0x300;
  std::vector<std::string> changes;
  const auto compare_bit = [&](std::string_view what, unsigned now, unsigned then, unsigned bit) {
    if (((now ^ then) & bit) != 0)
      changes.push_back(change_of(what, on_or_off(now & bit), on_or_off(then & bit)));
  };
  if (rounding_ != before.rounding_)
    changes.push_back(change_of("the rounding mode", name_of_rounding(rounding_), name_of_rounding(before.rounding_)));
  else if (((sse_ ^ before.sse_) & sse_rounding) != 0)
    changes.emplace_back("the rounding mode of SSE is another one after the call than before");
  compare_bit("flush-to-zero", sse_, before.sse_, flush_to_zero);
  compare_bit("denormals-are-zero", sse_, before.sse_, denormals_are_zero);
  if (trapped_ != before.trapped_)
    for (const auto &[bit, name] : floating_point_exceptions)
      compare_bit(fmt::format("the trap for the floating-point exception {}", name), static_cast<unsigned>(trapped_),
                  static_cast<unsigned>(before.trapped_), static_cast<unsigned>(bit));
  if (((extended_ ^ before.extended_) & x87_precision) != 0)
    changes.emplace_back("the precision of the x87 unit is another one after the call than before");
  return changes;
}

} // namespace assay::testutils
