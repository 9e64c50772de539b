; Markers of lifetimes go; the memory stays.
; RUN: %opt -passes='assay-prepare<lifetimes>' %s | %check %s
; RUN: %opt -passes='assay-prepare<lifetimes>' '-print-after=assay-prepare<lifetimes>' -disable-output %s 2>&1 | %check %s --check-prefix=PRINTED
; RUN: not %opt -passes='assay-prepare<lifetime>' -disable-output %s 2>&1 | %check %s --check-prefix=UNKNOWN

; PRINTED: IR Dump After assay-prepare<lifetimes> on marked
; UNKNOWN: there is no pass 'lifetime' in the list assay-prepare, which has all, merge-callees, {{.*}}, lifetimes, {{.*}}
; UNKNOWN: unknown pass name 'assay-prepare<lifetime>'

; CHECK-LABEL: define double @marked(
; CHECK-NEXT:    %p = alloca double
; CHECK-NEXT:    store double %x, ptr %p
; CHECK-NEXT:    %y = load double, ptr %p
; CHECK-NEXT:    ret double %y
define double @marked(double %x) {
  %p = alloca double
  call void @llvm.lifetime.start.p0(ptr %p)
  store double %x, ptr %p
  %y = load double, ptr %p
  call void @llvm.lifetime.end.p0(ptr %p)
  ret double %y
}

; CHECK-LABEL: define double @calls_something_else(
; CHECK-NEXT:    call void @end(ptr %p)
define double @calls_something_else(ptr %p) {
  call void @end(ptr %p)
  ret double 0.0
}
declare void @end(ptr)
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
