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
