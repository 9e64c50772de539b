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
