; Addresses and numbers that a function returns in one struct come back through memory.
; RUN: %opt -passes='assay-prepare<mixed-results>' %s | %check %s

define { ptr, double } @mixed(ptr %p, double %x) {
  %one = insertvalue { ptr, double } poison, ptr %p, 0
  %both = insertvalue { ptr, double } %one, double %x, 1
  ret { ptr, double } %both
}
define { double, double } @numbers(double %x) {
  %one = insertvalue { double, double } poison, double %x, 0
  %both = insertvalue { double, double } %one, double %x, 1
  ret { double, double } %both
}

; CHECK-LABEL: define double @calls_both(
; CHECK-NEXT:    %result = alloca { ptr, double }
; CHECK-NEXT:    call void @mixed.through_memory(ptr %result, ptr %p, double %x)
; CHECK:         call { double, double } @numbers(double %x)
define double @calls_both(ptr %p, double %x) {
  %a = call { ptr, double } @mixed(ptr %p, double %x)
  %b = call { double, double } @numbers(double %x)
  %one = extractvalue { ptr, double } %a, 1
  %other = extractvalue { double, double } %b, 1
  %y = fadd double %one, %other
  ret double %y
}

; A number that is returned as the integer of its bits, beside another.
define { i64, i8 } @union(double %x) {
  %bits = bitcast double %x to i64
  %one = insertvalue { i64, i8 } poison, i64 %bits, 0
  %both = insertvalue { i64, i8 } %one, i8 1, 1
  ret { i64, i8 } %both
}
define { i64, i8 } @integers(i64 %x) {
  %one = insertvalue { i64, i8 } poison, i64 %x, 0
  %both = insertvalue { i64, i8 } %one, i8 1, 1
  ret { i64, i8 } %both
}

; CHECK-LABEL: define double @calls_union(
; CHECK:         call void @union.through_memory(ptr %result, double %x)
define double @calls_union(double %x) {
  %a = call { i64, i8 } @union(double %x)
  %bits = extractvalue { i64, i8 } %a, 0
  %y = bitcast i64 %bits to double
  ret double %y
}

; CHECK-LABEL: define i64 @calls_integers(
; CHECK:         call { i64, i8 } @integers(i64 %x)
define i64 @calls_integers(i64 %x) {
  %a = call { i64, i8 } @integers(i64 %x)
  %y = extractvalue { i64, i8 } %a, 0
  ret i64 %y
}

; CHECK-LABEL: define internal void @mixed.through_memory(ptr %0, ptr %p, double %x)
; CHECK:         store ptr
; CHECK:         store double
; CHECK:         ret void
