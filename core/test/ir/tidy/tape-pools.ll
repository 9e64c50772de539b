; Stand-ins for memory of the thread's pool become calls of the library, all of one pool. A derivative that reaches no
; such memory does not enter it.
; RUN: %opt -passes='assay-tidy<tape-pools>' %s | %check %s

; CHECK: @assay.pool.of.thread = internal thread_local global

; CHECK-LABEL: define internal ptr @augmented.f(
; CHECK-NEXT:    [[TAPE:%.*]] = call ptr @assay.pool.take.in.thread(i64 24)
; CHECK-NEXT:    ret ptr [[TAPE]]
define internal ptr @augmented.f() {
  %tape = call ptr @assay.pool.take(i64 24)
  ret ptr %tape
}

; CHECK-LABEL: define internal void @split_reverse.f(
; CHECK-NEXT:    call void @assay.pool.leave.in.thread(ptr %tape)
define internal void @split_reverse.f(ptr %tape) {
  call void @assay.pool.leave(ptr %tape)
  ret void
}

; CHECK-LABEL: define void @gradient(
; CHECK-NEXT:    [[BEFORE:%.*]] = call i32 @assay.pool.enter.in.thread(i32 1)
; CHECK:         call void @split_reverse.f(
; CHECK-NEXT:    call void @assay.pool.exit.in.thread(i32 [[BEFORE]])
define void @gradient() {
  %before = call i32 @assay.pool.enter(i32 1)
  %tape = call ptr @augmented.f()
  call void @split_reverse.f(ptr %tape)
  call void @assay.pool.exit(i32 %before)
  ret void
}

; CHECK-LABEL: define void @gradient_without_tapes(
; CHECK-NEXT:    ret void
define void @gradient_without_tapes() {
  %before = call i32 @assay.pool.enter(i32 1)
  call void @assay.pool.exit(i32 %before)
  ret void
}

; CHECK-LABEL: define internal noalias {{.*}}align 16 ptr @assay.pool.take.in.thread(i64
; CHECK-NOT: @assay.pool.of.thread.{{[0-9]}}

define internal noalias align 16 ptr @assay.pool.take(i64 %bytes) noinline {
  %memory = call ptr @malloc(i64 %bytes)
  ret ptr %memory
}
define internal void @assay.pool.leave(ptr %memory) noinline {
  call void @free(ptr %memory)
  ret void
}
define internal i32 @assay.pool.enter(i32 %in_gradient) noinline {
  ret i32 0
}
define internal void @assay.pool.exit(i32 %before) noinline {
  ret void
}
declare ptr @malloc(i64)
declare void @free(ptr)

; Under a sanitizer every tape is a block of malloc, which it knows.
; RUN: sed 's/@augmented.f()/@augmented.f() sanitize_address/' %s | %opt -passes='assay-tidy<tape-pools>' - | %check %s --check-prefix=SANITIZED
; SANITIZED-LABEL: define internal ptr @augmented.f(
; SANITIZED-NEXT:    call ptr @assay.pool.take(i64 24)
