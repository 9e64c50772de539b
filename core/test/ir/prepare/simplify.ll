; Memory becomes values and loops are rotated; a branch that guards a function stays a branch, and no sum is reordered.
; RUN: %opt -passes='assay-prepare<simplify>' %s | %check %s

declare double @llvm.log.f64(double)

; CHECK-LABEL: define double @memory(
; CHECK-NEXT:    [[Y:%.*]] = fmul double %x, %x
; CHECK-NEXT:    ret double [[Y]]
define double @memory(double %x) {
  %p = alloca double
  store double %x, ptr %p
  %a = load double, ptr %p
  %y = fmul double %a, %x
  store double %y, ptr %p
  %b = load double, ptr %p
  ret double %b
}

; CHECK-LABEL: define double @guard(
; CHECK:         br i1
; CHECK:         call double @llvm.log.f64(double %x)
; CHECK:         phi double
define double @guard(double %x) {
entry:
  %c = fcmp ogt double %x, 0.0
  br i1 %c, label %inside, label %end
inside:
  %l = call double @llvm.log.f64(double %x)
  br label %end
end:
  %y = phi double [ 0.0, %entry ], [ %l, %inside ]
  ret double %y
}

; CHECK-LABEL: define double @order(
; CHECK-NEXT:    [[A:%.*]] = fadd double %x, 1.000000e+00
; CHECK-NEXT:    [[B:%.*]] = fadd double [[A]], -1.000000e+00
; CHECK-NEXT:    ret double [[B]]
define double @order(double %x) {
  %a = fadd double %x, 1.0
  %b = fadd double %a, -1.0
  ret double %b
}

; The combiner would load and store integers here.
; CHECK-LABEL: define void @negated(
; CHECK-NEXT:    [[X:%.*]] = load <2 x double>, ptr %p
; CHECK-NEXT:    [[Y:%.*]] = fneg <2 x double> [[X]]
; CHECK-NEXT:    store <2 x double> [[Y]], ptr %p
define void @negated(ptr %p) {
  %x = load <2 x double>, ptr %p
  %bits = bitcast <2 x double> %x to <2 x i64>
  %flipped = xor <2 x i64> %bits, splat (i64 -9223372036854775808)
  %y = bitcast <2 x i64> %flipped to <2 x double>
  store <2 x double> %y, ptr %p
  ret void
}
