; Calls that write nothing but errno are functions of their arguments, unless the function asks for errno.
; RUN: %opt -passes='assay-prepare<errno-writes>' %s | %check %s

declare double @sqrt(double) nounwind willreturn memory(errnomem: write)
declare double @pow(double, double) nounwind memory(errnomem: write)
declare double @other(double)
declare double @other_of_its_argument(double) memory(none)
declare ptr @__errno_location() nounwind willreturn memory(none)

; CHECK-LABEL: define double @plain(
; CHECK:         %root = call double @sqrt(double %x) [[NONE:#[0-9]+]]
; CHECK-NEXT:    %power = call double @pow(double %x, double %root){{$}}
define double @plain(double %x) {
  %root = call double @sqrt(double %x)
  %power = call double @pow(double %x, double %root) ; perhaps without end
  %other = call double @other_of_its_argument(double %power)
  ret double %other
}

; CHECK-LABEL: define double @may_ask(
; CHECK:         %root = call double @sqrt(double %x){{$}}
define double @may_ask(double %x) {
  %root = call double @sqrt(double %x)
  %other = call double @other(double %root)
  ret double %other
}

; CHECK-LABEL: define double @asks_in_a_callee(
; CHECK:         %root = call double @sqrt(double %x){{$}}
define double @asks_in_a_callee(double %x) {
  %root = call double @sqrt(double %x)
  %bad = call i32 @asks(double %root)
  ret double %root
}

; CHECK-LABEL: define i32 @asks(
; CHECK:         %root = call double @sqrt(double %x){{$}}
define i32 @asks(double %x) {
  %root = call double @sqrt(double %x)
  %place = call ptr @__errno_location()
  %errno = load i32, ptr %place
  ret i32 %errno
}

; CHECK: attributes [[NONE]] = { memory(none) }
