; Halves that are parts of words are numbers where they are used as numbers.
; RUN: %opt -passes='assay-prepare<packed-halves>' %s | %check %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define half @high(
; CHECK:         [[H:%.*]] = extractelement <2 x half> %pair, i64 1
; CHECK:         ret half
define half @high(<2 x half> %pair) {
  %word = bitcast <2 x half> %pair to i32
  %shifted = lshr i32 %word, 16
  %part = trunc i32 %shifted to i16
  %number = bitcast i16 %part to half
  ret half %number
}

; CHECK-LABEL: define void @stored(
; CHECK:         store <2 x bfloat>
define void @stored(bfloat %low, bfloat %high, ptr %to) {
  %a = bitcast bfloat %low to i16
  %b = bitcast bfloat %high to i16
  %wide = zext i16 %b to i32
  %upper = shl i32 %wide, 16
  %lower = zext i16 %a to i32
  %word = or i32 %upper, %lower
  store i32 %word, ptr %to
  ret void
}

; The other half is an integer.
; CHECK-LABEL: define void @beside_an_integer(
; CHECK:         store i32
define void @beside_an_integer(half %value, i16 %index, ptr %to) {
  %a = bitcast half %value to i16
  %low = zext i16 %a to i32
  %wide = zext i16 %index to i32
  %high = shl i32 %wide, 16
  %word = or i32 %high, %low
  store i32 %word, ptr %to
  ret void
}
