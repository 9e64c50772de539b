; A small derivative becomes a part of its caller; callers that are not to be optimised keep their calls.
; RUN: %opt -passes='assay-tidy<inline-derivatives>' %s | %check %s

; CHECK-LABEL: define internal double @diffe.square(
define internal double @diffe.square(double %x, double %seed) #0 {
  %slope = fmul double %x, 2.0
  %result = fmul double %slope, %seed
  ret double %result
}

; CHECK-LABEL: define {{.*}}double @caller(
; CHECK-NEXT:    [[SLOPE:%.*]] = fmul double %x, 2.000000e+00
; CHECK-NEXT:    ret double [[SLOPE]]
define double @caller(double %x) {
  %result = call double @diffe.square(double %x, double 1.0)
  ret double %result
}

; CHECK-LABEL: define {{.*}}double @not_optimised(
; CHECK-NEXT:    call double @diffe.square(
define double @not_optimised(double %x) noinline optnone {
  %result = call double @diffe.square(double %x, double 1.0)
  ret double %result
}
attributes #0 = { nounwind "assay-derivative" }

; A derivative that only one kernel calls becomes a part of it, also a large one: what pointers lead to is known there.
; RUN: python3 %S/Inputs/large_derivative.py ptx_kernel 1 > %t.one.ll
; RUN: python3 %S/Inputs/large_derivative.py ptx_kernel 2 > %t.two.ll
; RUN: python3 %S/Inputs/large_derivative.py "" 1 > %t.function.ll
; RUN: %opt -passes='assay-tidy<inline-derivatives>' %t.one.ll | %check %s --check-prefix=ONE
; RUN: %opt -passes='assay-tidy<inline-derivatives>' %t.two.ll | %check %s --check-prefix=CALLED
; RUN: %opt -passes='assay-tidy<inline-derivatives>' %t.function.ll | %check %s --check-prefix=CALLED

; ONE-NOT: {{ call }}
; CALLED:  call void @diffe.f(
