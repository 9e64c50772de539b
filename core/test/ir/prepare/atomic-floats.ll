; Exchanges of the bits of floats become loads and stores; those of integers stay.
; RUN: %opt -passes='assay-prepare<atomic-floats>' %s | %check %s

; CHECK-LABEL: define i1 @compares_and_exchanges(
; CHECK-NOT:     cmpxchg
; CHECK:         [[BEFORE:%.*]] = load double, ptr %p
; CHECK:         [[IS_EXPECTED:%.*]] = icmp eq i64
; CHECK:         [[AFTER:%.*]] = select i1 [[IS_EXPECTED]], double %new, double [[BEFORE]]
; CHECK:         store double [[AFTER]], ptr %p
define i1 @compares_and_exchanges(ptr %p, double %old, double %new) {
  %expected = bitcast double %old to i64
  %desired = bitcast double %new to i64
  %pair = cmpxchg ptr %p, i64 %expected, i64 %desired seq_cst seq_cst
  %done = extractvalue { i64, i1 } %pair, 1
  ret i1 %done
}

; CHECK-LABEL: define double @exchanges(
; CHECK:         [[BEFORE:%.*]] = load double, ptr %p
; CHECK:         store double %x, ptr %p
; CHECK:         ret double [[BEFORE]]
define double @exchanges(ptr %p, double %x) {
  %before = atomicrmw xchg ptr %p, double %x seq_cst
  ret double %before
}

; CHECK-LABEL: define i64 @counts(
; CHECK-NEXT:    atomicrmw add ptr %p, i64 1 seq_cst
define i64 @counts(ptr %p) {
  %before = atomicrmw add ptr %p, i64 1 seq_cst
  ret i64 %before
}

; CHECK-LABEL: define i1 @takes_a_lock(
; CHECK-NEXT:    cmpxchg ptr %p, i64 0, i64 1 seq_cst seq_cst
define i1 @takes_a_lock(ptr %p) {
  %pair = cmpxchg ptr %p, i64 0, i64 1 seq_cst seq_cst
  %done = extractvalue { i64, i1 } %pair, 1
  ret i1 %done
}
