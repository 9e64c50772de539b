; The calls that said the derivatives of arithmetic on bits are what they stand for.
; RUN: %opt -passes='assay-tidy<float-bits>' %s | %check %s

declare double @assay.linear.double(double, double, double)
declare double @assay.bits.double(i64)
declare double @linear(double, double, double)

; CHECK-LABEL: define double @linear_call(
; CHECK:         [[Y:%.*]] = bitcast i64 %n to double
; CHECK-NOT:     @assay
; CHECK:         ret double
define double @linear_call(i64 %n, double %slope, double %x) {
  %y = call double @assay.bits.double(i64 %n)
  %z = call double @assay.linear.double(double %y, double %slope, double %x)
  ret double %z
}

; CHECK-LABEL: define double @other_call(
; CHECK-NEXT:    call double @linear(
define double @other_call(double %y, double %slope, double %x) {
  %z = call double @linear(double %y, double %slope, double %x)
  ret double %z
}
