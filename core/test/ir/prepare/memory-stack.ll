; Memory of a gradient's own stack is plain memory where the gradient is differentiated once more.
; RUN: %opt -passes='assay-prepare<memory-stack>' %s | %check %s

declare ptr @assay.stack.take(i64)
declare void @assay.stack.give(ptr)
declare void @assay.stack.leave(ptr)
declare ptr @taken(i64)
declare void @given(ptr)

; CHECK-LABEL: define void @stack(
; CHECK-NEXT:    [[ONE:%.*]] = call noalias ptr @malloc(i64 %bytes)
; CHECK-NEXT:    [[OTHER:%.*]] = call noalias ptr @malloc(i64 8)
; CHECK-NEXT:    call void @free(ptr [[OTHER]])
; CHECK-NEXT:    call void @free(ptr [[ONE]])
; CHECK-NEXT:    ret void
define void @stack(i64 %bytes) {
  %one = call ptr @assay.stack.take(i64 %bytes)
  %other = call ptr @assay.stack.take(i64 8)
  call void @assay.stack.leave(ptr %other)
  call void @assay.stack.give(ptr %one)
  ret void
}

; CHECK-LABEL: define void @memory_of_the_program(
; CHECK-NEXT:    %one = call ptr @taken(i64 %bytes)
; CHECK-NEXT:    call void @given(ptr %one)
define void @memory_of_the_program(i64 %bytes) {
  %one = call ptr @taken(i64 %bytes)
  call void @given(ptr %one)
  ret void
}

; So is memory of tapes in code of a device.
declare ptr @assay.tape.take(i64)
declare ptr @assay.tape.grow(ptr, i64, i64)
declare void @assay.tape.leave(ptr)
declare ptr @assay.tape.grow.on.heap(ptr, i64, i64)
; CHECK-LABEL: define void @tapes(
; CHECK-NEXT:    [[TAPE:%.*]] = call noalias ptr @malloc(i64 %bytes)
; CHECK-NEXT:    [[LARGER:%.*]] = call ptr @assay.tape.grow.on.heap(ptr [[TAPE]], i64 %bytes, i64 100)
; CHECK-NEXT:    call void @free(ptr [[LARGER]])
; CHECK-NEXT:    ret void
define void @tapes(i64 %bytes) {
  %tape = call ptr @assay.tape.take(i64 %bytes)
  %larger = call ptr @assay.tape.grow(ptr %tape, i64 %bytes, i64 100)
  call void @assay.tape.leave(ptr %larger)
  ret void
}

; Memory of the pool stays its own: functions that are called as they are take it and give it back as well.
declare ptr @assay.pool.take(i64)
declare ptr @assay.pool.grow(ptr, i64, i64)
declare void @assay.pool.leave(ptr)
declare i32 @assay.pool.enter(i32)
declare void @assay.pool.exit(i32)
; CHECK-LABEL: define void @pool(
; CHECK-NEXT:    [[FRAME:%.*]] = call ptr @assay.pool.take(i64 %bytes)
; CHECK-NEXT:    [[LARGER:%.*]] = call noalias ptr @assay.pool.take(i64 100)
; CHECK-NEXT:    call void @llvm.memcpy.p0.p0.i64(ptr align 8 [[LARGER]], ptr align 8 [[FRAME]], i64 %bytes, i1 false)
; CHECK-NEXT:    call void @assay.pool.leave(ptr [[FRAME]])
; CHECK-NEXT:    call void @assay.pool.leave(ptr [[LARGER]])
; CHECK-NEXT:    ret void
define void @pool(i64 %bytes) {
  %before = call i32 @assay.pool.enter(i32 1)
  %frame = call ptr @assay.pool.take(i64 %bytes)
  %larger = call ptr @assay.pool.grow(ptr %frame, i64 %bytes, i64 100)
  call void @assay.pool.leave(ptr %larger)
  call void @assay.pool.exit(i32 %before)
  ret void
}
