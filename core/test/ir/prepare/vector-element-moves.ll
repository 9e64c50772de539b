; A shuffle of bytes that moves whole numbers becomes one of numbers.
; RUN: %opt -passes='assay-prepare<vector-element-moves>' %s | %check %s

; CHECK-LABEL: define <2 x float> @whole_numbers(
; CHECK-NOT:     shufflevector <8 x i8>
; CHECK:         insertelement <2 x float>
; CHECK:         ret <2 x float>
define <2 x float> @whole_numbers(<2 x float> %x) {
  %bytes = bitcast <2 x float> %x to <8 x i8>
  %swapped = shufflevector <8 x i8> %bytes, <8 x i8> poison, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 0, i32 1, i32 2, i32 3>
  %y = bitcast <8 x i8> %swapped to <2 x float>
  ret <2 x float> %y
}

; CHECK-LABEL: define <2 x float> @cut_numbers(
; CHECK:         shufflevector <8 x i8>
define <2 x float> @cut_numbers(<2 x float> %x) {
  %bytes = bitcast <2 x float> %x to <8 x i8>
  %swapped = shufflevector <8 x i8> %bytes, <8 x i8> poison, <8 x i32> <i32 3, i32 2, i32 1, i32 0, i32 7, i32 6, i32 5, i32 4>
  %y = bitcast <8 x i8> %swapped to <2 x float>
  ret <2 x float> %y
}
