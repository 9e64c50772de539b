; Demands of a program for its loops are dropped, what it says of them is kept.
; RUN: %opt -passes='assay-prepare<loop-hints>' %s | %check %s

; CHECK-LABEL: define void @demanded(
; CHECK:         br i1 %more, label %loop, label %done, !llvm.loop [[DEMANDED:![0-9]+]]
define void @demanded(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr double, ptr %x, i64 %i
  store double 1.0, ptr %place
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done, !llvm.loop !0
done:
  ret void
}

; CHECK-LABEL: define void @plain(
; CHECK:         br i1 %more, label %loop, label %done, !llvm.loop [[PLAIN:![0-9]+]]
define void @plain(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr double, ptr %x, i64 %i
  store double 2.0, ptr %place
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done, !llvm.loop !5
done:
  ret void
}

; CHECK:     [[DEMANDED]] = distinct !{[[DEMANDED]], [[PROGRESS:![0-9]+]], [[PARALLEL:![0-9]+]]}
; CHECK:     [[PROGRESS]] = !{!"llvm.loop.mustprogress"}
; CHECK:     [[PARALLEL]] = !{!"llvm.loop.parallel_accesses",
; CHECK:     [[PLAIN]] = distinct !{[[PLAIN]], [[PROGRESS]]}
!0 = distinct !{!0, !1, !2, !3, !6}
!1 = !{!"llvm.loop.mustprogress"}
!2 = !{!"llvm.loop.vectorize.enable", i1 true}
!3 = !{!"llvm.loop.parallel_accesses", !4}
!4 = distinct !{}
!5 = distinct !{!5, !1}
!6 = !{!"llvm.loop.unroll.count", i32 4}
