; Variadic functions of the program's own get a fixed parameter list at each call.
; RUN: %opt -passes='assay-prepare<variadic-calls>' %s | %check %s
target triple = "x86_64-unknown-linux-gnu"

define double @first(i32 %n, ...) {
  %list = alloca [24 x i8], align 16
  call void @llvm.va_start.p0(ptr %list)
  %place = getelementptr i8, ptr %list, i64 8
  %numbers = load ptr, ptr %place
  %y = load double, ptr %numbers
  call void @llvm.va_end.p0(ptr %list)
  ret double %y
}
declare i32 @printf(ptr, ...)

; CHECK-LABEL: define double @calls_one_of_the_program(
; CHECK-NEXT:    call double @first.fixed.double(i32 1, double %x)
define double @calls_one_of_the_program(double %x) {
  %y = call double (i32, ...) @first(i32 1, double %x)
  ret double %y
}

; CHECK-LABEL: define i32 @calls_one_of_a_library(
; CHECK-NEXT:    call i32 (ptr, ...) @printf(ptr %text, double %x)
define i32 @calls_one_of_a_library(ptr %text, double %x) {
  %y = call i32 (ptr, ...) @printf(ptr %text, double %x)
  ret i32 %y
}

; A list that the function is given is copied as the memory that it is.
; CHECK-LABEL: define double @reads_twice(
; CHECK:         call void @llvm.memcpy.p0.p0.i64(ptr align 8 %again, ptr align 8 %list, i64 24, i1 false)
; CHECK-NOT:     va_end
; CHECK:         ret double
define double @reads_twice(ptr %list) {
  %again = alloca [24 x i8], align 16
  call void @llvm.va_copy.p0(ptr %again, ptr %list)
  %place = getelementptr i8, ptr %again, i64 8
  %numbers = load ptr, ptr %place
  %y = load double, ptr %numbers
  call void @llvm.va_end.p0(ptr %again)
  ret double %y
}

; CHECK-LABEL: define internal double @first.fixed.double(i32 %n, double %0)
; CHECK:         [[FURTHER:%.*]] = alloca [8 x i8], align 16
; CHECK:         store double %0, ptr {{.*}}
; CHECK-NOT:     va_start
