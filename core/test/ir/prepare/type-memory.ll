; Loads, stores and copies get the types of what they move.
; RUN: %opt -passes='assay-prepare<type-memory>' %s | %check %s

; CHECK-LABEL: define double @moves_a_number_as_an_integer(
; CHECK-NEXT:    [[X:%.*]] = load double, ptr %p
; CHECK-NEXT:    store double [[X]], ptr %q
define double @moves_a_number_as_an_integer(ptr %p, ptr %q) {
  %bits = load i64, ptr %p
  store i64 %bits, ptr %q
  %x = load double, ptr %q
  ret double %x
}

; CHECK-LABEL: define double @copies_one_number(
; CHECK-NOT:     @llvm.memcpy
; CHECK:         load double, ptr %p
; CHECK:         store double
define double @copies_one_number(ptr %p, ptr %q) {
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 8, i1 false)
  %x = load double, ptr %q
  ret double %x
}

; CHECK-LABEL: define double @copies_many_numbers(
; CHECK-NEXT:    call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 %n, i1 false), !assay.type [[DOUBLE:![0-9]+]]
define double @copies_many_numbers(ptr %p, ptr %q, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 %n, i1 false)
  %place = getelementptr double, ptr %q, i64 %n
  %x = load double, ptr %place
  ret double %x
}

; CHECK-LABEL: define i64 @moves_an_integer(
; CHECK-NEXT:    %n = load i64, ptr %p
; CHECK-NEXT:    %m = mul i64 %n, 3
define i64 @moves_an_integer(ptr %p) {
  %n = load i64, ptr %p
  %m = mul i64 %n, 3
  ret i64 %m
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; CHECK-LABEL: define double @clears(
; CHECK-NOT:     @bzero
; CHECK:         call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %n, i1 false)
declare void @bzero(ptr, i64)
define double @clears(ptr %p, i64 %n) {
  call void @bzero(ptr %p, i64 %n)
  %x = load double, ptr %p
  ret double %x
}

; CHECK-LABEL: define double @copies_to_the_end(
; CHECK-NOT:     @mempcpy
; CHECK:         call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 %n, i1 false)
; CHECK-NEXT:    [[END:%.*]] = getelementptr i8, ptr %q, i64 %n
; CHECK-NEXT:    store double 1.000000e+00, ptr [[END]]
declare ptr @mempcpy(ptr, ptr, i64)
define double @copies_to_the_end(ptr %p, ptr %q, i64 %n) {
  %end = call ptr @mempcpy(ptr %q, ptr %p, i64 %n)
  store double 1.0, ptr %end
  %x = load double, ptr %q
  ret double %x
}

; A function of the program's own.
; CHECK-LABEL: define double @calls_a_name(
; CHECK:         call void @memset(ptr %p, double %x)
declare void @memset(ptr, double)
define double @calls_a_name(ptr %p, double %x) {
  call void @memset(ptr %p, double %x)
  ret double %x
}
