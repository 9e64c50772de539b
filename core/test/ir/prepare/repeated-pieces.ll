; A piece that stands in a word more than once is put together from shifted copies, not multiplied.
; RUN: %opt -passes='assay-prepare<repeated-pieces>' %s | %check %s

; CHECK-LABEL: define void @twice(
; CHECK-NOT:     mul
; CHECK:         [[WIDE:%.*]] = zext i32 %bits to i64
; CHECK-NEXT:    [[HIGH:%.*]] = shl i64 [[WIDE]], 32
; CHECK-NEXT:    [[WORD:%.*]] = or disjoint i64 [[WIDE]], [[HIGH]]
; CHECK-NEXT:    store i64 [[WORD]], ptr %p
define void @twice(ptr %p, float %x) {
  %bits = bitcast float %x to i32
  %wide = zext i32 %bits to i64
  %word = mul nuw i64 %wide, 4294967297
  store i64 %word, ptr %p
  ret void
}

; CHECK-LABEL: define i128 @behind_zeros(
; CHECK-NOT:     mul
; CHECK:         shl i128 {{%.*}}, 32
; CHECK:         shl i128 {{%.*}}, 96
; CHECK:         or disjoint i128
define i128 @behind_zeros(i32 %bits) {
  %wide = zext i32 %bits to i128
  %words = mul i128 %wide, 79228162514264337597838917632
  ret i128 %words
}

; Copies that overlap are a product, and so is a single one.
; CHECK-LABEL: define i64 @overlapping(
; CHECK:         mul i64 %wide, 65537
define i64 @overlapping(i32 %bits) {
  %wide = zext i32 %bits to i64
  %product = mul i64 %wide, 65537
  ret i64 %product
}

; CHECK-LABEL: define i64 @once(
; CHECK:         mul i64 %wide, 4294967296
define i64 @once(i32 %bits) {
  %wide = zext i32 %bits to i64
  %product = mul i64 %wide, 4294967296
  ret i64 %product
}

; Bytes are no numbers.
; CHECK-LABEL: define i32 @characters(
; CHECK:         mul i32 %wide, 16843009
define i32 @characters(i8 %c) {
  %wide = zext i8 %c to i32
  %word = mul i32 %wide, 16843009
  ret i32 %word
}
