; What does not change in a loop leaves it, and what nobody reads goes; sums of the primal keep their order.
; RUN: %opt -passes='assay-tidy<simplify>' %s | %check %s

; CHECK-LABEL: define double @loop(
; CHECK:         %square = fmul double %x, %x
; CHECK:       loop:
; CHECK-NOT:     fmul
; CHECK:         fadd double
; CHECK:         br i1
define double @loop(double %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %square = fmul double %x, %x
  %unread = fmul double %sum, %x
  %sum.next = fadd double %sum, %square
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret double %sum.next
}

; CHECK-LABEL: define double @order(
; CHECK-NEXT:    [[A:%.*]] = fadd double %x, 1.000000e+00
; CHECK-NEXT:    [[B:%.*]] = fadd double [[A]], -1.000000e+00
; CHECK-NEXT:    ret double [[B]]
define double @order(double %x) {
  %a = fadd double %x, 1.0
  %b = fadd double %a, -1.0
  ret double %b
}
