; Words that become numbers in a function are given to it in memory.
; RUN: %opt -passes='assay-prepare<word-arguments>' %s | %check %s

; CHECK-LABEL: define double @calls_with_bits(
; CHECK-NEXT:    %word = alloca i64
; CHECK:         store double %x, ptr %word
; CHECK-NEXT:    call double @number_or_address.words_in_memory(i32 1, ptr %word)
define double @calls_with_bits(double %x) {
  %bits = bitcast double %x to i64
  %y = tail call double @number_or_address(i32 1, i64 %bits)
  ret double %y
}

define double @number_or_address(i32 %tag, i64 %bits) {
  %is_number = icmp eq i32 %tag, 1
  br i1 %is_number, label %number, label %address
number:
  %x = bitcast i64 %bits to double
  ret double %x
address:
  %place = inttoptr i64 %bits to ptr
  %inner.tag = load i32, ptr %place
  %inner.place = getelementptr i8, ptr %place, i64 8
  %inner = load i64, ptr %inner.place
  %y = tail call double @number_or_address(i32 %inner.tag, i64 %inner)
  ret double %y
}

; Code that is not optimised keeps its parameters in variables.
; CHECK-LABEL: define double @calls_with_a_variable(
; CHECK:         call double @kept.words_in_memory(ptr %word, i64 %n)
define double @calls_with_a_variable(i64 %bits, i64 %n) {
  %y = call double @kept(i64 %bits, i64 %n)
  ret double %y
}
define double @kept(i64 %bits, i64 %n) {
  %both = alloca { i32, i64, i64 }
  %place = getelementptr i8, ptr %both, i64 8
  %count = getelementptr i8, ptr %both, i64 16
  store i64 %bits, ptr %place
  store i64 %n, ptr %count
  %x = load double, ptr %place
  ret double %x
}

; CHECK-LABEL: define i64 @calls_with_an_integer(
; CHECK-NEXT:    call i64 @integer(i64 %n)
define i64 @calls_with_an_integer(i64 %n) {
  %m = call i64 @integer(i64 %n)
  ret i64 %m
}
define i64 @integer(i64 %n) {
  %m = add i64 %n, 1
  ret i64 %m
}

; The copy calls itself, and the number is loaded as one.
; CHECK-LABEL: define internal double @number_or_address.words_in_memory(i32 %tag, ptr %bits)
; CHECK:         load double, ptr %bits
; CHECK-NOT:     bitcast
; CHECK:         call double @number_or_address.words_in_memory(i32 %
