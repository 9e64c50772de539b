; A jump through the address of a label becomes a choice among the labels.
; RUN: %opt -passes='assay-prepare<computed-gotos>' %s | %check %s

@labels = global [2 x ptr] [ptr blockaddress(@jumps, %one), ptr blockaddress(@jumps, %other)]

; CHECK:       @llvm.compiler.used = appending global [1 x ptr] [ptr @jumps]
; CHECK-LABEL: define double @jumps(
; CHECK-NEXT:    [[IS_ONE:%.*]] = icmp eq ptr %to, blockaddress(@jumps, %one)
; CHECK-NEXT:    br i1 [[IS_ONE]], label %one, label %[[REST:.*]]
; CHECK:       [[REST]]:
; CHECK-NEXT:    br label %other
; CHECK-NOT:     indirectbr
define double @jumps(double %x, ptr %to) {
  indirectbr ptr %to, [label %one, label %other, label %one]
one:
  ret double %x
other:
  %y = fneg double %x
  ret double %y
}

; CHECK-LABEL: define double @switches(
; CHECK-NEXT:    switch i32 %to, label %other [
define double @switches(double %x, i32 %to) {
  switch i32 %to, label %other [i32 1, label %one]
one:
  ret double %x
other:
  %y = fneg double %x
  ret double %y
}
