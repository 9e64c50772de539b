; (x + 2^52) - 2^52 rounds x: the sum has no derivative.
; RUN: %opt -passes='assay-prepare<rounding-sums>' %s | %check %s

; CHECK-LABEL: define double @rounds(
; CHECK:         [[ROUNDED:%.*]] = call double @assay.bits.{{.*}}(i64
; CHECK-NEXT:    ret double [[ROUNDED]]
define double @rounds(double %x) {
  %above = fadd double %x, 4503599627370496.0
  %y = fsub double %above, 4503599627370496.0
  ret double %y
}

; CHECK-LABEL: define double @adds(
; CHECK-NEXT:    %above = fadd double %x, 1.000000e+00
; CHECK-NEXT:    %y = fsub double %above, 1.000000e+00
; CHECK-NEXT:    ret double %y
define double @adds(double %x) {
  %above = fadd double %x, 1.0
  %y = fsub double %above, 1.0
  ret double %y
}
