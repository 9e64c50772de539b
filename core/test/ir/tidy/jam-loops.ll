; A nest whose inner loop walks down columns runs several iterations of the outer loop side by side.
; RUN: %opt -passes='assay-tidy<jam-loops>' %s | %check %s

; CHECK-LABEL: define void @columns(
; CHECK:         phi <{{[0-9]+}} x double>
; CHECK:       }
define void @columns(ptr noalias %a, ptr %b, ptr noalias %c, i64 %n) {
entry:
  br label %outer
outer:
  %j = phi i64 [ 0, %entry ], [ %j.next, %outer.end ]
  br label %inner
inner:
  %k = phi i64 [ 0, %outer ], [ %k.next, %inner ]
  %sum = phi double [ 0.0, %outer ], [ %sum.next, %inner ]
  %a.place = getelementptr double, ptr %a, i64 %k
  %row = mul i64 %k, %n
  %b.row = getelementptr double, ptr %b, i64 %row
  %b.place = getelementptr double, ptr %b.row, i64 %j
  %a.k = load double, ptr %a.place
  %b.k = load double, ptr %b.place
  %product = fmul double %a.k, %b.k
  %sum.next = fadd double %sum, %product
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp ult i64 %k.next, %n
  br i1 %k.more, label %inner, label %outer.end
outer.end:
  %c.place = getelementptr double, ptr %c, i64 %j
  store double %sum.next, ptr %c.place
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, %n
  br i1 %j.more, label %outer, label %exit, !llvm.loop !0
exit:
  ret void
}

; CHECK-LABEL: define void @rows(
; CHECK-NOT:     phi <
; CHECK:       }
define void @rows(ptr noalias %a, ptr %b, ptr noalias %c, i64 %n) {
entry:
  br label %outer
outer:
  %j = phi i64 [ 0, %entry ], [ %j.next, %outer.end ]
  br label %inner
inner:
  %k = phi i64 [ 0, %outer ], [ %k.next, %inner ]
  %sum = phi double [ 0.0, %outer ], [ %sum.next, %inner ]
  %a.place = getelementptr double, ptr %a, i64 %k
  %row = mul i64 %k, 1
  %b.row = getelementptr double, ptr %b, i64 %row
  %b.place = getelementptr double, ptr %b.row, i64 %j
  %a.k = load double, ptr %a.place
  %b.k = load double, ptr %b.place
  %product = fmul double %a.k, %b.k
  %sum.next = fadd double %sum, %product
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp ult i64 %k.next, %n
  br i1 %k.more, label %inner, label %outer.end
outer.end:
  %c.place = getelementptr double, ptr %c, i64 %j
  store double %sum.next, ptr %c.place
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, %n
  br i1 %j.more, label %outer, label %exit, !llvm.loop !2
exit:
  ret void
}

; CHECK-LABEL: define void @columns_of_the_program(
; CHECK-NOT:     phi <
; CHECK:       }
define void @columns_of_the_program(ptr noalias %a, ptr %b, ptr noalias %c, i64 %n) {
entry:
  br label %outer
outer:
  %j = phi i64 [ 0, %entry ], [ %j.next, %outer.end ]
  br label %inner
inner:
  %k = phi i64 [ 0, %outer ], [ %k.next, %inner ]
  %sum = phi double [ 0.0, %outer ], [ %sum.next, %inner ]
  %a.place = getelementptr double, ptr %a, i64 %k
  %row = mul i64 %k, %n
  %b.row = getelementptr double, ptr %b, i64 %row
  %b.place = getelementptr double, ptr %b.row, i64 %j
  %a.k = load double, ptr %a.place
  %b.k = load double, ptr %b.place
  %product = fmul double %a.k, %b.k
  %sum.next = fadd double %sum, %product
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp ult i64 %k.next, %n
  br i1 %k.more, label %inner, label %outer.end
outer.end:
  %c.place = getelementptr double, ptr %c, i64 %j
  store double %sum.next, ptr %c.place
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, %n
  br i1 %j.more, label %outer, label %exit, !llvm.loop !3
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"assay.derivative.loop", i32 1}
!2 = distinct !{!2, !1}
!3 = distinct !{!3}
