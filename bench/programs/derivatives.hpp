// Gradient and directional derivative of functions, for programs whose compilation is timed. With
// ASSAY_BENCH_PRIMAL_ONLY the functions alone are compiled.
#pragma once

extern int enzyme_dup;
template <class Return, class... Arguments>
Return __enzyme_autodiff(void *function, Arguments... arguments);
template <class Return, class... Arguments>
Return __enzyme_fwddiff(void *function, Arguments... arguments);

#ifdef ASSAY_BENCH_PRIMAL_ONLY
#define ASSAY_DERIVATIVES_OF(function)                                                                                 \
  double use_##function(const double *x, double *) {                                                                   \
    return function(x);                                                                                                \
  }
#else
#define ASSAY_DERIVATIVES_OF(function)                                                                                 \
  double use_##function(const double *x, double *dx) {                                                                 \
    __enzyme_autodiff<void>((void *)function, enzyme_dup, x, dx);                                                      \
    return function(x) + __enzyme_fwddiff<double>((void *)function, enzyme_dup, x, dx);                                \
  }
#endif
