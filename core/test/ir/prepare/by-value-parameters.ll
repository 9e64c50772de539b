; A by-value aggregate that is passed in memory is copied by the function itself.
; RUN: %opt -passes='assay-prepare<by-value-parameters>' %s | %check %s

; CHECK-LABEL: define double @by_value(ptr align 8 "assay.copied-object"="copied" %p)
; CHECK-NEXT:    %p.copy = alloca { double, double }, align 8
; CHECK-NEXT:    call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p.copy, ptr align 8 %p, i64 16, i1 false)
; CHECK-NEXT:    load double, ptr %p.copy
define double @by_value(ptr byval({ double, double }) align 8 %p) {
  %x = load double, ptr %p
  ret double %x
}

; CHECK-LABEL: define double @by_reference(ptr align 8 %p)
; CHECK-NEXT:    load double, ptr %p
define double @by_reference(ptr align 8 %p) {
  %x = load double, ptr %p
  ret double %x
}

; CHECK-LABEL: define double @object(ptr align 8 "assay.copied-object"="copied" %p)
; CHECK-NEXT:    %p.copy = alloca [16 x i8], align 8
; CHECK-NEXT:    call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p.copy, ptr align 8 %p, i64 16, i1 false)
; CHECK-NEXT:    load double, ptr %p.copy
define double @object(ptr align 8 "assay.copied-object"="16" %p) {
  %x = load double, ptr %p
  ret double %x
}

; CHECK-LABEL: define double @copied(
; CHECK-NEXT:    load double, ptr %p
define double @copied(ptr align 8 "assay.copied-object"="copied" %p) {
  %x = load double, ptr %p
  ret double %x
}
