; A word that is a number at one time and an address at another meets once as each.
; RUN: %opt -passes='assay-prepare<split-joins>' %s | %check %s

; CHECK-LABEL: define double @number_or_address(
; CHECK-DAG:     phi double
; CHECK-DAG:     phi ptr
; CHECK:       number:
; CHECK-NOT:     bitcast i64
; CHECK:         ret double
define double @number_or_address(i1 %c, i1 %is_number, ptr %p, ptr %q) {
  br i1 %c, label %one, label %other
one:
  %a = load double, ptr %p
  %a.bits = bitcast double %a to i64
  br label %end
other:
  %b = load double, ptr %q
  %b.bits = bitcast double %b to i64
  br label %end
end:
  %bits = phi i64 [ %a.bits, %one ], [ %b.bits, %other ]
  br i1 %is_number, label %number, label %address
number:
  %x = bitcast i64 %bits to double
  ret double %x
address:
  %r = inttoptr i64 %bits to ptr
  %y = load double, ptr %r
  ret double %y
}

; CHECK-LABEL: define double @numbers(
; CHECK:         %x = bitcast i64 %bits to double
define double @numbers(i1 %c, i64 %a, i64 %b) {
  %bits = select i1 %c, i64 %a, i64 %b
  %x = bitcast i64 %bits to double
  ret double %x
}

; Floats that are halves of a word which has the name of an address.
; CHECK-LABEL: define float @low_half(
; CHECK:         [[X:%.*]] = load float, ptr %p
; CHECK:         ret float [[X]]
define float @low_half(ptr %p) {
  %a = load i32, ptr %p
  %wide = zext i32 %a to i64
  %address = inttoptr i64 %wide to ptr
  %word = ptrtoint ptr %address to i64
  %half = trunc i64 %word to i32
  %x = bitcast i32 %half to float
  ret float %x
}

; CHECK-LABEL: define float @high_half_or_address(
; CHECK:         [[PLACE:%.*]] = getelementptr i8, ptr %p, i64 4
; CHECK-NEXT:    [[A:%.*]] = load float, ptr [[PLACE]], align 4
; CHECK:         [[X:%.*]] = phi float [ [[A]], %one ], [ {{%.*}}, %other ]
; CHECK:         ret float [[X]]
define float @high_half_or_address(i1 %c, ptr %p, ptr %q) {
  br i1 %c, label %one, label %other
one:
  %a = load i64, ptr %p
  %a.address = inttoptr i64 %a to ptr
  br label %end
other:
  br label %end
end:
  %address = phi ptr [ %a.address, %one ], [ %q, %other ]
  store ptr %address, ptr %q
  %word = ptrtoint ptr %address to i64
  %upper = lshr i64 %word, 32
  %half = trunc i64 %upper to i32
  %x = bitcast i32 %half to float
  ret float %x
}

; CHECK-LABEL: define float @half_of_an_integer(
; CHECK:         %x = bitcast i32 %half to float
define float @half_of_an_integer(i64 %word) {
  %half = trunc i64 %word to i32
  %x = bitcast i32 %half to float
  ret float %x
}

; A loaded word that is joined elsewhere: the number made of its bits is a load of its own.
; CHECK-LABEL: define double @joined_elsewhere(
; CHECK:         load double, ptr %p
; CHECK-NOT:     bitcast i64
; CHECK:         ret double
define double @joined_elsewhere(i1 %c, ptr %p, i64 %other, ptr %out) {
  %bits = load i64, ptr %p
  br i1 %c, label %number, label %end
number:
  %x = bitcast i64 %bits to double
  ret double %x
end:
  %word = phi i64 [ %bits, %0 ]
  %address = inttoptr i64 %word to ptr
  store ptr %address, ptr %out
  ret double 0.0
}

; Numbers that are compared and exchanged are integers in between, and no addresses.
; CHECK-LABEL: define double @exchanged(
; CHECK:         %x = bitcast i64 %old to double
define double @exchanged(ptr %p, i64 %new) {
entry:
  %first = load i64, ptr %p
  br label %loop
loop:
  %old = phi i64 [ %first, %entry ], [ %seen, %loop ]
  %x = bitcast i64 %old to double
  %pair = cmpxchg ptr %p, i64 %old, i64 %new monotonic monotonic
  %seen = extractvalue { i64, i1 } %pair, 0
  %done = extractvalue { i64, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret double %x
}

; A float in the upper half of a word that is an integer at other times, as a tagged union in one word has it.
; CHECK-LABEL: define double @float_beside_a_tag(
; CHECK:       end:
; CHECK:         [[X:%.*]] = phi float [ %x, %number ], [ {{.*}}, %count ]
; CHECK:         fpext float [[X]] to double
define double @float_beside_a_tag(i1 %c, float %x) {
  br i1 %c, label %number, label %count
number:
  %bits = bitcast float %x to i32
  %wide = zext i32 %bits to i64
  %high = shl nuw i64 %wide, 32
  br label %end
count:
  br label %end
end:
  %word = phi i64 [ %high, %number ], [ 12884901889, %count ]
  %upper = lshr i64 %word, 32
  %half = trunc nuw i64 %upper to i32
  %value = bitcast i32 %half to float
  %integer = sitofp i32 %half to double
  %number.wide = fpext float %value to double
  %r = select i1 %c, double %number.wide, double %integer
  ret double %r
}

; What is loaded as an address, only to be copied.
; CHECK-LABEL: define float @half_of_a_loaded_address(
; CHECK:         [[PLACE:%.*]] = getelementptr i8, ptr %p, i64 4
; CHECK-NEXT:    [[X:%.*]] = load float, ptr [[PLACE]], align 4
; CHECK:         ret float [[X]]
define float @half_of_a_loaded_address(ptr %p, ptr %q) {
  %address = load ptr, ptr %p
  store ptr %address, ptr %q
  %word = ptrtoint ptr %address to i64
  %upper = lshr i64 %word, 32
  %half = trunc i64 %upper to i32
  %x = bitcast i32 %half to float
  ret float %x
}

; What is loaded as an address that the program does not call one, and only stored as an integer, may be two floats.
; CHECK-LABEL: define void @moved_word(
; CHECK:         [[WORD:%.*]] = load i64, ptr %p, align 8
; CHECK:         store i64 [[WORD]], ptr %q
define void @moved_word(ptr %p, ptr %q) {
  %address = load ptr, ptr %p
  %word = ptrtoint ptr %address to i64
  store i64 %word, ptr %q
  ret void
}

; CHECK-LABEL: define void @moved_join(
; CHECK:       one:
; CHECK:         [[ONE:%.*]] = load i64, ptr %p
; CHECK:       other:
; CHECK:         [[OTHER:%.*]] = load i64, ptr %q
; CHECK:       end:
; CHECK:         [[WORD:%.*]] = phi i64 [ [[ONE]], %one ], [ [[OTHER]], %other ]
; CHECK:         store i64 [[WORD]], ptr %r
define void @moved_join(i1 %c, ptr %p, ptr %q, ptr %r) {
  br i1 %c, label %one, label %other
one:
  %a = load i64, ptr %p
  %address.a = inttoptr i64 %a to ptr
  br label %end
other:
  %address.b = load ptr, ptr %q
  br label %end
end:
  %address = phi ptr [ %address.a, %one ], [ %address.b, %other ]
  %word = ptrtoint ptr %address to i64
  store i64 %word, ptr %r
  ret void
}

; An address that is computed with, and one that the program calls so.
; CHECK-LABEL: define void @addresses(
; CHECK:         [[A:%.*]] = load ptr, ptr %p
; CHECK:         ptrtoint ptr [[A]] to i64
; CHECK:         [[B:%.*]] = load ptr, ptr %q, align 8, !tbaa
; CHECK:         ptrtoint ptr [[B]] to i64
define void @addresses(ptr %p, ptr %q, ptr %r) {
  %a = load ptr, ptr %p
  %word.a = ptrtoint ptr %a to i64
  %next = add i64 %word.a, 8
  store i64 %next, ptr %r
  %b = load ptr, ptr %q, !tbaa !0
  %word.b = ptrtoint ptr %b to i64
  store i64 %word.b, ptr %r
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"any pointer", !2}
!2 = !{!"omnipotent char", !3}
!3 = !{!"tbaa root"}

; A word that is loaded once for both: the number is a load of its own.
; CHECK-LABEL: define double @loaded_once(
; CHECK-DAG:     %bits = load i64, ptr %p
; CHECK-DAG:     [[X:%.*]] = load double, ptr %p
; CHECK:         ret double [[X]]
define double @loaded_once(i1 %is_number, ptr %p) {
  %bits = load i64, ptr %p
  br i1 %is_number, label %number, label %address
number:
  %x = bitcast i64 %bits to double
  ret double %x
address:
  %r = inttoptr i64 %bits to ptr
  %y = load double, ptr %r
  ret double %y
}
