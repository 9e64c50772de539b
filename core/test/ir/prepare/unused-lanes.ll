; Lanes that nobody reads get numbers in place of poison.
; RUN: %opt -passes='assay-prepare<unused-lanes>' %s | %check %s

; CHECK-LABEL: define double @put_together(
; CHECK-NEXT:    %v = insertelement <2 x double> splat (double 5.000000e-01), double %x, i64 0
define double @put_together(double %x) {
  %v = insertelement <2 x double> poison, double %x, i64 0
  %w = fmul <2 x double> %v, %v
  %y = extractelement <2 x double> %w, i64 0
  ret double %y
}

; CHECK-LABEL: define <2 x double> @shuffled(
; CHECK-NEXT:    shufflevector <2 x double> %v, <2 x double> poison, <2 x i32> <i32 1, i32 1>
define <2 x double> @shuffled(<2 x double> %v) {
  %w = shufflevector <2 x double> %v, <2 x double> poison, <2 x i32> <i32 1, i32 poison>
  ret <2 x double> %w
}

; CHECK-LABEL: define <2 x i64> @integers(
; CHECK-NEXT:    insertelement <2 x i64> poison, i64 %n, i64 0
define <2 x i64> @integers(i64 %n) {
  %v = insertelement <2 x i64> poison, i64 %n, i64 0
  ret <2 x i64> %v
}
