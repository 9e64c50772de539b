; The phi of an integer that holds the bits of a float and is changed in a loop becomes one of the float.
; RUN: %opt -passes='assay-prepare<carried-bits>' %s | %check %s

; CHECK-LABEL: define double @below_two(
; CHECK:         [[NUMBER:%.*]] = phi double [ {{.*}}, %entry ], [ [[NEXT:%.*]], %loop ]
; CHECK-NEXT:    [[BITS:%.*]] = bitcast double [[NUMBER]] to i64
; CHECK:         [[LESS:%.*]] = sub i64 [[BITS]], 4503599627370496
; CHECK:         [[NEXT]] = bitcast i64 [[LESS]] to double
define double @below_two(double %x) {
entry:
  %first = bitcast double %x to i64
  br label %loop
loop:
  %bits = phi i64 [ %first, %entry ], [ %less, %loop ]
  %less = sub i64 %bits, 4503599627370496
  %y = bitcast i64 %less to double
  %more = fcmp oge double %y, 2.0
  br i1 %more, label %loop, label %exit
exit:
  ret double %y
}

; A product mixes the bits, as hashes do.
; CHECK-LABEL: define double @hashes(
; CHECK:         phi i64
define double @hashes(double %x, i64 %n) {
entry:
  %first = bitcast double %x to i64
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %hash = phi i64 [ %first, %entry ], [ %mixed, %loop ]
  %mixed = mul i64 %hash, 6364136223846793005
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  %y = bitcast i64 %mixed to double
  ret double %y
}

; An integer that never was a float stays one.
; CHECK-LABEL: define double @random(
; CHECK:         phi i64
define double @random(i64 %seed, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %state = phi i64 [ %seed, %entry ], [ %sum, %loop ]
  %sum = add i64 %state, %i
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  %y = bitcast i64 %sum to double
  ret double %y
}
