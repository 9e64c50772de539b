; Trip counts that are larger in what is differentiated.
; RUN: %opt -passes='assay-prepare<iterations>' %s | %check %s

declare i32 @__enzyme_iter(i32, i32)
declare i64 @__enzyme_iter_mixed(i32, i64)
declare i32 @other(i32, i32)
declare i32 @__gxx_personality_v0(...)

; CHECK-LABEL: define i32 @count(
; CHECK-NEXT:    %[[SUM:.*]] = add i32 %n, 2
; CHECK-NEXT:    ret i32 %[[SUM]]
define i32 @count(i32 %n) {
  %count = call i32 @__enzyme_iter(i32 %n, i32 2)
  ret i32 %count
}

; CHECK-LABEL: define i64 @wider(
; CHECK-NEXT:    %[[WIDE:.*]] = sext i32 %n to i64
; CHECK-NEXT:    %[[SUM:.*]] = add i64 %[[WIDE]], %more
; CHECK-NEXT:    ret i64 %[[SUM]]
define i64 @wider(i32 %n, i64 %more) {
  %count = call i64 @__enzyme_iter_mixed(i32 %n, i64 %more)
  ret i64 %count
}

; CHECK-LABEL: define i32 @invoked(
; CHECK-NOT:     invoke
; CHECK:         add i32 %n, 1
define i32 @invoked(i32 %n) personality ptr @__gxx_personality_v0 {
  %count = invoke i32 @__enzyme_iter(i32 %n, i32 1) to label %normal unwind label %handler
normal:
  ret i32 %count
handler:
  %pad = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %pad
}

; CHECK-LABEL: define i32 @unknown(
; CHECK-NEXT:    %count = call i32 @other(i32 %n, i32 1)
; CHECK-NEXT:    ret i32 %count
define i32 @unknown(i32 %n) {
  %count = call i32 @other(i32 %n, i32 1)
  ret i32 %count
}
