; A word that is a number at one time and an address at another meets once as each.
; RUN: %opt -passes='assay-prepare<split-joins>' %s | %check %s

; CHECK-LABEL: define double @number_or_address(
; CHECK-DAG:     phi double
; CHECK-DAG:     phi ptr
; CHECK:       number:
; CHECK-NOT:     bitcast i64
; CHECK:         ret double
define double @number_or_address(i1 %c, i1 %is_number, ptr %p, ptr %q) {
  br i1 %c, label %one, label %other
one:
  %a = load double, ptr %p
  %a.bits = bitcast double %a to i64
  br label %end
other:
  %b = load double, ptr %q
  %b.bits = bitcast double %b to i64
  br label %end
end:
  %bits = phi i64 [ %a.bits, %one ], [ %b.bits, %other ]
  br i1 %is_number, label %number, label %address
number:
  %x = bitcast i64 %bits to double
  ret double %x
address:
  %r = inttoptr i64 %bits to ptr
  %y = load double, ptr %r
  ret double %y
}

; CHECK-LABEL: define double @numbers(
; CHECK:         %x = bitcast i64 %bits to double
define double @numbers(i1 %c, i64 %a, i64 %b) {
  %bits = select i1 %c, i64 %a, i64 %b
  %x = bitcast i64 %bits to double
  ret double %x
}
