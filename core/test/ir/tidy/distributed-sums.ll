; Loops that add to neighbouring places run in blocks: first what is added, then a loop for each group of places.
; RUN: %opt -passes='assay-tidy<distributed-sums>' %s | %check %s

target datalayout = "e-m:e-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; The adjoint of y[k] = x[k - 1] - 2 x[k] + x[k + 1]: one group, one buffer for what is added plainly, one for the rest.
; CHECK-LABEL: define void @stencil(
; CHECK-DAG:   %added = alloca [112 x double], align 64
; CHECK-DAG:   %[[OTHER:added[0-9]+]] = alloca [112 x double], align 64
; CHECK:       icmp uge i64 %{{.*}}, 15
; CHECK:       sums.add:
; CHECK-COUNT-3: fadd reassoc double
; CHECK-NOT:   fadd
; CHECK:       br i1 %{{.*}}, label %sums.next, label %sums.add
; CHECK-NOT:   sums.add:
; CHECK:       }
define void @stencil(ptr noalias %dx, ptr noalias %dy, i64 %n) #0 {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %dy.place = getelementptr inbounds double, ptr %dy, i64 %k
  %dy.k = load double, ptr %dy.place
  store double 0.0, ptr %dy.place
  %twice = fmul double %dy.k, -2.0
  %left = getelementptr inbounds double, ptr %dx, i64 %k
  %left.old = load double, ptr %left
  %left.new = fadd reassoc double %left.old, %dy.k
  store double %left.new, ptr %left, !assay.sum !0
  %middle = getelementptr inbounds i8, ptr %left, i64 8
  %middle.old = load double, ptr %middle
  %middle.new = fadd reassoc double %middle.old, %twice
  store double %middle.new, ptr %middle, !assay.sum !0
  %right = getelementptr inbounds i8, ptr %left, i64 16
  %right.old = load double, ptr %right
  %right.new = fadd reassoc double %right.old, %dy.k
  store double %right.new, ptr %right, !assay.sum !0
  %next = add nuw nsw i64 %k, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !1
exit:
  ret void
}

; Downwards, and without knowing that the arrays are apart, which is asked: the loop is turned around.
; CHECK-LABEL: define void @downward(
; CHECK:       loop.overlap:
; CHECK:       loop:
; CHECK:       %k = phi i64 [ %{{.*}}, %sums ]
; CHECK:       add nsw i64 %k, 1
; CHECK:       sums.add:
; CHECK:       fsub reassoc double
; CHECK:       }
define void @downward(ptr %dx, ptr %dy, i64 %n) #0 {
entry:
  br label %loop
loop:
  %k = phi i64 [ %n, %entry ], [ %next, %loop ]
  %dy.place = getelementptr inbounds double, ptr %dy, i64 %k
  %dy.k = load double, ptr %dy.place
  %left = getelementptr inbounds double, ptr %dx, i64 %k
  %left.old = load double, ptr %left
  %left.new = fsub reassoc double %left.old, %dy.k
  store double %left.new, ptr %left, !assay.sum !0
  %right = getelementptr inbounds i8, ptr %left, i64 8
  %right.old = load double, ptr %right
  %right.new = fadd reassoc double %right.old, %dy.k
  store double %right.new, ptr %right, !assay.sum !0
  %next = add nsw i64 %k, -1
  %more = icmp sgt i64 %next, 0
  br i1 %more, label %loop, label %exit, !llvm.loop !1
exit:
  ret void
}

; Vectors of two numbers do not make up for the buffer of two sums.
; CHECK-LABEL: define void @narrow(
; CHECK-NOT:   sums
; CHECK:       }
define void @narrow(ptr %dx, ptr %dy, i64 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ %n, %entry ], [ %next, %loop ]
  %dy.place = getelementptr inbounds double, ptr %dy, i64 %k
  %dy.k = load double, ptr %dy.place
  %left = getelementptr inbounds double, ptr %dx, i64 %k
  %left.old = load double, ptr %left
  %left.new = fsub reassoc double %left.old, %dy.k
  store double %left.new, ptr %left, !assay.sum !0
  %right = getelementptr inbounds i8, ptr %left, i64 8
  %right.old = load double, ptr %right
  %right.new = fadd reassoc double %right.old, %dy.k
  store double %right.new, ptr %right, !assay.sum !0
  %next = add nsw i64 %k, -1
  %more = icmp sgt i64 %next, 0
  br i1 %more, label %loop, label %exit, !llvm.loop !1
exit:
  ret void
}

; What is added is read where it was added before.
; CHECK-LABEL: define void @waits(
; CHECK-NOT:   sums
; CHECK:       }
define void @waits(ptr noalias %dx, i64 %n) #0 {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %left = getelementptr inbounds double, ptr %dx, i64 %k
  %left.old = load double, ptr %left
  %half = fmul double %left.old, 0.5
  %middle = getelementptr inbounds i8, ptr %left, i64 8
  %middle.old = load double, ptr %middle
  %middle.new = fadd reassoc double %middle.old, %half
  store double %middle.new, ptr %middle, !assay.sum !0
  %right = getelementptr inbounds i8, ptr %left, i64 16
  %right.old = load double, ptr %right
  %right.new = fadd reassoc double %right.old, %half
  store double %right.new, ptr %right, !assay.sum !0
  %next = add nuw nsw i64 %k, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !1
exit:
  ret void
}

; One sum takes vectors as it is, and a sum of the program keeps its order.
; CHECK-LABEL: define void @alone(
; CHECK-NOT:   sums
; CHECK:       }
define void @alone(ptr noalias %dx, ptr noalias %dy, i64 %n) #0 {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %dy.place = getelementptr inbounds double, ptr %dy, i64 %k
  %dy.k = load double, ptr %dy.place
  %left = getelementptr inbounds double, ptr %dx, i64 %k
  %left.old = load double, ptr %left
  %left.new = fadd reassoc double %left.old, %dy.k
  store double %left.new, ptr %left, !assay.sum !0
  %right = getelementptr inbounds i8, ptr %left, i64 8
  %right.old = load double, ptr %right
  %right.new = fadd double %right.old, %dy.k
  store double %right.new, ptr %right
  %next = add nuw nsw i64 %k, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !1
exit:
  ret void
}

attributes #0 = { "target-features"="+avx2" }

!0 = !{}
!1 = distinct !{!1, !2}
!2 = !{!"assay.derivative.loop", i32 1}
