; Sums whose order is free get a loop of their own beside sums that keep theirs.
; RUN: %opt -passes='assay-tidy<separate-sums>' %s | %check %s

; CHECK-LABEL: define double @both_kinds(
; CHECK-COUNT-2: phi i64
; CHECK:       }
define double @both_kinds(ptr noalias %a, ptr noalias %b, ptr noalias %da, ptr noalias %db, i64 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %tangent = phi double [ 0.0, %entry ], [ %tangent.next, %loop ]
  %a.place = getelementptr double, ptr %a, i64 %k
  %b.place = getelementptr double, ptr %b, i64 %k
  %da.place = getelementptr double, ptr %da, i64 %k
  %db.place = getelementptr double, ptr %db, i64 %k
  %a.k = load double, ptr %a.place
  %b.k = load double, ptr %b.place
  %da.k = load double, ptr %da.place
  %db.k = load double, ptr %db.place
  %product = fmul double %a.k, %b.k
  %sum.next = fadd double %sum, %product
  %left = fmul double %da.k, %b.k
  %right = fmul double %db.k, %a.k
  %change = fadd reassoc double %left, %right
  %tangent.next = fadd reassoc double %tangent, %change
  %next = add nuw nsw i64 %k, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  %all = fadd double %sum.next, %tangent.next
  ret double %all
}

; CHECK-LABEL: define double @one_waits_for_the_other(
; CHECK-COUNT-1: phi i64
; CHECK-NOT:     phi i64
; CHECK:       }
define double @one_waits_for_the_other(ptr noalias %a, ptr noalias %b, ptr noalias %da, ptr noalias %db, i64 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %tangent = phi double [ 0.0, %entry ], [ %tangent.next, %loop ]
  %a.place = getelementptr double, ptr %a, i64 %k
  %b.place = getelementptr double, ptr %b, i64 %k
  %da.place = getelementptr double, ptr %da, i64 %k
  %db.place = getelementptr double, ptr %db, i64 %k
  %a.k = load double, ptr %a.place
  %b.k = load double, ptr %b.place
  %da.k = load double, ptr %da.place
  %db.k = load double, ptr %db.place
  %product = fmul double %a.k, %b.k
  %sum.next = fadd double %sum, %product
  %left = fmul double %da.k, %b.k
  %right = fmul double %db.k, %sum
  %change = fadd reassoc double %left, %right
  %tangent.next = fadd reassoc double %tangent, %change
  %next = add nuw nsw i64 %k, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  %all = fadd double %sum.next, %tangent.next
  ret double %all
}
