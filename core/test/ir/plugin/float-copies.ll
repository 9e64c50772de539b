; In a program of floats and doubles, copies of structs keep what clang says of them: pairs of floats, and what is a
; double alone, are moved as numbers, so that no integer is made of them.
; RUN: %opt -passes=assay-protect %s | %check %s

declare double @__enzyme_autodiff(ptr, ...)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; CHECK-LABEL: define void @pair(
; CHECK:         [[LOW:%.*]] = load float, ptr %y, align 4, !tbaa [[TAG:![0-9]+]]
; CHECK-NEXT:    store float [[LOW]], ptr %x, align 4, !tbaa [[TAG]]
; CHECK:         [[HIGH:%.*]] = load float, ptr {{.*}}, align 4, !tbaa [[TAG]]
; CHECK-NEXT:    store float [[HIGH]], ptr {{.*}}, align 4, !tbaa [[TAG]]
; CHECK-NEXT:    ret void
define void @pair(ptr %x, ptr %y) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %x, ptr align 4 %y, i64 8, i1 false), !tbaa.struct !0
  ret void
}

; CHECK-LABEL: define void @beside_a_pointer(
; CHECK:         load float
; CHECK:         load float
; CHECK:         call void @llvm.memcpy.p0.p0.i64(ptr align 8 {{.*}}, ptr align 8 {{.*}}, i64 8, i1 false), !tbaa.struct
define void @beside_a_pointer(ptr %x, ptr %y) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %x, ptr align 8 %y, i64 16, i1 false), !tbaa.struct !1
  ret void
}

; CHECK-LABEL: define void @double_alone(
; CHECK:         load double, ptr %y, align 8, !tbaa
define void @double_alone(ptr %x, ptr %y) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %x, ptr align 8 %y, i64 8, i1 false), !tbaa.struct !2
  ret void
}

; CHECK-LABEL: define void @float_beside_an_integer(
; CHECK-NEXT:    call void @llvm.memcpy
define void @float_beside_an_integer(ptr %x, ptr %y) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %x, ptr align 4 %y, i64 8, i1 false), !tbaa.struct !3
  ret void
}

; CHECK-LABEL: define void @nothing_is_said(
; CHECK-NEXT:    call void @llvm.memcpy
define void @nothing_is_said(ptr %x, ptr %y) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %x, ptr align 4 %y, i64 8, i1 false)
  ret void
}

define double @f(double %x, float %y) {
  %wide = fpext float %y to double
  %product = fmul double %x, %wide
  ret double %product
}

define double @g(double %x, float %y) {
  %result = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, float %y)
  ret double %result
}

!0 = !{i64 0, i64 4, !10, i64 4, i64 4, !10}
!1 = !{i64 0, i64 8, !10, i64 8, i64 8, !12}
!2 = !{i64 0, i64 8, !11}
!3 = !{i64 0, i64 4, !10, i64 4, i64 4, !13}
!10 = !{!20, !20, i64 0}
!11 = !{!21, !21, i64 0}
!12 = !{!22, !22, i64 0}
!13 = !{!23, !23, i64 0}
!20 = !{!"float", !30, i64 0}
!21 = !{!"double", !30, i64 0}
!22 = !{!"any pointer", !30, i64 0}
!23 = !{!"int", !30, i64 0}
!30 = !{!"omnipotent char", !31, i64 0}
!31 = !{!"Simple C++ TBAA"}
