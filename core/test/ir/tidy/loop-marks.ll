; Loops of a derivative are marked, so that later passes know them.
; RUN: %opt -passes='assay-tidy<loop-marks>' %s | %check %s

; CHECK-LABEL: define void @loop(
; CHECK:         br i1 %more, label %loop, label %exit, !llvm.loop [[LOOP:![0-9]+]]
define void @loop(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define void @no_loop(
; CHECK-NOT:     !llvm.loop
; CHECK:       }
define void @no_loop(i1 %c) {
  br i1 %c, label %one, label %other
one:
  ret void
other:
  ret void
}
; CHECK: [[LOOP]] = distinct !{[[LOOP]], [[MARK:![0-9]+]]}
; CHECK: [[MARK]] = !{!"assay.derivative.loop", i32 1}
