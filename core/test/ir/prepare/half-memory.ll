; The name of a class of the toolkit's headers tells that memory holds halves.
; RUN: %opt -passes='assay-prepare<half-memory>' %s | %check %s
target triple = "nvptx64-nvidia-cuda"

%struct.__nv_bfloat162 = type { i32 }
%struct.Pixel = type { i32 }

; CHECK-LABEL: define i32 @pair(
; CHECK:         load <2 x bfloat>, ptr %at
define i32 @pair(ptr %x, i64 %i) {
  %at = getelementptr %struct.__nv_bfloat162, ptr %x, i64 %i
  %word = load i32, ptr %at
  ret i32 %word
}

; CHECK-LABEL: define i32 @pixel(
; CHECK:         load i32, ptr %at
define i32 @pixel(ptr %x, i64 %i) {
  %at = getelementptr %struct.Pixel, ptr %x, i64 %i
  %word = load i32, ptr %at
  ret i32 %word
}
