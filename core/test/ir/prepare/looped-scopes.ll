; What restrict says of one iteration is not said of the next; outside of loops it stays.
; RUN: %opt -passes='assay-prepare<looped-scopes>' %s | %check %s

; CHECK-LABEL: define void @loop(
; CHECK-NOT:     noalias.scope.decl
; CHECK:         load double, ptr %p
; CHECK-NOT:     alias.scope
; CHECK:         ret void
define void @loop(ptr %p, ptr %q, i64 %n) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  %x = load double, ptr %p, !alias.scope !0
  store double %x, ptr %q, !noalias !0
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void
}

; CHECK-LABEL: define void @once(
; CHECK:         noalias.scope.decl
; CHECK:         load double, ptr %p, align 8, !alias.scope
; CHECK:         store double {{.*}}, !noalias
define void @once(ptr %p, ptr %q) {
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  %x = load double, ptr %p, !alias.scope !0
  store double %x, ptr %q, !noalias !0
  ret void
}

declare void @llvm.experimental.noalias.scope.decl(metadata)
!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
