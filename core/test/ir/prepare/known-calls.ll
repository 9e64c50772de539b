; Library functions that are written in terms of simpler ones.
; RUN: %opt -passes='assay-prepare<known-calls>' %s | %check %s

declare void @sincos(double, ptr, ptr)
declare ptr @realloc(ptr, i64)
declare void @other(double, ptr, ptr)

; CHECK-LABEL: define void @sine_and_cosine(
; CHECK-NOT:     @sincos
; CHECK-DAG:     call double @{{(llvm.)?}}sin{{.*}}(double %x)
; CHECK-DAG:     call double @{{(llvm.)?}}cos{{.*}}(double %x)
; CHECK:         ret void
define void @sine_and_cosine(double %x, ptr %s, ptr %c) {
  call void @sincos(double %x, ptr %s, ptr %c)
  ret void
}

; CHECK-LABEL: define ptr @grows(
; CHECK-NOT:     @realloc
; CHECK:         call {{.*}}ptr @malloc(
; CHECK:         call void @llvm.memcpy
; CHECK:         call void @free(
define ptr @grows(ptr %p, i64 %n) {
  %q = call ptr @realloc(ptr %p, i64 %n)
  ret ptr %q
}

; CHECK-LABEL: define void @unknown(
; CHECK-NEXT:    call void @other(double %x, ptr %s, ptr %c)
; CHECK-NEXT:    ret void
define void @unknown(double %x, ptr %s, ptr %c) {
  call void @other(double %x, ptr %s, ptr %c)
  ret void
}

; A function of the program's own that has the name of the library's.
; CHECK-LABEL: define double @shares_a_name(
; CHECK-NEXT:    %y = call double @modf(double %x, double %x)
; CHECK-NEXT:    ret double %y
declare double @modf(double, double)
define double @shares_a_name(double %x) {
  %y = call double @modf(double %x, double %x)
  ret double %y
}

; CHECK-LABEL: define ptr @grows_or_frees(
; CHECK-NOT:     @reallocf
; CHECK:         call {{.*}}ptr @malloc(
declare ptr @reallocf(ptr, i64)
define ptr @grows_or_frees(ptr %p, i64 %n) {
  %q = call ptr @reallocf(ptr %p, i64 %n)
  ret ptr %q
}

; CHECK-LABEL: define double @fraction_and_exponent(
; CHECK:         [[SLOT:%.*]] = alloca i32
; CHECK:         [[FRACTION:%.*]] = call double @frexp(double %x, ptr [[SLOT]])
; CHECK:         [[EXPONENT:%.*]] = load i32, ptr [[SLOT]]
; CHECK-NOT:     call {{.*}}@llvm.frexp
declare { double, i32 } @llvm.frexp.f64.i32(double)
define double @fraction_and_exponent(double %x) {
  %parts = call { double, i32 } @llvm.frexp.f64.i32(double %x)
  %fraction = extractvalue { double, i32 } %parts, 0
  ret double %fraction
}

; Numbers of 16 bits are whole floats.
; CHECK-LABEL: define half @fraction_of_half(
; CHECK:         call float @frexpf(float
; CHECK:         fptrunc float {{.*}} to half
declare { half, i16 } @llvm.frexp.f16.i16(half)
define half @fraction_of_half(half %x) {
  %parts = call { half, i16 } @llvm.frexp.f16.i16(half %x)
  %fraction = extractvalue { half, i16 } %parts, 0
  ret half %fraction
}

declare double @strtod(ptr, ptr)

; The end of the text goes into a variable, which a tail call would not see.
; CHECK-LABEL: define double @converts_in_a_tail_call(
; CHECK:         %text.end = alloca ptr
; CHECK:         %n = call double @strtod(ptr %text, ptr %text.end)
; CHECK:         load ptr, ptr %text.end
define double @converts_in_a_tail_call(ptr %text, ptr %end) {
  %n = tail call double @strtod(ptr %text, ptr %end)
  ret double %n
}
