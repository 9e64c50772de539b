; Inline PTX becomes instructions: arithmetic of halves, shuffles with a predicate, guarded sums.
; RUN: %opt -passes='assay-prepare<inline-ptx>' %s | %check %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define i16 @product(
; CHECK-NEXT:    [[X:%.*]] = bitcast i16 %x to half
; CHECK-NEXT:    [[Y:%.*]] = bitcast i16 %y to half
; CHECK-NEXT:    [[P:%.*]] = fmul half [[X]], [[Y]]
; CHECK-NEXT:    [[R:%.*]] = bitcast half [[P]] to i16
; CHECK-NEXT:    ret i16 [[R]]
define i16 @product(i16 %x, i16 %y) {
  %r = call i16 asm "{mul.f16 $0,$1,$2;\0A}", "=h,h,h"(i16 %x, i16 %y)
  ret i16 %r
}

; CHECK-LABEL: define float @conversion(
; CHECK-NEXT:    [[X:%.*]] = bitcast i16 %x to bfloat
; CHECK-NEXT:    [[R:%.*]] = fpext bfloat [[X]] to float
define float @conversion(i16 %x) {
  %r = call float asm "{ cvt.f32.bf16 $0, $1;}\0A", "=f,h"(i16 %x)
  ret float %r
}

; A comparison gives an integer.
; CHECK-LABEL: define i16 @comparison(
; CHECK:         [[C:%.*]] = fcmp ogt half %{{.*}}, %{{.*}}
; CHECK-NEXT:    [[R:%.*]] = select i1 [[C]], i16 1, i16 0
; CHECK-NEXT:    ret i16 [[R]]
define i16 @comparison(i16 %x, i16 %y) {
  %c = call i16 asm "{ .reg .pred p;\0A setp.gt.f16  p, $1, $2;\0A selp.u16 $0, 1, 0, p;}\0A", "=h,h,h"(i16 %x, i16 %y)
  ret i16 %c
}

; CHECK-LABEL: define i16 @integers(
; CHECK-NEXT:    [[R:%.*]] = add i16 %x, %y
; CHECK-NEXT:    ret i16 [[R]]
define i16 @integers(i16 %x, i16 %y) {
  %r = call i16 asm "add.s16 $0,$1,$2;", "=h,h,h"(i16 %x, i16 %y)
  ret i16 %r
}

; An instruction that is not known.
; CHECK-LABEL: define i16 @high_half(
; CHECK-NEXT:    call i16 asm
define i16 @high_half(i16 %x, i16 %y) {
  %r = call i16 asm "mul.hi.s16 $0,$1,$2;", "=h,h,h"(i16 %x, i16 %y)
  ret i16 %r
}

; A step of a reduction of CUB: a sum that is guarded by whether the source lane is in range.
; CHECK-LABEL: define float @guarded_sum(
; CHECK:         [[S:%.*]] = call float @llvm.nvvm.shfl.sync.down.f32(i32 %members, float %x, i32 %by, i32 %bounds)
; CHECK:         [[LANE:%.*]] = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
; CHECK:         [[FROM:%.*]] = add i32 [[LANE]], %{{.*}}
; CHECK-NEXT:    [[P:%.*]] = icmp sle i32 [[FROM]], %{{.*}}
; CHECK:         [[SUM:%.*]] = fadd float [[S]], %x
; CHECK-NEXT:    [[R:%.*]] = select i1 [[P]], float [[SUM]], float [[S]]
; CHECK:         ret float [[R]]
define float @guarded_sum(float %x, i32 %by, i32 %bounds, i32 %members) {
  %r = call float asm sideeffect "{ .reg .f32 r0; .reg .pred p; shfl.sync.down.b32 r0|p, $1, $2, $3, $4; @p add.f32 r0, r0, $1; mov.f32 $0, r0;}", "=f,f,r,r,r"(float %x, i32 %by, i32 %bounds, i32 %members)
  ret float %r
}

; CHECK-LABEL: define i32 @unless(
; CHECK:         [[P:%.*]] = icmp ult i32 %x, %y
; CHECK:         [[S:%.*]] = sub i32 %x, %y
; CHECK-NEXT:    [[R:%.*]] = select i1 [[P]], i32 %x, i32 [[S]]
; CHECK-NEXT:    ret i32 [[R]]
define i32 @unless(i32 %x, i32 %y) {
  %r = call i32 asm "{ .reg .pred p; .reg .u32 r; mov.u32 r, $1; setp.lt.u32 p, $1, $2; @!p sub.u32 r, r, $2; mov.u32 $0, r; }", "=r,r,r"(i32 %x, i32 %y)
  ret i32 %r
}

; CHECK-LABEL: define i32 @lanes_below(
; CHECK:         call i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
define i32 @lanes_below() {
  %r = call i32 asm "mov.u32 $0, %lanemask_lt;", "=r"()
  ret i32 %r
}

; A guarded load may not be made where the guard does not hold: it stays.
; CHECK-LABEL: define i32 @guarded_load(
; CHECK:         call i32 asm
define i32 @guarded_load(ptr %p, i32 %x) {
  %r = call i32 asm "{ .reg .pred p; setp.ne.u32 p, $2, 0; mov.u32 $0, 0; @p ld.global.u32 $0, [$1]; }", "=r,l,r"(ptr %p, i32 %x)
  ret i32 %r
}
