; Helpers that are a few instructions become a part of the derivative; long ones stay calls.
; RUN: %opt -passes='assay-tidy<helpers>' %s | %check %s

define internal double @assay.lowered_power.llvm.double(double %x, double %y, double %r) {
  %q = fdiv double %r, %x
  ret double %q
}
declare double @assay.digamma.llvm.double(double)

; CHECK-LABEL: define double @short(
; CHECK-NEXT:    [[Q:%.*]] = fdiv double %r, %x
; CHECK-NEXT:    ret double [[Q]]
define double @short(double %x, double %r) {
  %q = call double @assay.lowered_power.llvm.double(double %x, double 2.0, double %r)
  ret double %q
}

; CHECK-LABEL: define double @long(
; CHECK-NEXT:    call double @assay.digamma.llvm.double(double %x)
define double @long(double %x) {
  %y = call double @assay.digamma.llvm.double(double %x)
  ret double %y
}
