; One return, cycles with one entry, loops with a preheader and exits of their own, values that leave through phis.
; RUN: %opt -passes='assay-prepare<canonical-loops>' %s | %check %s
; RUN: not %opt -passes='assay-prepare<canonical-loops>' -disable-output %S/Inputs/lifetime.ll 2>&1 | %check %s --check-prefix=MISSING

; MISSING: in function 'marked': assay-prepare<canonical-loops> does not find the property no-lifetimes

; CHECK-LABEL: define double @two_returns(
; CHECK:         phi double
; CHECK-NEXT:    ret double
; CHECK-NOT:     ret double
; CHECK:       }
define double @two_returns(i1 %c, double %x, double %y) {
  br i1 %c, label %one, label %other
one:
  ret double %x
other:
  ret double %y
}

; CHECK-LABEL: define double @two_returns_without_optimisation(
; CHECK:         phi double
; CHECK-NEXT:    ret double
; CHECK-NOT:     ret double
; CHECK:       }
define double @two_returns_without_optimisation(i1 %c, double %x, double %y) noinline optnone {
  br i1 %c, label %one, label %other
one:
  ret double %x
other:
  ret double %y
}

; CHECK-LABEL: define i64 @leaves_a_loop(
; CHECK:         %[[OUT:.*]] = phi i64 [ %next, %loop ]
; CHECK:         ret i64
define i64 @leaves_a_loop(i1 %c, i64 %n) {
entry:
  br i1 %c, label %loop, label %end
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %last = phi i64 [ 0, %entry ], [ %next, %loop ]
  ret i64 %last
}

; CHECK-LABEL: define void @two_entries(
; CHECK:       irr.guard:
define void @two_entries(i1 %c, i1 %more) {
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  br i1 %more, label %a, label %end
end:
  ret void
}

; CHECK-LABEL: define double @is_canonical(
; CHECK-NEXT:    %y = fmul double %x, %x
; CHECK-NEXT:    ret double %y
define double @is_canonical(double %x) {
  %y = fmul double %x, %x
  ret double %y
}
