; Sums of a kernel behind one argument, at places that the number of the thread tells apart.
; RUN: %opt -passes='assay-tidy<own-places>' %s | %check %s
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @unknown()

; Plain where the launch is as it is mostly, atomic where it is not.
; CHECK-LABEL: define ptx_kernel void @own(
; CHECK:         br i1 {{%.*}}, label %[[PLAIN:.*]], label %[[COMMON:.*]]
; CHECK:       [[PLAIN]]:
; CHECK-NEXT:    load double, ptr %place
; CHECK-NEXT:    fadd
; CHECK-NEXT:    store double {{.*}}, ptr %place
; CHECK:       [[COMMON]]:
; CHECK-NEXT:    atomicrmw fadd ptr %place
define ptx_kernel void @own(ptr %dx, double %number) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %start = mul i32 %b, %n
  %i = add i32 %start, %t
  %wide = sext i32 %i to i64
  %place = getelementptr double, ptr %dx, i64 %wide
  %1 = atomicrmw fadd ptr %place, double %number monotonic, !assay.adjoint_sum !0
  ret void
}

; Neighbours add to the same.
; CHECK-LABEL: define ptx_kernel void @neighbours(
; CHECK-NOT:     store double
; CHECK:         ret void
define ptx_kernel void @neighbours(ptr %dx, double %number, i32 %k) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %half = udiv i32 %t, 2
  %wide = zext i32 %half to i64
  %place = getelementptr double, ptr %dx, i64 %wide
  %1 = atomicrmw fadd ptr %place, double %number monotonic, !assay.adjoint_sum !0
  ret void
}

; Each thread adds to three places beside each other.
; CHECK-LABEL: define ptx_kernel void @stencil(
; CHECK-NOT:     store double
; CHECK:         ret void
define ptx_kernel void @stencil(ptr %dx, double %number) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %start = mul i32 %b, %n
  %i = add i32 %start, %t
  %wide = sext i32 %i to i64
  %place = getelementptr double, ptr %dx, i64 %wide
  %next = getelementptr double, ptr %place, i64 1
  %1 = atomicrmw fadd ptr %place, double %number monotonic, !assay.adjoint_sum !0
  %2 = atomicrmw fadd ptr %next, double %number monotonic, !assay.adjoint_sum !0
  ret void
}

; What is known of the index is known where branches have met again, too.
; CHECK-LABEL: define ptx_kernel void @behind_branches(
; CHECK:         store double
; CHECK:         ret void
define ptx_kernel void @behind_branches(ptr %dx, double %number, i32 %end, i1 %either) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %first = mul i32 %b, %n
  %start = add i32 %first, %t
  %step = mul i32 %blocks, %n
  br label %loop
loop:
  %i = phi i32 [ %start, %0 ], [ %following, %join ]
  %is_below = icmp slt i32 %i, %end
  call void @llvm.assume(i1 %is_below)
  br i1 %either, label %way, label %join
way:
  br label %join
join:
  %wide = sext i32 %i to i64
  %place = getelementptr double, ptr %dx, i64 %wide
  %1 = atomicrmw fadd ptr %place, double %number monotonic, !assay.adjoint_sum !0
  %following = add i32 %i, %step
  %more = icmp slt i32 %following, %end
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare void @llvm.assume(i1)

; Nobody knows where another function adds.
; CHECK-LABEL: define ptx_kernel void @beside_a_call(
; CHECK-NOT:     store double
; CHECK:         ret void
define ptx_kernel void @beside_a_call(ptr %dx, double %number) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %start = mul i32 %b, %n
  %i = add i32 %start, %t
  %wide = sext i32 %i to i64
  %place = getelementptr double, ptr %dx, i64 %wide
  %1 = atomicrmw fadd ptr %place, double %number monotonic, !assay.adjoint_sum !0
  call void @unknown()
  ret void
}

!0 = !{}
