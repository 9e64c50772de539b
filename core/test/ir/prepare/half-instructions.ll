; Inline PTX on halves becomes arithmetic of halves.
; RUN: %opt -passes='assay-prepare<half-instructions>' %s | %check %s
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

; An instruction on integers.
; CHECK-LABEL: define i16 @integers(
; CHECK-NEXT:    call i16 asm
define i16 @integers(i16 %x, i16 %y) {
  %r = call i16 asm "add.s16 $0,$1,$2;", "=h,h,h"(i16 %x, i16 %y)
  ret i16 %r
}
