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

; Whether memory keeps the bits of a number as integers, the analysis of activity tells.
; CHECK-LABEL: define double @of_computed_integers_in_memory(
; CHECK:         call double @assay.opaque_bits.i64.double(i64 %decrypted)
define double @of_computed_integers_in_memory(ptr %words) {
  %word = load i64, ptr %words
  %decrypted = xor i64 %word, 1234567
  %y = bitcast i64 %decrypted to double
  ret double %y
}

; CHECK-LABEL: define double @of_a_loaded_integer(
; CHECK-NOT:     @assay.opaque_bits
; CHECK:         ret double
define double @of_a_loaded_integer(ptr %words) {
  %word = load i64, ptr %words
  %y = bitcast i64 %word to double
  ret double %y
}
