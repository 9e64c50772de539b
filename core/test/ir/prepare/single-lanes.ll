; Integers that are put into a vector of numbers, or taken out of one, are moved there as numbers.
; RUN: %opt -passes='assay-prepare<single-lanes>' %s | %check %s

; CHECK-LABEL: define <2 x double> @puts_in(
; CHECK:         insertelement <2 x double> {{.*}}, double %x, i64 1
; CHECK-NOT:     <2 x i64>
; CHECK:         ret <2 x double>
define <2 x double> @puts_in(<2 x double> %v, double %x) {
  %v.bits = bitcast <2 x double> %v to <2 x i64>
  %bits = bitcast double %x to i64
  %w.bits = insertelement <2 x i64> %v.bits, i64 %bits, i64 1
  %w = bitcast <2 x i64> %w.bits to <2 x double>
  ret <2 x double> %w
}

; CHECK-LABEL: define double @takes_out(
; CHECK:         [[X:%.*]] = extractelement <2 x double> %v, i64 1
; CHECK-NEXT:    ret double [[X]]
define double @takes_out(<2 x double> %v) {
  %v.bits = bitcast <2 x double> %v to <2 x i64>
  %bits = extractelement <2 x i64> %v.bits, i64 1
  %x = bitcast i64 %bits to double
  ret double %x
}

; CHECK-LABEL: define <2 x i64> @integers(
; CHECK-NEXT:    insertelement <2 x i64> %v, i64 %n, i64 1
define <2 x i64> @integers(<2 x i64> %v, i64 %n) {
  %w = insertelement <2 x i64> %v, i64 %n, i64 1
  ret <2 x i64> %w
}

; Parts of a stored vector, as the optimiser forwards it to their reads.
; CHECK-LABEL: define double @cut_out(
; CHECK:         extractelement <2 x double> %v, i64 0
; CHECK:         extractelement <2 x double> %v, i64 1
; CHECK-NOT:     i128
; CHECK:         ret double
define double @cut_out(<2 x double> %v) {
  %bits = bitcast <2 x double> %v to i128
  %a = trunc i128 %bits to i64
  %x = bitcast i64 %a to double
  %s = lshr i128 %bits, 64
  %b = trunc nuw i128 %s to i64
  %y = bitcast i64 %b to double
  %z = fmul double %x, %y
  ret double %z
}

; CHECK-LABEL: define <2 x float> @cut_out_two(
; CHECK:         shufflevector <4 x float> %v, <4 x float> poison, <2 x i32> <i32 2, i32 3>
; CHECK-NOT:     i128
; CHECK:         ret <2 x float>
define <2 x float> @cut_out_two(<4 x float> %v) {
  %bits = bitcast <4 x float> %v to i128
  %s = lshr i128 %bits, 64
  %b = trunc i128 %s to i64
  %y = bitcast i64 %b to <2 x float>
  ret <2 x float> %y
}

; Not at the borders of the numbers.
; CHECK-LABEL: define i64 @cut_within(
; CHECK:         trunc i128
define i64 @cut_within(<2 x double> %v) {
  %bits = bitcast <2 x double> %v to i128
  %s = lshr i128 %bits, 32
  %b = trunc i128 %s to i64
  ret i64 %b
}
