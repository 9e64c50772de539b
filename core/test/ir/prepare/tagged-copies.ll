; Helpers that move single bytes become a part of what is differentiated in reverse; those of whole words stay calls.
; RUN: %opt -passes='assay-prepare<tagged-copies>' %s | %check %s

define internal void @assay.words.cleared(ptr %target, i64 %bytes) {
  store i64 0, ptr %target
  ret void
}
define internal void @assay.words.cleared.extended(ptr %target, i64 %bytes) {
  store i64 0, ptr %target
  ret void
}
define internal void @assay.words.other(ptr %target, i64 %bytes) {
  store i64 0, ptr %target
  ret void
}

; CHECK-LABEL: define void @clears_extended_numbers(
; CHECK-NEXT:    store i64 0, ptr %p
; CHECK-NEXT:    ret void
define void @clears_extended_numbers(ptr %p) {
  call void @assay.words.cleared.extended(ptr %p, i64 8)
  ret void
}

; CHECK-LABEL: define void @clears(
; CHECK-NEXT:    call void @assay.words.cleared(ptr %p, i64 8)
define void @clears(ptr %p) {
  call void @assay.words.cleared(ptr %p, i64 8)
  ret void
}

; CHECK-LABEL: define void @calls_something_else(
; CHECK-NEXT:    call void @assay.words.other(ptr %p, i64 8)
define void @calls_something_else(ptr %p) {
  call void @assay.words.other(ptr %p, i64 8)
  ret void
}
