; A function that takes a byte to memory is inlined where numbers are cut, however large it is, and left alone elsewhere.
; RUN: %opt -passes='assay-prepare<byte-calls>' %s | %check %s

define internal void @put(i8 %byte, ptr %to) {
  store i8 %byte, ptr %to
  ret void
}

; CHECK-LABEL: define void @cuts_a_number(
; CHECK-NOT:     call void @put
; CHECK:         store i8
; CHECK:         ret void
define void @cuts_a_number(double %x, ptr %to) {
  %bits = bitcast double %x to i64
  %low = trunc i64 %bits to i8
  call void @put(i8 %low, ptr %to)
  ret void
}

; CHECK-LABEL: define void @cuts_an_integer(
; CHECK:         call void @put
; CHECK:         ret void
define void @cuts_an_integer(i64 %bits, ptr %to) {
  %low = trunc i64 %bits to i8
  call void @put(i8 %low, ptr %to)
  ret void
}
