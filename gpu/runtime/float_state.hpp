#pragma once
// The floating-point state of this thread of the host: fibers have their own, and those of one launch are to have one.

#if defined(__x86_64__)
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

namespace assay::gpu {

#if defined(__x86_64__)

/// How operations round, and the exceptions that they raised.
struct FloatState {
  unsigned control = _mm_getcsr() & ~exceptions, raised = 0;

  /// Operations from now on round so, and nothing is raised yet.
  void enter() const { _mm_setcsr(control); }
  void collect() { raised |= _mm_getcsr() & exceptions; }
  /// Raises the collected exceptions.
  void pass_on() const { _mm_setcsr(_mm_getcsr() | raised); }

  static constexpr unsigned exceptions = _MM_EXCEPT_MASK;
};

#else

struct FloatState {
  int rounding = std::fegetround(), raised = 0;

  void enter() const {
    std::fesetround(rounding);
    std::feclearexcept(FE_ALL_EXCEPT);
  }
  void collect() { raised |= std::fetestexcept(FE_ALL_EXCEPT); }
  void pass_on() const { std::feraiseexcept(raised); }
};

#endif

} // namespace assay::gpu
