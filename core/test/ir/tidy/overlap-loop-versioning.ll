; A nest of loops that calls a rare function gets a copy that does; the nest itself does not any more.
; RUN: %opt -passes='assay-tidy<overlap-loop-versioning>' %s | %check %s

declare void @rare() "assay-rare"
declare void @usual()

; CHECK-LABEL: define void @with_rare_work(
; CHECK:         %same = freeze i1 %c
; CHECK:         br i1 {{.*}}, label %[[ONE:.*]], label %[[OTHER:.*]]
; CHECK-COUNT-2: phi i64
; CHECK:       }
define void @with_rare_work(i64 %n, i1 %c) "assay-overlap-loop-versioning" {
entry:
  %same = freeze i1 %c
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  br i1 %same, label %work, label %end
work:
  call void @rare()
  br label %end
end:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define void @with_usual_work(
; CHECK-COUNT-1: phi i64
; CHECK-NOT:     phi i64
; CHECK:       }
define void @with_usual_work(i64 %n, i1 %c) "assay-overlap-loop-versioning" {
entry:
  %same = freeze i1 %c
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  br i1 %same, label %work, label %end
work:
  call void @usual()
  br label %end
end:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
