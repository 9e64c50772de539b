; Lanes whose addresses do not fit into registers are computed by several loops, a few lanes each.
; RUN: %opt -passes='assay-tidy<split-lanes>' %s | %check %s

; CHECK-LABEL: define double @eight_lanes(
; CHECK-COUNT-2: phi i64
; CHECK-NOT:     phi i64
; CHECK:       }
define double @eight_lanes(ptr %a, ptr %b, ptr %da.1, ptr %db.1, ptr %da.2, ptr %db.2, ptr %da.3, ptr %db.3, ptr %da.4, ptr %db.4, ptr %da.5, ptr %db.5, ptr %da.6, ptr %db.6, ptr %da.7, ptr %db.7, ptr %da.8, ptr %db.8, i64 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum.1 = phi double [ 0.0, %entry ], [ %sum.next.1, %loop ]
  %sum.2 = phi double [ 0.0, %entry ], [ %sum.next.2, %loop ]
  %sum.3 = phi double [ 0.0, %entry ], [ %sum.next.3, %loop ]
  %sum.4 = phi double [ 0.0, %entry ], [ %sum.next.4, %loop ]
  %sum.5 = phi double [ 0.0, %entry ], [ %sum.next.5, %loop ]
  %sum.6 = phi double [ 0.0, %entry ], [ %sum.next.6, %loop ]
  %sum.7 = phi double [ 0.0, %entry ], [ %sum.next.7, %loop ]
  %sum.8 = phi double [ 0.0, %entry ], [ %sum.next.8, %loop ]
  %a.place = getelementptr double, ptr %a, i64 %k
  %a.k = load double, ptr %a.place, !alias.scope !4, !noalias !50
  %b.place = getelementptr double, ptr %b, i64 %k
  %b.k = load double, ptr %b.place, !alias.scope !4, !noalias !50
  %da.place.1 = getelementptr double, ptr %da.1, i64 %k
  %x.1 = load double, ptr %da.place.1, !alias.scope !31, !noalias !51
  %place.1 = getelementptr double, ptr %db.1, i64 %k
  %y.1 = load double, ptr %place.1, !alias.scope !31, !noalias !51
  %left.1 = fmul double %x.1, %b.k
  %right.1 = fmul double %y.1, %a.k
  %change.1 = fadd reassoc double %left.1, %right.1
  %sum.next.1 = fadd reassoc double %sum.1, %change.1
  %da.place.2 = getelementptr double, ptr %da.2, i64 %k
  %x.2 = load double, ptr %da.place.2, !alias.scope !32, !noalias !52
  %place.2 = getelementptr double, ptr %db.2, i64 %k
  %y.2 = load double, ptr %place.2, !alias.scope !32, !noalias !52
  %left.2 = fmul double %x.2, %b.k
  %right.2 = fmul double %y.2, %a.k
  %change.2 = fadd reassoc double %left.2, %right.2
  %sum.next.2 = fadd reassoc double %sum.2, %change.2
  %da.place.3 = getelementptr double, ptr %da.3, i64 %k
  %x.3 = load double, ptr %da.place.3, !alias.scope !33, !noalias !53
  %place.3 = getelementptr double, ptr %db.3, i64 %k
  %y.3 = load double, ptr %place.3, !alias.scope !33, !noalias !53
  %left.3 = fmul double %x.3, %b.k
  %right.3 = fmul double %y.3, %a.k
  %change.3 = fadd reassoc double %left.3, %right.3
  %sum.next.3 = fadd reassoc double %sum.3, %change.3
  %da.place.4 = getelementptr double, ptr %da.4, i64 %k
  %x.4 = load double, ptr %da.place.4, !alias.scope !34, !noalias !54
  %place.4 = getelementptr double, ptr %db.4, i64 %k
  %y.4 = load double, ptr %place.4, !alias.scope !34, !noalias !54
  %left.4 = fmul double %x.4, %b.k
  %right.4 = fmul double %y.4, %a.k
  %change.4 = fadd reassoc double %left.4, %right.4
  %sum.next.4 = fadd reassoc double %sum.4, %change.4
  %da.place.5 = getelementptr double, ptr %da.5, i64 %k
  %x.5 = load double, ptr %da.place.5, !alias.scope !35, !noalias !55
  %place.5 = getelementptr double, ptr %db.5, i64 %k
  %y.5 = load double, ptr %place.5, !alias.scope !35, !noalias !55
  %left.5 = fmul double %x.5, %b.k
  %right.5 = fmul double %y.5, %a.k
  %change.5 = fadd reassoc double %left.5, %right.5
  %sum.next.5 = fadd reassoc double %sum.5, %change.5
  %da.place.6 = getelementptr double, ptr %da.6, i64 %k
  %x.6 = load double, ptr %da.place.6, !alias.scope !36, !noalias !56
  %place.6 = getelementptr double, ptr %db.6, i64 %k
  %y.6 = load double, ptr %place.6, !alias.scope !36, !noalias !56
  %left.6 = fmul double %x.6, %b.k
  %right.6 = fmul double %y.6, %a.k
  %change.6 = fadd reassoc double %left.6, %right.6
  %sum.next.6 = fadd reassoc double %sum.6, %change.6
  %da.place.7 = getelementptr double, ptr %da.7, i64 %k
  %x.7 = load double, ptr %da.place.7, !alias.scope !37, !noalias !57
  %place.7 = getelementptr double, ptr %db.7, i64 %k
  %y.7 = load double, ptr %place.7, !alias.scope !37, !noalias !57
  %left.7 = fmul double %x.7, %b.k
  %right.7 = fmul double %y.7, %a.k
  %change.7 = fadd reassoc double %left.7, %right.7
  %sum.next.7 = fadd reassoc double %sum.7, %change.7
  %da.place.8 = getelementptr double, ptr %da.8, i64 %k
  %x.8 = load double, ptr %da.place.8, !alias.scope !38, !noalias !58
  %place.8 = getelementptr double, ptr %db.8, i64 %k
  %y.8 = load double, ptr %place.8, !alias.scope !38, !noalias !58
  %left.8 = fmul double %x.8, %b.k
  %right.8 = fmul double %y.8, %a.k
  %change.8 = fadd reassoc double %left.8, %right.8
  %sum.next.8 = fadd reassoc double %sum.8, %change.8
  %next = add nuw nsw i64 %k, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !0
exit:
  %all.1 = fadd double 0.0, %sum.next.1
  %all.2 = fadd double %all.1, %sum.next.2
  %all.3 = fadd double %all.2, %sum.next.3
  %all.4 = fadd double %all.3, %sum.next.4
  %all.5 = fadd double %all.4, %sum.next.5
  %all.6 = fadd double %all.5, %sum.next.6
  %all.7 = fadd double %all.6, %sum.next.7
  %all.8 = fadd double %all.7, %sum.next.8
  ret double %all.8
}

