; A function with a rule that returns a struct through memory is called in a form that returns it as a value.
; RUN: %opt -passes='assay-prepare<simple-forms>' %s | %check %s

declare void @pair(ptr sret({ double, double }), double)
declare { double, double } @tangents(double, double)
@__enzyme_register_derivative_pair = global [2 x ptr] [ptr @pair, ptr @tangents]
declare void @other(ptr sret({ double, double }), double)

; CHECK-LABEL: define double @calls_one_with_a_rule(
; CHECK:         [[RESULT:%.*]] = call { double, double } @{{.*pair.*}}(double %x)
; CHECK:         store double
; CHECK:         store double
define double @calls_one_with_a_rule(double %x) {
  %place = alloca { double, double }
  call void @pair(ptr sret({ double, double }) %place, double %x)
  %y = load double, ptr %place
  ret double %y
}

; CHECK-LABEL: define double @calls_one_without(
; CHECK:         call void @other(ptr sret({ double, double }) %place, double %x)
define double @calls_one_without(double %x) {
  %place = alloca { double, double }
  call void @other(ptr sret({ double, double }) %place, double %x)
  %y = load double, ptr %place
  ret double %y
}
