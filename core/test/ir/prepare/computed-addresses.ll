; A pointer that is computed as an integer becomes a distance from the one pointer that it comes from.
; RUN: %opt -passes='assay-prepare<computed-addresses>' %s | %check %s

; CHECK-LABEL: define ptr @rounds_up(
; CHECK:         %rounded = and i64
; CHECK:         [[DISTANCE:%.*]] = sub i64 %rounded,
; CHECK-NEXT:    [[Q:%.*]] = getelementptr i8, ptr %p, i64 [[DISTANCE]]
; CHECK-NEXT:    ret ptr [[Q]]
define ptr @rounds_up(ptr %p) {
  %address = ptrtoint ptr %p to i64
  %above = add i64 %address, 31
  %rounded = and i64 %above, -32
  %q = inttoptr i64 %rounded to ptr
  ret ptr %q
}

; CHECK-LABEL: define ptr @clears_flags(
; CHECK-NOT:     @llvm.ptrmask
; CHECK:         getelementptr i8, ptr %p, i64
define ptr @clears_flags(ptr %p) {
  %q = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 -8)
  ret ptr %q
}

; CHECK-LABEL: define ptr @of_two_pointers(
; CHECK:         inttoptr i64 %sum to ptr
define ptr @of_two_pointers(ptr %p, ptr %q) {
  %one = ptrtoint ptr %p to i64
  %other = ptrtoint ptr %q to i64
  %sum = add i64 %one, %other
  %r = inttoptr i64 %sum to ptr
  ret ptr %r
}

; CHECK-LABEL: define ptr @of_no_pointer(
; CHECK:         inttoptr i64 %next to ptr
define ptr @of_no_pointer(i64 %number) {
  %next = add i64 %number, 8
  %p = inttoptr i64 %next to ptr
  ret ptr %p
}
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
