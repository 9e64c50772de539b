; A number whose bits cannot be followed is the result of a function without derivative.
; RUN: %opt -passes='assay-prepare<opaque-bits>' %s | %check %s

; CHECK-LABEL: define double @hashes(
; CHECK:         call double @assay.opaque_bits.{{.*}}
define double @hashes(double %x) {
  %bits = bitcast double %x to i64
  %square = mul i64 %bits, %bits
  %y = bitcast i64 %square to double
  ret double %y
}

; CHECK-LABEL: define double @of_an_integer(
; CHECK-NOT:     @assay.opaque_bits
; CHECK:         ret double
define double @of_an_integer(i64 %n) {
  %square = mul i64 %n, %n
  %y = bitcast i64 %square to double
  ret double %y
}
