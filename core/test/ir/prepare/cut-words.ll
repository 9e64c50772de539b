; A word that is stored in two parts, one of them odd, is stored as a whole.
; RUN: %opt -passes='assay-prepare<cut-words>' %s | %check %s

; CHECK-LABEL: define void @cut_behind_its_first_byte(
; CHECK:         store i64 %word, ptr
; CHECK-NOT:     store i56
; CHECK:         ret void
define void @cut_behind_its_first_byte(i64 %word, ptr %to) {
  %low = trunc i64 %word to i8
  %above = lshr i64 %word, 8
  %high = trunc i64 %above to i56
  store i8 %low, ptr %to
  %to.high = getelementptr i8, ptr %to, i64 1
  store i56 %high, ptr %to.high
  ret void
}

; CHECK-LABEL: define void @parts_of_two_words(
; CHECK:         store i8 %low, ptr %to
; CHECK:         store i56 %high, ptr %to.high
define void @parts_of_two_words(i64 %word, i64 %other, ptr %to) {
  %low = trunc i64 %word to i8
  %above = lshr i64 %other, 8
  %high = trunc i64 %above to i56
  store i8 %low, ptr %to
  %to.high = getelementptr i8, ptr %to, i64 1
  store i56 %high, ptr %to.high
  ret void
}
