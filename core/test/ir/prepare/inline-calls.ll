; Prepared clones of small callees become a part of their callers; functions with rules and recursive ones stay calls.
; RUN: %opt -passes='assay-prepare<inline-calls>' %s | %check %s
; RUN: not %opt -passes='assay-prepare<inline-calls>' %S/Inputs/computed-goto.ll 2>&1 | %check %s --check-prefix=MISSING

; Large ones with few callers, each of which calls them in one place.
; RUN: python3 %S/Inputs/large_callee.py > %t.ll
; RUN: %opt -passes='assay-prepare<inline-calls>' %t.ll | %check %s --check-prefix=LARGE
; LARGE-LABEL: define double @is_given_the_memory(
; LARGE-NOT:     call double @large
; LARGE-LABEL: define double @keeps_the_memory(
; LARGE-NOT:     call double @large
; LARGE-LABEL: define double @calls_twice(
; LARGE:         call double @twice
; LARGE-LABEL: define double @of_many(
; LARGE:         call double @of_four

; MISSING: in function 'jumps': assay-prepare<inline-calls> does not find the property no-computed-gotos

define double @square(double %x) {
  %place = alloca double
  store double %x, ptr %place
  %again = load double, ptr %place
  %y = fmul double %again, %x
  ret double %y
}

define double @ruled(double %x) {
  ret double %x
}
declare double @derivative_of_ruled(double, double)
@__enzyme_register_derivative_ruled = global [2 x ptr] [ptr @ruled, ptr @derivative_of_ruled]

; CHECK-LABEL: define double @calls_a_small_one_twice(
; CHECK-NEXT:    [[Y:%.*]] = fmul double %x, %x
; CHECK-NEXT:    [[Z:%.*]] = fmul double [[Y]], [[Y]]
; CHECK-NEXT:    ret double [[Z]]
define double @calls_a_small_one_twice(double %x) {
  %y = call double @square(double %x)
  %z = call double @square(double %y)
  ret double %z
}

; CHECK-LABEL: define double @calls_one_with_a_rule(
; CHECK-NEXT:    call double @ruled(double %x)
define double @calls_one_with_a_rule(double %x) {
  %y = call double @ruled(double %x)
  ret double %y
}
