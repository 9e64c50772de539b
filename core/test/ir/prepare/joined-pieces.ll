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

; An address, or two halves that are loaded apart: one word that meets twice.
; CHECK-LABEL: define ptr @address_or_loaded_halves(
; CHECK:         [[LOADED:%.*]] = load i64, ptr %p
; CHECK:       first:
; CHECK:         [[WORD:%.*]] = phi i64 [ %bits, %address ], [ [[LOADED]], %halves ]
; CHECK:       end:
; CHECK:         [[LAST:%.*]] = phi i64 [ [[WORD]], %first ], [ 0, %entry ]
; CHECK:         inttoptr i64 [[LAST]] to ptr
define ptr @address_or_loaded_halves(i1 %c, i1 %d, ptr %a, ptr %p) {
entry:
  br i1 %d, label %choose, label %end
choose:
  br i1 %c, label %address, label %halves
address:
  %bits = ptrtoint ptr %a to i64
  %a.low = trunc i64 %bits to i32
  %a.up = lshr i64 %bits, 32
  %a.high = trunc i64 %a.up to i32
  br label %first
halves:
  %p.low = load i32, ptr %p, align 8
  %behind = getelementptr i8, ptr %p, i64 4
  %p.high = load i32, ptr %behind, align 4
  br label %first
first:
  %low.1 = phi i32 [ %a.low, %address ], [ %p.low, %halves ]
  %high.1 = phi i32 [ %a.high, %address ], [ %p.high, %halves ]
  br label %end
end:
  %low = phi i32 [ %low.1, %first ], [ 0, %entry ]
  %high = phi i32 [ %high.1, %first ], [ 0, %entry ]
  %low.wide = zext i32 %low to i64
  %high.wide = zext i32 %high to i64
  %shifted = shl nuw i64 %high.wide, 32
  %word = or disjoint i64 %shifted, %low.wide
  %r = inttoptr i64 %word to ptr
  ret ptr %r
}

; CHECK-LABEL: define void @stored_halves(
; CHECK:       end:
; CHECK:         [[WORD:%.*]] = phi i64 [ %bits, %address ], [ [[LOADED:%.*]], %halves ]
; CHECK:         store i64 [[WORD]], ptr %q
; CHECK-NEXT:    ret void
define void @stored_halves(i1 %c, ptr %a, ptr %p, ptr %q) {
  br i1 %c, label %address, label %halves
address:
  %bits = ptrtoint ptr %a to i64
  %a.low = trunc i64 %bits to i32
  %a.up = lshr i64 %bits, 32
  %a.high = trunc i64 %a.up to i32
  br label %end
halves:
  %p.low = load i32, ptr %p, align 8
  %behind = getelementptr i8, ptr %p, i64 4
  %p.high = load i32, ptr %behind, align 4
  br label %end
end:
  %low = phi i32 [ %a.low, %address ], [ %p.low, %halves ]
  %high = phi i32 [ %a.high, %address ], [ %p.high, %halves ]
  store i32 %low, ptr %q, align 8
  %q.behind = getelementptr i8, ptr %q, i64 4
  store i32 %high, ptr %q.behind, align 4
  ret void
}
