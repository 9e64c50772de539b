; A loop that moves the bytes of a number is unrolled; one that exchanges bytes exchanges whole pieces.
; RUN: %opt -passes='assay-prepare<byte-loops>' %s | %check %s

; CHECK-LABEL: define void @reverses_eight_bytes(
; CHECK-NOT:     br i1
; CHECK:         ret void
define void @reverses_eight_bytes(ptr %to, ptr %from) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw nsw i64 %i, 1
  %back = sub nuw nsw i64 7, %i
  %source = getelementptr inbounds i8, ptr %from, i64 %back
  %byte = load i8, ptr %source
  %target = getelementptr inbounds i8, ptr %to, i64 %i
  store i8 %byte, ptr %target
  %done = icmp eq i64 %next, 8
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; CHECK-LABEL: define void @exchanges_bytes(
; CHECK:         [[THIRD:%.*]] = call ptr @malloc(i64 %n)
; CHECK-NEXT:    call void @llvm.memcpy.p0.p0.i64(ptr align 1 [[THIRD]], ptr align 1 %p, i64 %n, i1 false)
; CHECK-NEXT:    call void @llvm.memmove.p0.p0.i64(ptr align 1 %p, ptr align 1 %q, i64 %n, i1 false)
; CHECK-NEXT:    call void @llvm.memcpy.p0.p0.i64(ptr align 1 %q, ptr align 1 [[THIRD]], i64 %n, i1 false)
; CHECK-NOT:     store i8
; CHECK:         ret void
define void @exchanges_bytes(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %one = getelementptr inbounds i8, ptr %p, i64 %i
  %other = getelementptr inbounds i8, ptr %q, i64 %i
  %a = load i8, ptr %one
  %b = load i8, ptr %other
  store i8 %b, ptr %one
  store i8 %a, ptr %other
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; CHECK-LABEL: define void @copies_numbers(
; CHECK:         %number = load double, ptr %source
; CHECK:         br i1 %done, label %exit, label %loop
define void @copies_numbers(ptr %to, ptr %from, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %source = getelementptr double, ptr %from, i64 %i
  %number = load double, ptr %source
  %target = getelementptr double, ptr %to, i64 %i
  store double %number, ptr %target
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; CHECK-LABEL: define void @cuts_a_number(
; CHECK-NOT:     br i1
; CHECK:         ret void
define void @cuts_a_number(i64 %bits, ptr %to) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw nsw i64 %i, 1
  %shift = shl i64 %i, 3
  %shifted = lshr i64 %bits, %shift
  %byte = trunc i64 %shifted to i8
  %target = getelementptr inbounds i8, ptr %to, i64 %i
  store i8 %byte, ptr %target
  %done = icmp eq i64 %next, 8
  br i1 %done, label %exit, label %loop
exit:
  ret void
}
