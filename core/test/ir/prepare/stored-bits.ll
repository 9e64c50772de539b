; Numbers that are stored as the bits of a pointer, or two of them as one word, are stored as numbers.
; RUN: %opt -passes='assay-prepare<stored-bits>' %s | %check %s

; CHECK-LABEL: define void @as_a_pointer(
; CHECK-NOT:     inttoptr
; CHECK:         store double %x, ptr
; CHECK-NEXT:    ret void
define void @as_a_pointer(ptr %p, double %x) {
  %bits = bitcast double %x to i64
  %address = inttoptr i64 %bits to ptr
  store ptr %address, ptr %p
  ret void
}

; CHECK-LABEL: define void @two_as_one(
; CHECK:         store float %x, ptr
; CHECK-NEXT:    [[HIGH:%.*]] = getelementptr inbounds i8, ptr %p, i64 4
; CHECK-NEXT:    store float %y, ptr [[HIGH]]
; CHECK-NEXT:    ret void
define void @two_as_one(ptr %p, float %x, float %y) {
  %x.bits = bitcast float %x to i32
  %y.bits = bitcast float %y to i32
  %low = zext i32 %x.bits to i64
  %wide = zext i32 %y.bits to i64
  %high = shl i64 %wide, 32
  %both = or i64 %low, %high
  store i64 %both, ptr %p
  ret void
}

; CHECK-LABEL: define void @a_number_and_an_integer(
; CHECK:         store i64 %both, ptr %p
define void @a_number_and_an_integer(ptr %p, float %x, i64 %n) {
  %x.bits = bitcast float %x to i32
  %low = zext i32 %x.bits to i64
  %high = shl i64 %n, 32
  %both = or i64 %low, %high
  store i64 %both, ptr %p
  ret void
}

; CHECK-LABEL: define void @half_a_pointer(
; CHECK-NOT:     inttoptr
; CHECK:         store float %x, ptr
; CHECK-NEXT:    [[HIGH:%.*]] = getelementptr inbounds i8, ptr %p, i64 4
; CHECK-NEXT:    store i32 0, ptr [[HIGH]]
; CHECK-NEXT:    ret void
define void @half_a_pointer(ptr %p, float %x) {
  %bits = bitcast float %x to i32
  %low = zext i32 %bits to i64
  %address = inttoptr i64 %low to ptr
  store ptr %address, ptr %p
  ret void
}

; CHECK-LABEL: define void @beside_a_constant(
; CHECK:         store i32 3, ptr
; CHECK:         store float %x, ptr
; CHECK-NEXT:    ret void
define void @beside_a_constant(ptr %p, float %x) {
  %bits = bitcast float %x to i32
  %wide = zext i32 %bits to i64
  %high = shl nuw i64 %wide, 32
  %both = or disjoint i64 %high, 3
  store i64 %both, ptr %p
  ret void
}

; CHECK-LABEL: define void @beside_a_count(
; CHECK:         store float %x, ptr
; CHECK:         store i16 %n, ptr
; CHECK:         store i16 0, ptr
; CHECK-NEXT:    ret void
define void @beside_a_count(ptr %p, float %x, i16 %n) {
  %bits = bitcast float %x to i32
  %low = zext i32 %bits to i64
  %wide = zext i16 %n to i64
  %high = shl nuw i64 %wide, 32
  %both = or disjoint i64 %low, %high
  store i64 %both, ptr %p
  ret void
}

; CHECK-LABEL: define void @under_a_mask(
; CHECK:         store i64 %both, ptr %p
define void @under_a_mask(ptr %p, float %x) {
  %bits = bitcast float %x to i32
  %low = zext i32 %bits to i64
  %both = or i64 %low, 7
  store i64 %both, ptr %p
  ret void
}

; CHECK-LABEL: define void @an_address_alone(
; CHECK:         store ptr %address, ptr %p
define void @an_address_alone(ptr %p, i64 %n) {
  %address = inttoptr i64 %n to ptr
  store ptr %address, ptr %p
  ret void
}

; Words that are put together before control meets are stored in the same parts.
; CHECK-LABEL: define void @joined(
; CHECK:       end:
; CHECK-DAG:     [[COUNT:%.*]] = phi i32 [ 5, %one ], [ 2, %other ], [ 7, %entry ]
; CHECK-DAG:     [[NUMBER:%.*]] = phi float [ %x, %one ], [ %y, %other ], [ 1.250000e+00, %entry ]
; CHECK:         store i32 [[COUNT]], ptr
; CHECK:         store float [[NUMBER]], ptr
; CHECK-NEXT:    ret void
define void @joined(ptr %p, i32 %c, float %x, float %y) {
entry:
  switch i32 %c, label %end [
    i32 0, label %one
    i32 1, label %other
  ]
one:
  %x.bits = bitcast float %x to i32
  %x.wide = zext i32 %x.bits to i64
  %x.high = shl nuw i64 %x.wide, 32
  %x.word = or disjoint i64 %x.high, 5
  br label %end
other:
  %y.bits = bitcast float %y to i32
  %y.wide = zext i32 %y.bits to i64
  %y.high = shl nuw i64 %y.wide, 32
  %y.word = or disjoint i64 %y.high, 2
  br label %end
end:
  %word = phi i64 [ %x.word, %one ], [ %y.word, %other ], [ 4584664420663164935, %entry ]
  store i64 %word, ptr %p
  ret void
}

; CHECK-LABEL: define void @chosen(
; CHECK:         [[NUMBER:%.*]] = select i1 %c, float %x, float 0.000000e+00
; CHECK:         store float [[NUMBER]], ptr
define void @chosen(ptr %p, i1 %c, float %x) {
  %bits = bitcast float %x to i32
  %word = zext i32 %bits to i64
  %chosen = select i1 %c, i64 %word, i64 0
  store i64 %chosen, ptr %p
  ret void
}

; Another word that meets it may be anything.
; CHECK-LABEL: define void @joined_with_a_word(
; CHECK:         store i64 %chosen, ptr %p
define void @joined_with_a_word(ptr %p, i1 %c, float %x, i64 %n) {
  %bits = bitcast float %x to i32
  %word = zext i32 %bits to i64
  %chosen = select i1 %c, i64 %word, i64 %n
  store i64 %chosen, ptr %p
  ret void
}

; A float or a computed integer, beside a tag: a word that is put together of what was joined.
; CHECK-LABEL: define void @float_or_count_beside_a_tag(
; CHECK:       end:
; CHECK-DAG:     [[HALF:%.*]] = phi float [ %x, %number ], [ %{{.*}}, %count ]
; CHECK:         store i32 %{{.*}}, ptr
; CHECK:         store float [[HALF]], ptr
; CHECK-NEXT:    ret void
define void @float_or_count_beside_a_tag(i1 %c, float %x, i32 %n, ptr %p) {
  br i1 %c, label %number, label %count
number:
  %bits = bitcast float %x to i32
  br label %end
count:
  %sum = add i32 %n, 3
  br label %end
end:
  %tag = phi i64 [ 0, %number ], [ 1, %count ]
  %half = phi i32 [ %bits, %number ], [ %sum, %count ]
  %wide = zext i32 %half to i64
  %high = shl nuw i64 %wide, 32
  %word = or disjoint i64 %high, %tag
  store i64 %word, ptr %p
  ret void
}

; CHECK-LABEL: define void @two_as_a_vector(
; CHECK:         store float %x, ptr
; CHECK:         store float %y, ptr
define void @two_as_a_vector(ptr %p, float %x, float %y) {
  %x.bits = bitcast float %x to i32
  %y.bits = bitcast float %y to i32
  %low = zext i32 %x.bits to i64
  %wide = zext i32 %y.bits to i64
  %high = shl i64 %wide, 32
  %both = or i64 %low, %high
  %floats = bitcast i64 %both to <2 x float>
  store <2 x float> %floats, ptr %p
  ret void
}

; An address is no pair of anything.
; CHECK-LABEL: define void @address_or_two(
; CHECK:         store i64 %word, ptr %p
define void @address_or_two(i1 %c, float %x, ptr %a, ptr %p) {
  br i1 %c, label %number, label %address
number:
  %bits = bitcast float %x to i32
  %wide = zext i32 %bits to i64
  br label %end
address:
  %a.bits = ptrtoint ptr %a to i64
  br label %end
end:
  %word = phi i64 [ %wide, %number ], [ %a.bits, %address ]
  store i64 %word, ptr %p
  ret void
}

; A variant of five bytes: what does not fit in the word is zero.
; CHECK-LABEL: define void @float_or_count_of_five_bytes(
; CHECK:       end:
; CHECK-DAG:     [[HALF:%.*]] = phi float [ %x, %number ], [ %{{.*}}, %count ]
; CHECK:         store float [[HALF]], ptr
; CHECK:         store i8 %{{.*}}, ptr
; CHECK-NEXT:    ret void
define void @float_or_count_of_five_bytes(i1 %c, float %x, i32 %n, ptr %p) {
  br i1 %c, label %number, label %count
number:
  %bits = bitcast float %x to i32
  br label %end
count:
  %sum = add i32 %n, 3
  br label %end
end:
  %tag = phi i64 [ 0, %number ], [ 4294967296, %count ]
  %half = phi i32 [ %bits, %number ], [ %sum, %count ]
  %wide = zext i32 %half to i64
  %word = or disjoint i64 %wide, %tag
  %five = trunc nuw nsw i64 %word to i40
  store i40 %five, ptr %p
  ret void
}