; CHECK-LABEL: define double @two_lanes(
; CHECK-COUNT-1: phi i64
; CHECK-NOT:     phi i64
; CHECK:       }
define double @two_lanes(ptr %a, ptr %b, ptr %da.1, ptr %db.1, ptr %da.2, ptr %db.2, i64 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum.1 = phi double [ 0.0, %entry ], [ %sum.next.1, %loop ]
  %sum.2 = phi double [ 0.0, %entry ], [ %sum.next.2, %loop ]
  %a.place = getelementptr double, ptr %a, i64 %k
  %a.k = load double, ptr %a.place, !alias.scope !4, !noalias !50
  %b.place = getelementptr double, ptr %b, i64 %k
  %b.k = load double, ptr %b.place, !alias.scope !4, !noalias !50
  %da.place.1 = getelementptr double, ptr %da.1, i64 %k
  %x.1 = load double, ptr %da.place.1, !alias.scope !31, !noalias !51
  %place.1 = getelementptr double, ptr %db.1, i64 %k
  %y.1 = load double, ptr %place.1, !alias.scope !31, !noalias !51
  %left.1 = fmul double %x.1, %b.k
  %right.1 = fmul double %y.1, %a.k
  %change.1 = fadd reassoc double %left.1, %right.1
  %sum.next.1 = fadd reassoc double %sum.1, %change.1
  %da.place.2 = getelementptr double, ptr %da.2, i64 %k
  %x.2 = load double, ptr %da.place.2, !alias.scope !32, !noalias !52
  %place.2 = getelementptr double, ptr %db.2, i64 %k
  %y.2 = load double, ptr %place.2, !alias.scope !32, !noalias !52
  %left.2 = fmul double %x.2, %b.k
  %right.2 = fmul double %y.2, %a.k
  %change.2 = fadd reassoc double %left.2, %right.2
  %sum.next.2 = fadd reassoc double %sum.2, %change.2
  %next = add nuw nsw i64 %k, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !5
exit:
  %all.1 = fadd double 0.0, %sum.next.1
  %all.2 = fadd double %all.1, %sum.next.2
  ret double %all.2
}
!0 = distinct !{!0, !1}
!1 = !{!"assay.derivative.loop", i32 1}
!2 = distinct !{!2, !"assay"}
!3 = distinct !{!3, !2, !"primal"}
!4 = !{!3}
!5 = distinct !{!5, !1}
!50 = !{!11, !12, !13, !14, !15, !16, !17, !18}
!11 = distinct !{!11, !2, !"lane"}
!31 = !{!11}
!51 = !{!3, !12, !13, !14, !15, !16, !17, !18}
!12 = distinct !{!12, !2, !"lane"}
!32 = !{!12}
!52 = !{!3, !11, !13, !14, !15, !16, !17, !18}
!13 = distinct !{!13, !2, !"lane"}
!33 = !{!13}
!53 = !{!3, !11, !12, !14, !15, !16, !17, !18}
!14 = distinct !{!14, !2, !"lane"}
!34 = !{!14}
!54 = !{!3, !11, !12, !13, !15, !16, !17, !18}
!15 = distinct !{!15, !2, !"lane"}
!35 = !{!15}
!55 = !{!3, !11, !12, !13, !14, !16, !17, !18}
!16 = distinct !{!16, !2, !"lane"}
!36 = !{!16}
!56 = !{!3, !11, !12, !13, !14, !15, !17, !18}
!17 = distinct !{!17, !2, !"lane"}
!37 = !{!17}
!57 = !{!3, !11, !12, !13, !14, !15, !16, !18}
!18 = distinct !{!18, !2, !"lane"}
!38 = !{!18}
!58 = !{!3, !11, !12, !13, !14, !15, !16, !17}
