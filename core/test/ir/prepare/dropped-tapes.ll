; Inside of what is differentiated, tapes are not dropped.
; RUN: %opt -passes='assay-prepare<dropped-tapes>' %s | %check %s

declare void @__enzyme_drop_tape(ptr)
declare void @other(ptr)
declare i32 @__gxx_personality_v0(...)

; CHECK-LABEL: define void @drop(
; CHECK-NEXT:    call void @other(ptr %list)
; CHECK-NEXT:    ret void
define void @drop(ptr %list) {
  call void @__enzyme_drop_tape(ptr %list)
  call void @other(ptr %list)
  ret void
}

; CHECK-LABEL: define void @invoked(
; CHECK-NOT:     __enzyme_drop_tape
; CHECK:         ret void
define void @invoked(ptr %list) personality ptr @__gxx_personality_v0 {
  invoke void @__enzyme_drop_tape(ptr %list) to label %normal unwind label %handler
normal:
  ret void
handler:
  %pad = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %pad
}
