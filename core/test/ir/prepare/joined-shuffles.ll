; A double that is shuffled as two words becomes a shuffle of the double.
; RUN: %opt -passes='assay-prepare<joined-shuffles>' %s | %check %s
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)

; CHECK-LABEL: define double @halves(
; CHECK-NOT:     @llvm.nvvm.shfl
; CHECK:         call double @assay.shuffle.down(i32 -1, double %{{.*}}, i32 %o, i32 31)
; CHECK-NOT:     @llvm.nvvm.shfl
; CHECK:         ret double
define double @halves(double %x, i32 %o) {
  %bits = bitcast double %x to i64
  %low = trunc i64 %bits to i32
  %upper = lshr i64 %bits, 32
  %high = trunc i64 %upper to i32
  %a = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %low, i32 %o, i32 31)
  %b = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %high, i32 %o, i32 31)
  %za = zext i32 %a to i64
  %zb = zext i32 %b to i64
  %sb = shl i64 %zb, 32
  %joined = or i64 %sb, %za
  %y = bitcast i64 %joined to double
  ret double %y
}

; CHECK-LABEL: define float @bits(
; CHECK:         call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %x, i32 1, i32 31)
; CHECK-NOT:     @llvm.nvvm.shfl.sync.bfly.i32
define float @bits(float %x) {
  %bits = bitcast float %x to i32
  %a = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %bits, i32 1, i32 31)
  %y = bitcast i32 %a to float
  ret float %y
}

; Words of an integer, and halves that go different ways.
; CHECK-LABEL: define i32 @integer(
; CHECK-NEXT:    call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %x, i32 1, i32 31)
define i32 @integer(i32 %x) {
  %a = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %x, i32 1, i32 31)
  ret i32 %a
}
