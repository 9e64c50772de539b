; A word that may be a number or an address is moved as one that its bits tell apart; one that is told stays as it is.
; RUN: %opt -passes='assay-prepare<words-left>' %s | %check %s

; CHECK-LABEL: define double @number_or_address(
; CHECK-NOT:     store i64
; CHECK:         call void @llvm.memcpy.{{.*}}, i64 8, i1 false), !assay.type
; CHECK:         ret double
define double @number_or_address(ptr %p, ptr %q, i1 %is_number) {
  %word = load i64, ptr %p, align 8
  store i64 %word, ptr %q, align 8
  br i1 %is_number, label %number, label %address
number:
  %x = load double, ptr %q
  ret double %x
address:
  %r = load ptr, ptr %q
  %y = load double, ptr %r
  ret double %y
}

; CHECK-LABEL: define i64 @told(
; CHECK-NEXT:    %n = load i64, ptr %p
; CHECK-NEXT:    store i64 %n, ptr %q
define i64 @told(ptr %p, ptr %q) {
  %n = load i64, ptr %p, align 8
  store i64 %n, ptr %q, align 8
  %m = mul i64 %n, %n
  ret i64 %m
}

; Of the word behind the number nothing is known: it is moved as one that its bits tell apart, too.
; CHECK-LABEL: define double @unknown_beside_number(
; CHECK-NOT:     store i64
; CHECK:         call void @llvm.memcpy.{{.*}}, i64 8, i1 false), !assay.type
; CHECK:         ret double
define double @unknown_beside_number(ptr %p, ptr %q) {
  %behind = getelementptr i8, ptr %p, i64 8
  %word = load i64, ptr %behind, align 8
  %target = getelementptr i8, ptr %q, i64 8
  store i64 %word, ptr %target, align 8
  %x = load double, ptr %p
  ret double %x
}
