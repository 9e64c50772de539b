; Groups of the plan: warp-aggregated sums whose addresses lie at constant distances.
; RUN: %opt -passes='assay-tidy<grouped-sums>' %s | %check %s
target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
@row = internal addrspace(3) global [8 x float] undef

define internal void @assay.warp.add.float.0(ptr %place, float %number) noinline convergent memory(argmem: readwrite, inaccessiblemem: readwrite) {
  %1 = atomicrmw fadd ptr %place, float %number monotonic, !assay.adjoint_sum !0
  ret void
}

; In the order of addresses, where the last of them was.
; CHECK-LABEL: define void @three(
; CHECK-NOT:     atomicrmw
; CHECK:         [[SECOND:%.*]] = getelementptr float, ptr %p, i64 1
; CHECK:         [[FOURTH:%.*]] = getelementptr float, ptr %p, i64 3
; CHECK:         call void @assay.warp.group.float.0.0.4.12(ptr %p, float %z, float %x, float %y)
; CHECK-NEXT:    ret void
define void @three(ptr %p, float %x, float %y, float %z) {
  %second = getelementptr float, ptr %p, i64 1
  %fourth = getelementptr float, ptr %p, i64 3
  call void @assay.warp.add.float.0(ptr %second, float %x), !assay.sum_group !1
  call void @assay.warp.add.float.0(ptr %fourth, float %y), !assay.sum_group !1
  call void @assay.warp.add.float.0(ptr %p, float %z), !assay.sum_group !1
  ret void
}

; A constant within an index that is extended.
; CHECK-LABEL: define void @of_indices(
; CHECK:         call void @assay.warp.group.float.0.0.8(
define void @of_indices(ptr %p, i32 %index, float %x) {
  %nine = mul nuw nsw i32 %index, 9
  %first = zext nneg i32 %nine to i64
  %two = add nuw i32 %nine, 2
  %third = zext nneg i32 %two to i64
  %a = getelementptr inbounds float, ptr %p, i64 %first
  %b = getelementptr inbounds float, ptr %p, i64 %third
  call void @assay.warp.add.float.0(ptr %a, float %x), !assay.sum_group !1
  call void @assay.warp.add.float.0(ptr %b, float %x), !assay.sum_group !1
  ret void
}

; An index that may wrap around says nothing.
; CHECK-LABEL: define void @wrapping(
; CHECK-NOT:     group
; CHECK:         ret void
define void @wrapping(ptr %p, i32 %index, float %x) {
  %first = zext i32 %index to i64
  %two = add i32 %index, 2
  %third = zext i32 %two to i64
  %a = getelementptr inbounds float, ptr %p, i64 %first
  %b = getelementptr inbounds float, ptr %p, i64 %third
  call void @assay.warp.add.float.0(ptr %a, float %x), !assay.sum_group !1
  call void @assay.warp.add.float.0(ptr %b, float %x), !assay.sum_group !1
  ret void
}

; At one place there is one sum, which is inlined.
; CHECK-LABEL: define void @twice(
; CHECK:         [[BOTH:%.*]] = fadd float %x, %y
; CHECK-NEXT:    atomicrmw fadd ptr %p, float [[BOTH]]
; CHECK-NEXT:    ret void
define void @twice(ptr %p, float %x, float %y) {
  call void @assay.warp.add.float.0(ptr %p, float %x), !assay.sum_group !1
  call void @assay.warp.add.float.0(ptr %p, float %y), !assay.sum_group !1
  ret void
}

; What is read, and what other threads may read, is complete.
; CHECK-LABEL: define float @read_between(
; CHECK-NOT:     group
; CHECK:         ret float
define float @read_between(ptr %p, float %x) {
  %second = getelementptr float, ptr %p, i64 1
  call void @assay.warp.add.float.0(ptr %p, float %x), !assay.sum_group !1
  %read = load float, ptr %p
  call void @assay.warp.add.float.0(ptr %second, float %x), !assay.sum_group !1
  ret float %read
}
; CHECK-LABEL: define void @across_a_barrier(
; CHECK-NOT:     group
; CHECK:         ret void
define void @across_a_barrier(ptr %p, float %x) {
  %second = getelementptr float, ptr %p, i64 1
  call void @assay.warp.add.float.0(ptr %p, float %x), !assay.sum_group !1
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @assay.warp.add.float.0(ptr %second, float %x), !assay.sum_group !1
  ret void
}

; Shared memory is named as what it is.
; CHECK-LABEL: define void @shared(
; CHECK:         call void @assay.warp.group.float.3.0.4(ptr addrspace(3)
define void @shared(float %x, i64 %index) {
  %first = getelementptr float, ptr addrspacecast (ptr addrspace(3) @row to ptr), i64 %index
  %second = getelementptr float, ptr %first, i64 1
  call void @assay.warp.add.float.0(ptr %first, float %x), !assay.sum_group !1
  call void @assay.warp.add.float.0(ptr %second, float %x), !assay.sum_group !1
  ret void
}

; No more than eight at once.
; CHECK-LABEL: define void @nine(
; CHECK-COUNT-1: call void @assay.warp.group.float.0.0.4.8.12.16.20.24.28(
; CHECK:         atomicrmw
; CHECK:         ret void
define void @nine(ptr %p, float %x) {
  %p1 = getelementptr float, ptr %p, i64 1
  %p2 = getelementptr float, ptr %p, i64 2
  %p3 = getelementptr float, ptr %p, i64 3
  %p4 = getelementptr float, ptr %p, i64 4
  %p5 = getelementptr float, ptr %p, i64 5
  %p6 = getelementptr float, ptr %p, i64 6
  %p7 = getelementptr float, ptr %p, i64 7
  %p8 = getelementptr float, ptr %p, i64 8
  call void @assay.warp.add.float.0(ptr %p, float %x), !assay.sum_group !1
  call void @assay.warp.add.float.0(ptr %p1, float %x), !assay.sum_group !1
  call void @assay.warp.add.float.0(ptr %p2, float %x), !assay.sum_group !1
  call void @assay.warp.add.float.0(ptr %p3, float %x), !assay.sum_group !1
  call void @assay.warp.add.float.0(ptr %p4, float %x), !assay.sum_group !1
  call void @assay.warp.add.float.0(ptr %p5, float %x), !assay.sum_group !1
  call void @assay.warp.add.float.0(ptr %p6, float %x), !assay.sum_group !1
  call void @assay.warp.add.float.0(ptr %p7, float %x), !assay.sum_group !1
  call void @assay.warp.add.float.0(ptr %p8, float %x), !assay.sum_group !1
  ret void
}

; Neighbours in a warp add to places that are one number apart: shuffles move what goes to one of them.
; CHECK-LABEL: define ptx_kernel void @stencil(
; CHECK:         call void @assay.warp.shift.double.1.0.1.2(ptr addrspace(1) {{%.*}}, double %y, double %x, double %z)
; CHECK-NEXT:    ret void
define ptx_kernel void @stencil(ptr %p, double %x, double %y, double %z) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %index = zext nneg i32 %thread to i64
  %here = getelementptr double, ptr %p, i64 %index
  %left = getelementptr double, ptr %here, i64 -1
  %right = getelementptr double, ptr %here, i64 1
  %1 = atomicrmw fadd ptr %here, double %x monotonic, !assay.adjoint_sum !0, !assay.sum_group !1
  %2 = atomicrmw fadd ptr %left, double %y monotonic, !assay.adjoint_sum !0, !assay.sum_group !1
  %3 = atomicrmw fadd ptr %right, double %z monotonic, !assay.adjoint_sum !0, !assay.sum_group !1
  ret void
}

; What the plan adds by itself, as where the threads' addresses are three numbers apart.
; CHECK-LABEL: define void @not_planned(
; CHECK-NOT:     group
; CHECK:         ret void
define void @not_planned(ptr %p, float %x) {
  %second = getelementptr float, ptr %p, i64 1
  call void @assay.warp.add.float.0(ptr %p, float %x)
  call void @assay.warp.add.float.0(ptr %second, float %x)
  ret void
}

; Each group of the plan by itself.
; CHECK-LABEL: define void @two_groups(
; CHECK-DAG:     call void @assay.warp.group.float.0.0.4(ptr %p, float %x, float %x)
; CHECK-DAG:     call void @assay.warp.group.float.0.0.4(ptr %third, float %y, float %y)
; CHECK:         ret void
define void @two_groups(ptr %p, float %x, float %y) {
  %second = getelementptr float, ptr %p, i64 1
  %third = getelementptr float, ptr %p, i64 2
  %fourth = getelementptr float, ptr %p, i64 3
  call void @assay.warp.add.float.0(ptr %p, float %x), !assay.sum_group !1
  call void @assay.warp.add.float.0(ptr %third, float %y), !assay.sum_group !2
  call void @assay.warp.add.float.0(ptr %second, float %x), !assay.sum_group !1
  call void @assay.warp.add.float.0(ptr %fourth, float %y), !assay.sum_group !2
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

!0 = !{}
!1 = distinct !{}
!2 = distinct !{}
