; Calls that write nothing but errno are functions of their arguments, unless the function asks for errno.
; RUN: %opt -passes='assay-prepare<errno-writes>' %s | %check %s

declare double @sqrt(double) nounwind willreturn memory(errnomem: write)
declare double @pow(double, double) nounwind memory(errnomem: write)
declare double @noisy(double) nounwind willreturn memory(write)
declare ptr @__errno_location()

; CHECK-LABEL: define double @plain(
; CHECK:         %root = call double @sqrt(double %x) [[NONE:#[0-9]+]]
; CHECK-NEXT:    %power = call double @pow(double %x, double %root){{$}}
; CHECK-NEXT:    %other = call double @noisy(double %power){{$}}
define double @plain(double %x) {
  %root = call double @sqrt(double %x)
  %power = call double @pow(double %x, double %root) ; perhaps without end
  %other = call double @noisy(double %power)
  ret double %other
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
