; Products of seeds that are guarded against zero times infinity.
; RUN: %opt -passes='assay-tidy<zero-guards>' %s | %check %s

; The seed alone is tested.
; CHECK-LABEL: define double @product(
; CHECK:         [[ZERO:%.*]] = fcmp oeq double %seed, 0.0
; CHECK:         select i1 [[ZERO]], double 0.000000e+00, double %product
define double @product(double %seed, double %factor) {
  %product = fmul double %seed, %factor
  %zero = fcmp oeq double %seed, 0.0
  %undefined = fcmp uno double %product, 0.0
  %both = and i1 %zero, %undefined
  %guarded = select i1 %both, double 0.0, double %product, !assay.zero_guard !0
  ret double %guarded
}

; CHECK-LABEL: define float @converted_quotient(
; CHECK:         [[ZERO:%.*]] = fcmp oeq double %seed, 0.0
; CHECK:         select i1 [[ZERO]], float 0.000000e+00
define float @converted_quotient(double %seed, double %divisor, i1 %c) {
  %quotient = fdiv double %seed, %divisor
  %negated = fneg double %quotient
  %either = select i1 %c, double %negated, double %quotient
  %product = fptrunc double %either to float
  %zero = fcmp oeq double %seed, 0.0
  %undefined = fcmp uno float %product, %product
  %both = select i1 %undefined, i1 %zero, i1 false
  %guarded = select i1 %both, float 0.0, float %product, !assay.zero_guard !0
  ret float %guarded
}

; What is not a multiple of the seed may be another number where the seed is zero.
; CHECK-LABEL: define double @sum(
; CHECK:         select i1 %both
define double @sum(double %seed, double %other) {
  %product = fadd double %seed, %other
  %zero = fcmp oeq double %seed, 0.0
  %undefined = fcmp uno double %product, 0.0
  %both = and i1 %zero, %undefined
  %guarded = select i1 %both, double 0.0, double %product, !assay.zero_guard !0
  ret double %guarded
}

; CHECK-LABEL: define double @of_another_seed(
; CHECK:         select i1 %both
define double @of_another_seed(double %seed, double %factor, double %other) {
  %product = fdiv double %factor, %seed
  %zero = fcmp oeq double %seed, 0.0
  %undefined = fcmp uno double %product, 0.0
  %both = and i1 %zero, %undefined
  %guarded = select i1 %both, double 0.0, double %product, !assay.zero_guard !0
  ret double %guarded
}

; The program's own result keeps the sign of its zero.
; CHECK-LABEL: define double @of_the_program(
; CHECK:         select i1 %both
define double @of_the_program(double %x, double %y) {
  %product = fmul double %x, %y
  %zero = fcmp oeq double %x, 0.0
  %undefined = fcmp uno double %product, 0.0
  %both = and i1 %zero, %undefined
  %guarded = select i1 %both, double 0.0, double %product
  ret double %guarded
}

!0 = !{}
