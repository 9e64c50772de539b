; A load of a place that the loop's stores move away from is made once, before the loop.
; RUN: %opt -passes='assay-tidy<hoist-loads>' %s | %check %s

; CHECK-LABEL: define void @stores_move_away(
; CHECK:         load double, ptr %fixed
; CHECK:       loop:
; CHECK-NOT:     ptr %fixed
; CHECK:       }
define void @stores_move_away(ptr %row, i64 %k, i64 %n) {
entry:
  %fixed = getelementptr double, ptr %row, i64 %k
  %start = add i64 %k, 1
  br label %loop
loop:
  %j = phi i64 [ %start, %entry ], [ %next, %loop ]
  %factor = load double, ptr %fixed
  %place = getelementptr double, ptr %row, i64 %j
  %number = load double, ptr %place
  %product = fmul double %number, %factor
  store double %product, ptr %place
  %next = add i64 %j, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}

; CHECK-LABEL: define void @a_store_meets_it(
; CHECK:       loop:
; CHECK:         %factor = load double, ptr %fixed
define void @a_store_meets_it(ptr %row, i64 %k, i64 %n) {
entry:
  %fixed = getelementptr double, ptr %row, i64 %k
  br label %loop
loop:
  %j = phi i64 [ %k, %entry ], [ %next, %loop ]
  %factor = load double, ptr %fixed
  %place = getelementptr double, ptr %row, i64 %j
  %number = load double, ptr %place
  %product = fmul double %number, %factor
  store double %product, ptr %place
  %next = add i64 %j, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !2
exit:
  ret void
}

; CHECK-LABEL: define void @loop_of_the_program(
; CHECK:       loop:
; CHECK:         %factor = load double, ptr %fixed
define void @loop_of_the_program(ptr %row, i64 %k, i64 %n) {
entry:
  %fixed = getelementptr double, ptr %row, i64 %k
  %start = add i64 %k, 1
  br label %loop
loop:
  %j = phi i64 [ %start, %entry ], [ %next, %loop ]
  %factor = load double, ptr %fixed
  %place = getelementptr double, ptr %row, i64 %j
  %number = load double, ptr %place
  %product = fmul double %number, %factor
  store double %product, ptr %place
  %next = add i64 %j, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"assay.derivative.loop", i32 1}
!2 = distinct !{!2, !1}
