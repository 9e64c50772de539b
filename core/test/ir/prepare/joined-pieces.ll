; The two halves of a word that meet apart from each other become one word that meets.
; RUN: %opt -passes='assay-prepare<joined-pieces>' %s | %check %s

; CHECK-LABEL: define i64 @halves(
; CHECK:       end:
; CHECK-NEXT:    [[WORD:%.*]] = phi i64 [ %number, %whole ], [ %{{.*}}, %half ]
; CHECK-NOT:     or disjoint
; CHECK:         ret i64 [[WORD]]
define i64 @halves(i1 %c, i64 %number, i64 %count) {
  br i1 %c, label %whole, label %half
whole:
  %masked = and i64 %number, -4294967296
  br label %end
half:
  br label %end
end:
  %high = phi i64 [ %masked, %whole ], [ 0, %half ]
  %low = phi i64 [ %number, %whole ], [ %count, %half ]
  %lowest = and i64 %low, 4294967295
  %word = or disjoint i64 %high, %lowest
  ret i64 %word
}

; CHECK-LABEL: define i64 @parts_of_different_words(
; CHECK:         %word = or disjoint i64 %high, %lowest
define i64 @parts_of_different_words(i1 %c, i64 %number, i64 %other, i64 %count) {
  br i1 %c, label %whole, label %half
whole:
  %masked = and i64 %number, -4294967296
  br label %end
half:
  br label %end
end:
  %high = phi i64 [ %masked, %whole ], [ 0, %half ]
  %low = phi i64 [ %other, %whole ], [ %count, %half ]
  %lowest = and i64 %low, 4294967295
  %word = or disjoint i64 %high, %lowest
  ret i64 %word
}
