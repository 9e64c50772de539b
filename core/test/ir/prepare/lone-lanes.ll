; A derivative that is differentiated again need not know what lanes of a warp add together.
; RUN: %opt -passes='assay-prepare<lone-lanes>' %s | %check %s
target triple = "nvptx64-nvidia-cuda"

declare i32 @assay.device.lanes_together()
declare void @together(ptr, double)

; CHECK-LABEL: define void @add(
; CHECK-NOT:     lanes_together
; CHECK-NOT:     @together
; CHECK:         atomicrmw fadd ptr %place, double %number
; CHECK-NEXT:    ret void
define void @add(ptr %place, double %number) {
  %members = call i32 @assay.device.lanes_together()
  %is_together = icmp ne i32 %members, 0
  br i1 %is_together, label %several, label %alone
several:
  call void @together(ptr %place, double %number)
  ret void
alone:
  %old = atomicrmw fadd ptr %place, double %number monotonic
  ret void
}
