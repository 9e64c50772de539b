; Memory that is aligned by hand: both functions stand for what the program does.
; RUN: %opt -passes='assay-prepare<aligned-allocations>' %s | %check %s

declare noalias ptr @malloc(i64)
declare void @free(ptr)
declare void @use(ptr)

; CHECK-LABEL: define ptr @by_number(
; CHECK:         [[MEMORY:%.*]] = call ptr @assay.aligned.allocate(i64 %size, i64 32)
; CHECK-NOT:     @malloc
; CHECK:         icmp eq ptr [[MEMORY]], null
; CHECK-NOT:     store
; CHECK:         ret ptr [[MEMORY]]
define ptr @by_number(i64 %size) {
  %total = add i64 %size, 32
  %original = call ptr @malloc(i64 %total)
  %none = icmp eq ptr %original, null
  br i1 %none, label %null, label %some
null:
  ret ptr null
some:
  %number = ptrtoint ptr %original to i64
  %below = and i64 %number, -32
  %above = add i64 %below, 32
  %aligned = inttoptr i64 %above to ptr
  %header = getelementptr inbounds i8, ptr %aligned, i64 -8
  store ptr %original, ptr %header
  ret ptr %aligned
}

; CHECK-LABEL: define ptr @by_distance(
; CHECK:         [[SIZE:%.*]] = sub i64 %total, 64
; CHECK:         [[MEMORY:%.*]] = call ptr @assay.aligned.allocate(i64 [[SIZE]], i64 64)
; CHECK-NOT:     @malloc
; CHECK:         ret ptr [[MEMORY]]
define ptr @by_distance(i64 %total) {
  %original = call ptr @malloc(i64 %total)
  %number = ptrtoint ptr %original to i64
  %below = and i64 %number, 63
  %distance = sub i64 64, %below
  %aligned = getelementptr i8, ptr %original, i64 %distance
  %header = getelementptr ptr, ptr %aligned, i64 -1
  store ptr %original, ptr %header
  ret ptr %aligned
}

; CHECK-LABEL: define void @released(
; CHECK:         call void @assay.aligned.release(ptr %memory)
; CHECK-NEXT:    ret void
define void @released(ptr %memory) {
  %header = getelementptr inbounds i8, ptr %memory, i64 -8
  %original = load ptr, ptr %header
  call void @free(ptr %original)
  ret void
}

; The original address goes elsewhere, too.
; CHECK-LABEL: define ptr @used_otherwise(
; CHECK:         call ptr @malloc
; CHECK-NOT:     @assay.aligned
; CHECK:         ret ptr
define ptr @used_otherwise(i64 %size) {
  %total = add i64 %size, 32
  %original = call ptr @malloc(i64 %total)
  call void @use(ptr %original)
  %number = ptrtoint ptr %original to i64
  %below = and i64 %number, -32
  %above = add i64 %below, 32
  %aligned = inttoptr i64 %above to ptr
  %header = getelementptr inbounds i8, ptr %aligned, i64 -8
  store ptr %original, ptr %header
  ret ptr %aligned
}

; Rounded to another place than the next.
; CHECK-LABEL: define ptr @rounded_otherwise(
; CHECK:         call ptr @malloc
; CHECK-NOT:     @assay.aligned
; CHECK:         ret ptr
define ptr @rounded_otherwise(i64 %size) {
  %total = add i64 %size, 64
  %original = call ptr @malloc(i64 %total)
  %number = ptrtoint ptr %original to i64
  %below = and i64 %number, -32
  %above = add i64 %below, 64
  %aligned = inttoptr i64 %above to ptr
  %header = getelementptr inbounds i8, ptr %aligned, i64 -8
  store ptr %original, ptr %header
  ret ptr %aligned
}

; A member that stands two words before.
; CHECK-LABEL: define void @member_released(
; CHECK-NOT:     @assay.aligned
; CHECK:         call void @free(
define void @member_released(ptr %memory) {
  %place = getelementptr inbounds i8, ptr %memory, i64 -16
  %member = load ptr, ptr %place
  call void @free(ptr %member)
  ret void
}

define internal ptr @assay.aligned.allocate(i64 %size, i64 %alignment) {
  ret ptr null
}
define internal void @assay.aligned.release(ptr %memory) {
  ret void
}
