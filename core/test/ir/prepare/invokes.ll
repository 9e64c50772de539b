; Allocations need no landing pad; what else may throw goes on to a block of its own.
; RUN: %opt -passes='assay-prepare<invokes>' %s | %check %s

declare ptr @_Znwm(i64)
declare double @may_throw(double)
declare i32 @__gxx_personality_v0(...)

; CHECK-LABEL: define ptr @allocates(
; CHECK:         %p = call ptr @_Znwm(i64 8)
; CHECK-NEXT:    br label %on
; CHECK-NOT:     landingpad
; CHECK:       }
define ptr @allocates() personality ptr @__gxx_personality_v0 {
  %p = invoke ptr @_Znwm(i64 8) to label %on unwind label %pad
on:
  ret ptr %p
pad:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
}

; CHECK-LABEL: define double @shares_where_it_goes_on(
; CHECK:         invoke double @may_throw(double %x)
; CHECK-NEXT:      to label %[[OWN:.*]] unwind label %pad
; CHECK:       [[OWN]]:
; CHECK-NEXT:    br label %on
define double @shares_where_it_goes_on(double %x, i1 %c) personality ptr @__gxx_personality_v0 {
entry:
  br i1 %c, label %call, label %on
call:
  %y = invoke double @may_throw(double %x) to label %on unwind label %pad
on:
  %z = phi double [ %x, %entry ], [ %y, %call ]
  ret double %z
pad:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
}

; CHECK-LABEL: define double @goes_on_alone(
; CHECK-NEXT:    invoke double @may_throw(double %x)
; CHECK-NEXT:      to label %on unwind label %pad
define double @goes_on_alone(double %x) personality ptr @__gxx_personality_v0 {
  %y = invoke double @may_throw(double %x) to label %on unwind label %pad
on:
  ret double %y
pad:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
}
