; A call through a pointer becomes a choice among the functions of its type whose address is taken.
; RUN: %opt -passes='assay-prepare<indirect-calls>' %s | %check %s

define internal double @one(double %x) {
  ret double %x
}
define internal double @other(double %x) {
  %y = fneg double %x
  ret double %y
}
@table = global [2 x ptr] [ptr @one, ptr @other]

; CHECK-LABEL: define double @through_a_table(
; CHECK:         icmp eq ptr %f, @one
; CHECK-DAG:     call double @one(double %x)
; CHECK-DAG:     call double @other(double %x)
; CHECK-NOT:     call double %f
; CHECK:         ret double
define double @through_a_table(i64 %i, double %x) {
  %place = getelementptr ptr, ptr @table, i64 %i
  %f = load ptr, ptr %place
  %y = call double %f(double %x)
  ret double %y
}

; CHECK-LABEL: define float @without_candidates(
; CHECK-NEXT:    call float %f(float %x)
define float @without_candidates(ptr %f, float %x) {
  %y = call float %f(float %x)
  ret float %y
}

; CHECK-LABEL: define double @direct(
; CHECK-NEXT:    call double @one(double %x)
define double @direct(double %x) {
  %y = call double @one(double %x)
  ret double %y
}
