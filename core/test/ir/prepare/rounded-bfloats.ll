; A float whose bits are cut, and then counted up or not, is a bfloat that grows as the float does.
; RUN: %opt -passes='assay-prepare<rounded-bfloats>' %s | %check %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define i16 @rounded(
; CHECK:         [[CUT:%.*]] = call bfloat @assay.linear.{{.*}}
; CHECK:         [[NEXT:%.*]] = call bfloat @assay.linear.{{.*}}(bfloat %{{.*}}, bfloat 0xR3F80, bfloat [[CUT]])
; CHECK:         [[R:%.*]] = phi bfloat [ [[NEXT]], %then ], [ [[CUT]], %entry ]
; CHECK:         [[BITS:%.*]] = bitcast bfloat [[R]] to i16
; CHECK:         ret i16 [[BITS]]
define i16 @rounded(float %x, i1 %up) {
entry:
  %bits = bitcast float %x to i32
  %high = lshr i32 %bits, 16
  %cut = trunc i32 %high to i16
  br i1 %up, label %then, label %end
then:
  %next = add i16 %cut, 1
  br label %end
end:
  %rounded = phi i16 [ %next, %then ], [ %cut, %entry ]
  ret i16 %rounded
}

; CHECK-LABEL: define i16 @low(
; CHECK-NOT:     assay
; CHECK:         ret i16
define i16 @low(float %x) {
  %bits = bitcast float %x to i32
  %low = trunc i32 %bits to i16
  ret i16 %low
}
