; Adjoints in stack slots become values; memory of others stays.
; RUN: %opt -passes='assay-tidy<scalars>' %s | %check %s

; CHECK-LABEL: define double @adjoint_in_a_slot(
; CHECK-NEXT:    [[A:%.*]] = fmul double %seed, %x
; CHECK-NEXT:    [[B:%.*]] = fadd double [[A]], %seed
; CHECK-NEXT:    ret double [[B]]
define double @adjoint_in_a_slot(double %x, double %seed) {
  %slot = alloca double
  store double %seed, ptr %slot
  %a = fmul double %seed, %x
  %before = load double, ptr %slot
  %sum = fadd double %a, %before
  store double %sum, ptr %slot
  %y = load double, ptr %slot
  ret double %y
}

; CHECK-LABEL: define void @shadow(
; CHECK:         load double, ptr %dp
; CHECK:         store double
define void @shadow(ptr %dp, double %seed) {
  %before = load double, ptr %dp
  %sum = fadd double %before, %seed
  store double %sum, ptr %dp
  ret void
}
