; A function that is called at one place becomes a part of its caller as it is, and what it calls in turn.
; RUN: %opt -passes='assay-prepare<merge-callees>' %s | %check %s

define internal double @inner(double %x) {
  %y = fadd double %x, 1.0
  ret double %y
}

define internal double @once(double %x) {
  %y = call double @inner(double %x)
  %z = fmul double %y, %y
  ret double %z
}

define internal double @twice(double %x) {
  %y = fmul double %x, %x
  ret double %y
}

; CHECK-LABEL: define double @calls_a_function_of_its_own(
; CHECK-NEXT:    [[Y:%.*]] = fadd double %x, 1.000000e+00
; CHECK-NEXT:    [[Z:%.*]] = fmul double [[Y]], [[Y]]
; CHECK-NEXT:    ret double [[Z]]
define double @calls_a_function_of_its_own(double %x) {
  %y = call double @once(double %x)
  ret double %y
}

; CHECK-LABEL: define double @calls_one_twice(
; CHECK:         call double @twice(double %x)
; CHECK:         call double @twice(double %y)
define double @calls_one_twice(double %x) {
  %y = call double @twice(double %x)
  %z = call double @twice(double %y)
  ret double %z
}

define internal double @with_label(double %x, ptr %to) {
  indirectbr ptr %to, [label %end]
end:
  ret double %x
}
@label = global ptr blockaddress(@with_label, %end)

; CHECK-LABEL: define double @calls_one_with_labels_as_values(
; CHECK:         call double @with_label(
define double @calls_one_with_labels_as_values(double %x, ptr %to) {
  %y = call double @with_label(double %x, ptr %to)
  ret double %y
}
