; An address that is made of the bits of a number is kept apart from it.
; RUN: %opt -passes='assay-tidy<number-addresses>' %s | %check %s

; CHECK-LABEL: define ptr @of_a_number(
; CHECK-NEXT:    %bits = bitcast double %x to i64
; CHECK-NEXT:    [[APART:%.*]] = freeze i64 %bits
; CHECK-NEXT:    %p = inttoptr i64 [[APART]] to ptr
define ptr @of_a_number(double %x) {
  %bits = bitcast double %x to i64
  %p = inttoptr i64 %bits to ptr
  ret ptr %p
}

; CHECK-LABEL: define ptr @of_an_integer(
; CHECK-NEXT:    %p = inttoptr i64 %n to ptr
define ptr @of_an_integer(i64 %n) {
  %p = inttoptr i64 %n to ptr
  ret ptr %p
}
