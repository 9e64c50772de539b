; A variable whose first byte became a value, while the rest stayed memory, is put together again.
; RUN: %opt -passes='assay-prepare<cut-variables>' %s | %check %s

; CHECK-LABEL: define void @cut_behind_its_first_byte(
; CHECK-NEXT:    [[WHOLE:%.*]] = alloca [16 x i8], align 8
; CHECK:         call void @llvm.memcpy.p0.p0.i64(ptr align 8 [[WHOLE]], ptr {{.*}}, i64 16, i1 false)
; CHECK:         call void @llvm.memcpy.p0.p0.i64(ptr {{.*}}, ptr align 8 [[WHOLE]], i64 16, i1 false)
; CHECK-NOT:     i64 15
; CHECK:         ret void
define void @cut_behind_its_first_byte(ptr %from, ptr %to) {
  %rest = alloca [15 x i8]
  %head = load i8, ptr %from
  %from.rest = getelementptr i8, ptr %from, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr %rest, ptr %from.rest, i64 15, i1 false)
  store i8 %head, ptr %to
  %to.rest = getelementptr i8, ptr %to, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr %to.rest, ptr %rest, i64 15, i1 false)
  ret void
}

; CHECK-LABEL: define void @whole_words(
; CHECK-NEXT:    %rest = alloca [16 x i8]
; CHECK:         i64 16, i1 false)
define void @whole_words(ptr %from, ptr %to) {
  %rest = alloca [16 x i8]
  %head = load i64, ptr %from
  %from.rest = getelementptr i8, ptr %from, i64 8
  call void @llvm.memcpy.p0.p0.i64(ptr %rest, ptr %from.rest, i64 16, i1 false)
  store i64 %head, ptr %to
  %to.rest = getelementptr i8, ptr %to, i64 8
  call void @llvm.memcpy.p0.p0.i64(ptr %to.rest, ptr %rest, i64 16, i1 false)
  ret void
}

; CHECK-LABEL: define void @first_byte_of_something_else(
; CHECK-NEXT:    %rest = alloca [15 x i8]
; CHECK:         store i8 7, ptr %to
define void @first_byte_of_something_else(ptr %from, ptr %to) {
  %rest = alloca [15 x i8]
  %head = load i8, ptr %from
  %from.rest = getelementptr i8, ptr %from, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr %rest, ptr %from.rest, i64 15, i1 false)
  store i8 7, ptr %to
  %to.rest = getelementptr i8, ptr %to, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr %to.rest, ptr %rest, i64 15, i1 false)
  ret void
}
