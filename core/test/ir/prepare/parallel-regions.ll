; Parallel regions run in one thread: their bodies are called, and the runtime's answers are those for a team of one.
; RUN: %opt -passes='assay-prepare<parallel-regions>' %s | %check %s

declare void @__kmpc_fork_call(ptr, i32, ptr, ...)
declare void @__kmpc_push_num_threads(ptr, i32, i32)
declare i32 @__kmpc_global_thread_num(ptr)
declare void @__kmpc_for_static_init_4(ptr, i32, i32, ptr, ptr, ptr, ptr, i32, i32)
declare void @__kmpc_for_static_fini(ptr, i32)
declare void @__kmpc_dispatch_init_8u(ptr, i32, i32, i64, i64, i64, i64)
declare i32 @__kmpc_dispatch_next_8u(ptr, i32, ptr, ptr, ptr, ptr)
declare i32 @__kmpc_reduce_nowait(ptr, i32, i32, i64, ptr, ptr, ptr)
declare ptr @__kmpc_omp_task_alloc(ptr, i32, i32, i64, i64, ptr)
declare i32 @__kmpc_omp_task(ptr, i32, ptr)
declare i32 @omp_get_thread_num()
declare i32 @omp_get_num_threads()
declare void @use(i32)

; Only in a body are threads known to be one, and updates plain.
; CHECK-LABEL: define internal void @body(
; CHECK-NEXT:    [[OLD:%.*]] = load double, ptr %x
; CHECK-NEXT:    [[NEW:%.*]] = fadd double [[OLD]], 1.0
; CHECK-NEXT:    store double [[NEW]], ptr %x
; CHECK-NEXT:    call void @use(i32 0)
; CHECK-NEXT:    call void @use(i32 1)
; CHECK-NEXT:    call void @inner(ptr %x)
; CHECK-NEXT:    ret void
define internal void @body(ptr %thread, ptr %bound, ptr %x) {
  %old = atomicrmw fadd ptr %x, double 1.0 monotonic
  %number = call i32 @omp_get_thread_num()
  call void @use(i32 %number)
  %count = call i32 @omp_get_num_threads()
  call void @use(i32 %count)
  call void @inner(ptr %x)
  ret void
}

; CHECK-LABEL: define internal void @inner(
; CHECK-NEXT:    call void @use(i32 0)
define internal void @inner(ptr %x) {
  %number = call i32 @omp_get_thread_num()
  call void @use(i32 %number)
  ret void
}

; CHECK-LABEL: define void @region(
; CHECK:         %thread = alloca i32
; CHECK-NEXT:    store i32 0, ptr %thread
; CHECK-NEXT:    call void @body(ptr %thread, ptr %thread, ptr %x)
; CHECK-NEXT:    ret void
define void @region(ptr %x) {
  %number = call i32 @__kmpc_global_thread_num(ptr null)
  call void @__kmpc_push_num_threads(ptr null, i32 %number, i32 4)
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr null, i32 1, ptr @body, ptr %x)
  ret void
}

; CHECK-LABEL: define void @outside(
; CHECK-NEXT:    %number = call i32 @omp_get_thread_num()
; CHECK-NEXT:    atomicrmw fadd
define void @outside(ptr %x) {
  %number = call i32 @omp_get_thread_num()
  %old = atomicrmw fadd ptr %x, double 1.0 monotonic
  call void @use(i32 %number)
  ret void
}

; CHECK-LABEL: define void @static_loop(
; CHECK-NEXT:    store i32 1, ptr %last
; CHECK-NEXT:    [[UPPER:%.*]] = load i32, ptr %upper
; CHECK-NEXT:    [[LOWER:%.*]] = load i32, ptr %lower
; CHECK-NEXT:    [[DISTANCE:%.*]] = sub i32 [[UPPER]], [[LOWER]]
; CHECK-NEXT:    [[COUNT:%.*]] = add i32 [[DISTANCE]], 1
; CHECK-NEXT:    store i32 [[COUNT]], ptr %stride
; CHECK-NEXT:    ret void
define void @static_loop(ptr %last, ptr %lower, ptr %upper, ptr %stride) {
  call void @__kmpc_for_static_init_4(ptr null, i32 0, i32 33, ptr %last, ptr %lower, ptr %upper, ptr %stride, i32 1, i32 2)
  call void @__kmpc_for_static_fini(ptr null, i32 0)
  ret void
}

; CHECK-LABEL: define i32 @dynamic_loop(
; CHECK:         store i32 1, ptr %pending
; CHECK:         store i64 %n, ptr %bound
; CHECK:         store i32 1, ptr %last
; CHECK:         [[PENDING:%.*]] = load i32, ptr %pending
; CHECK-NEXT:    store i32 0, ptr %pending
; CHECK-NEXT:    ret i32 [[PENDING]]
define i32 @dynamic_loop(i64 %n, ptr %last, ptr %lower, ptr %upper, ptr %stride) {
  call void @__kmpc_dispatch_init_8u(ptr null, i32 0, i32 35, i64 0, i64 %n, i64 1, i64 1)
  %more = call i32 @__kmpc_dispatch_next_8u(ptr null, i32 0, ptr %last, ptr %lower, ptr %upper, ptr %stride)
  ret i32 %more
}

; It adds its partial results without a lock.
; CHECK-LABEL: define i32 @reduce(
; CHECK-NEXT:    ret i32 1
define i32 @reduce(ptr %list) {
  %way = call i32 @__kmpc_reduce_nowait(ptr null, i32 0, i32 1, i64 8, ptr %list, ptr null, ptr null)
  ret i32 %way
}

; CHECK-LABEL: define void @task(
; CHECK-NEXT:    [[TASK:%.*]] = call ptr @malloc(i64 56)
; CHECK:         call i32 @work(i32 0, ptr [[TASK]])
; CHECK-NEXT:    call void @free(ptr [[TASK]])
define void @task() {
  %task = call ptr @__kmpc_omp_task_alloc(ptr null, i32 0, i32 1, i64 40, i64 8, ptr @work)
  %done = call i32 @__kmpc_omp_task(ptr null, i32 0, ptr %task)
  ret void
}
define internal i32 @work(i32 %thread, ptr %task) {
  ret i32 0
}

; A body that takes something else is left to the error that names threads.
; CHECK-LABEL: define void @other_form(
; CHECK-NEXT:    call void (ptr, i32, ptr, ...) @__kmpc_fork_call(
define void @other_form(ptr %x, ptr %body) {
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr null, i32 1, ptr %body, ptr %x)
  ret void
}
