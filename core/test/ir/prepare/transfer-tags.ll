; Copies and fills of arrays that are read or written by index as numbers have the tag of those accesses.
; RUN: %opt -passes='assay-prepare<transfer-tags>' %s | %check %s

%state = type { ptr, ptr, i32 }

; CHECK-LABEL: define double @copied(
; CHECK:         call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false), !tbaa [[DOUBLE:![0-9]+]]
define double @copied(ptr %to, ptr %from, i64 %n) {
  %bytes = shl i64 %n, 3
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false)
  %element = getelementptr double, ptr %to, i64 %n
  %x = load double, ptr %element, !tbaa !2
  ret double %x
}

; A row of an array whose address is in a variable that is declared as a pointer to numbers.
; CHECK-LABEL: define double @row(
; CHECK:         call void @llvm.memset.p0.i64(ptr %row, i8 0, i64 %bytes, i1 false), !tbaa [[DOUBLE]]
define double @row(ptr %s, i64 %n, i64 %i) {
  %bytes = shl i64 %n, 3
  %rows = load ptr, ptr %s, !tbaa !5
  %row = getelementptr double, ptr %rows, i64 %n
  call void @llvm.memset.p0.i64(ptr %row, i8 0, i64 %bytes, i1 false)
  %again = load ptr, ptr %s, !tbaa !5
  %element = getelementptr double, ptr %again, i64 %i
  %x = load double, ptr %element, !tbaa !2
  ret double %x
}

; Of any memory, says the tag of the variable.
; CHECK-LABEL: define double @arena(
; CHECK:         call void @llvm.memset.p0.i64(ptr %row, i8 0, i64 %bytes, i1 false){{$}}
define double @arena(ptr %s, i64 %n, i64 %i) {
  %bytes = shl i64 %n, 3
  %rows = load ptr, ptr %s, !tbaa !9
  %row = getelementptr double, ptr %rows, i64 %n
  call void @llvm.memset.p0.i64(ptr %row, i8 0, i64 %bytes, i1 false)
  %again = load ptr, ptr %s, !tbaa !9
  %element = getelementptr double, ptr %again, i64 %i
  %x = load double, ptr %element, !tbaa !2
  ret double %x
}

; Elements of structs are further apart.
; CHECK-LABEL: define double @structs(
; CHECK:         call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false){{$}}
define double @structs(ptr %to, ptr %from, i64 %n) {
  %bytes = mul i64 %n, 24
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false)
  %element = getelementptr %state, ptr %to, i64 %n
  %x = load double, ptr %element, !tbaa !2
  ret double %x
}

; One struct that begins with an array, and several.
; CHECK-LABEL: define double @headed(
; CHECK:         call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 48, i1 false){{$}}
; CHECK:         call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %several, i1 false){{$}}
define double @headed(ptr %to, ptr %from, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 48, i1 false)
  %pairs = shl i64 %n, 2
  %several = shl i64 %pairs, 3
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %several, i1 false)
  %element = getelementptr double, ptr %to, i64 %n
  %x = load double, ptr %element, !tbaa !2
  ret double %x
}

; A pointer is read there, too.
; CHECK-LABEL: define double @reused(
; CHECK:         call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false){{$}}
define double @reused(ptr %to, ptr %from, i64 %n) {
  %bytes = shl i64 %n, 3
  %element = getelementptr double, ptr %to, i64 %n
  %x = load double, ptr %element, !tbaa !2
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false)
  %p = load ptr, ptr %to, !tbaa !8
  %y = load double, ptr %p, !tbaa !2
  %z = fadd double %x, %y
  ret double %z
}

; CHECK: [[DOUBLE]] = !{[[NODE:![0-9]+]], [[NODE]], i64 0}
; CHECK: [[NODE]] = !{!"double",
!0 = !{!"Simple C/C++ TBAA"}
!1 = !{!"omnipotent char", !0, i64 0}
!2 = !{!3, !3, i64 0}
!3 = !{!"double", !1, i64 0}
!4 = !{!"any pointer", !1, i64 0}
!5 = !{!6, !7, i64 0}
!6 = !{!"state", !7, i64 0, !4, i64 8}
!7 = !{!"p1 double", !4, i64 0}
!8 = !{!7, !7, i64 0}
!9 = !{!6, !4, i64 8}
