; Vector loads of different things become loads of each.
; RUN: %opt -passes='assay-prepare<split-vector-loads>' %s | %check %s

; CHECK-LABEL: define double @number_and_link(
; CHECK-NOT:     load <2 x double>
; CHECK-DAG:     load double, ptr
; CHECK-DAG:     load ptr, ptr
; CHECK:         ret double
define double @number_and_link(ptr %node) {
  %both = load <2 x double>, ptr %node, align 8
  %number = extractelement <2 x double> %both, i64 0
  %bits = bitcast <2 x double> %both to <2 x i64>
  %address = extractelement <2 x i64> %bits, i64 1
  %link = inttoptr i64 %address to ptr
  store double 1.0, ptr %link
  ret double %number
}

; CHECK-LABEL: define double @two_numbers(
; CHECK-NEXT:    load <2 x double>, ptr %numbers
define double @two_numbers(ptr %numbers) {
  %both = load <2 x double>, ptr %numbers, align 8
  %one = extractelement <2 x double> %both, i64 0
  %other = extractelement <2 x double> %both, i64 1
  %sum = fadd double %one, %other
  ret double %sum
}
