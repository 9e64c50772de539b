; Inline assembly of one arithmetic instruction becomes the operation that it stands for; other assembly stays.
; RUN: %opt -passes='assay-prepare<inline-assembly>' %s | %check %s

; CHECK-LABEL: define double @adds(
; CHECK-NEXT:    [[SUM:%.*]] = fadd double %a, %b
; CHECK-NEXT:    ret double [[SUM]]
define double @adds(double %a, double %b) {
  %y = call double asm "addsd $2, $0", "=x,0,x"(double %a, double %b)
  ret double %y
}

; CHECK-LABEL: define double @takes_the_square_root(
; CHECK-NEXT:    call double @llvm.sqrt.f64(double %a)
define double @takes_the_square_root(double %a) {
  %y = call double asm "sqrtsd $1, $0", "=x,x"(double %a)
  ret double %y
}

; CHECK-LABEL: define double @holds_the_optimiser_back(
; CHECK-NEXT:    ret double %a
define double @holds_the_optimiser_back(double %a) {
  %y = call double asm sideeffect "", "=x,0"(double %a)
  ret double %y
}

; CHECK-LABEL: define double @does_something_else(
; CHECK-NEXT:    call double asm "roundsd
define double @does_something_else(double %a) {
  %y = call double asm "roundsd $$0, $1, $0", "=x,x"(double %a)
  ret double %y
}

; CHECK-LABEL: define double @does_two_things(
; CHECK-NEXT:    call double asm "addsd
define double @does_two_things(double %a, double %b) {
  %y = call double asm "addsd $2, $0\0Aaddsd $2, $0", "=x,0,x"(double %a, double %b)
  ret double %y
}
