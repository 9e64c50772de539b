; Threads run where they are started, and what they return is kept for who joins them.
; RUN: %opt -passes='assay-prepare<started-threads>' %s | %check %s

declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
declare void @_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(ptr, ptr, ptr)
declare void @_ZNSt6thread4joinEv(ptr)

; CHECK-LABEL: define void @posix(
; CHECK-NEXT:    [[RESULT:%.*]] = call ptr @work(ptr %job)
; CHECK-NEXT:    [[NAME:%.*]] = ptrtoint ptr [[RESULT]] to i64
; CHECK-NEXT:    store i64 [[NAME]], ptr %thread
; CHECK-NEXT:    %name = load i64, ptr %thread
; CHECK-NEXT:    ret void
define void @posix(ptr %thread, ptr %job) {
  %failed = call i32 @pthread_create(ptr %thread, ptr null, ptr @work, ptr %job)
  %name = load i64, ptr %thread
  %error = call i32 @pthread_join(i64 %name, ptr null)
  ret void
}
define internal ptr @work(ptr %job) {
  ret ptr %job
}

; CHECK-LABEL: define i32 @result(
; CHECK-NEXT:    [[WANTED:%.*]] = icmp ne ptr %place, null
; CHECK-NEXT:    br i1 [[WANTED]],
; CHECK:         [[RESULT:%.*]] = inttoptr i64 %thread to ptr
; CHECK-NEXT:    store ptr [[RESULT]], ptr %place
; CHECK:         ret i32 0
define i32 @result(i64 %thread, ptr %place) {
  %error = call i32 @pthread_join(i64 %thread, ptr %place)
  ret i32 %error
}

; CHECK-LABEL: define void @object(
; CHECK-NEXT:    [[STATE:%.*]] = load ptr, ptr %holder
; CHECK-NEXT:    [[TABLE:%.*]] = load ptr, ptr [[STATE]]
; CHECK-NEXT:    [[ENTRY:%.*]] = getelementptr inbounds ptr, ptr [[TABLE]], i64 2
; CHECK-NEXT:    [[BODY:%.*]] = load ptr, ptr [[ENTRY]]
; CHECK-NEXT:    call void [[BODY]](ptr [[STATE]])
; CHECK-NEXT:    store i64 1, ptr %thread
; CHECK-NEXT:    store i64 0, ptr %thread
; CHECK-NEXT:    ret void
define void @object(ptr %thread, ptr %holder) {
  call void @_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(ptr %thread, ptr %holder, ptr null)
  call void @_ZNSt6thread4joinEv(ptr %thread)
  ret void
}

; pthread_once runs its function unless the flag is set. std::call_once passes that function in a thread-local variable.
declare i32 @pthread_once(ptr, ptr)
declare void @__once_proxy()
@_ZSt11__once_call = external thread_local global ptr

; CHECK-LABEL: define void @once(
; CHECK-NEXT:    [[FLAG:%.*]] = load i32, ptr %flag
; CHECK-NEXT:    [[IS_NEW:%.*]] = icmp ne i32 [[FLAG]], 2
; CHECK-NEXT:    br i1 [[IS_NEW]], label %[[BODY:.*]], label %[[DONE:.*]]
; CHECK:       [[BODY]]:
; CHECK-NEXT:    [[PLACE:%.*]] = call ptr @llvm.threadlocal.address.p0(ptr @_ZSt11__once_call)
; CHECK-NEXT:    [[NOTED:%.*]] = load ptr, ptr [[PLACE]]
; CHECK-NEXT:    [[IS_PROXY:%.*]] = icmp eq ptr %run, @__once_proxy
; CHECK-NEXT:    [[FUNCTION:%.*]] = select i1 [[IS_PROXY]], ptr [[NOTED]], ptr %run
; CHECK-NEXT:    call void [[FUNCTION]]()
; CHECK-NEXT:    store i32 2, ptr %flag
; CHECK:       [[DONE]]:
; CHECK-NEXT:    ret void
define void @once(ptr %flag, ptr %run) {
  %error = call i32 @pthread_once(ptr %flag, ptr %run)
  ret void
}

; Waiting is over before it begins, or would never be.
declare i1 @_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE(ptr, ptr, i32, i1, i64, i64)
declare void @_ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj(ptr)

; CHECK-LABEL: define i1 @wait(
; CHECK:         call void @abort()
; CHECK:         ret i1 false
define i1 @wait(ptr %futex, ptr %place) {
  %is_there = call i1 @_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE(ptr %futex, ptr %place, i32 1, i1 false, i64 0, i64 0)
  ret i1 %is_there
}
; CHECK-LABEL: define void @notify(
; CHECK-NEXT:    ret void
define void @notify(ptr %place) {
  call void @_ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj(ptr %place)
  ret void
}

; Conditions are not waited for: who would be told has been run, or comes later.
declare void @_ZNSt18condition_variableC1Ev(ptr)
declare void @_ZNSt18condition_variable10notify_oneEv(ptr)
declare void @_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(ptr, ptr)
declare i32 @pthread_cond_timedwait(ptr, ptr, ptr)

; CHECK-LABEL: define void @notified(
; CHECK-NEXT:    ret void
define void @notified(ptr %condition) {
  call void @_ZNSt18condition_variableC1Ev(ptr %condition)
  call void @_ZNSt18condition_variable10notify_oneEv(ptr %condition)
  ret void
}

; CHECK-LABEL: define void @waits(
; CHECK-NOT:     @_ZNSt18condition_variable4wait
; CHECK:         call void @abort()
define void @waits(ptr %condition, ptr %lock) {
  call void @_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(ptr %condition, ptr %lock)
  ret void
}

; CHECK-LABEL: define i32 @waits_for_a_time(
; CHECK-NEXT:    ret i32 110
define i32 @waits_for_a_time(ptr %condition, ptr %mutex, ptr %time) {
  %error = call i32 @pthread_cond_timedwait(ptr %condition, ptr %mutex, ptr %time)
  ret i32 %error
}

; A futex is waited for where its variable has not changed; one with a time limit stays, and so do other calls.
declare i64 @syscall(i64, ...)

; CHECK-LABEL: define i64 @futex(
; CHECK-NEXT:    [[NOW:%.*]] = load i32, ptr %variable
; CHECK-NEXT:    [[SAME:%.*]] = icmp eq i32 [[NOW]], %old
; CHECK-NEXT:    br i1 [[SAME]],
; CHECK:         call void @abort()
; CHECK:         ret i64 -1
define i64 @futex(ptr %variable, i32 %old) {
  %result = call i64 (i64, ...) @syscall(i64 202, ptr %variable, i32 128, i32 %old, ptr null)
  ret i64 %result
}

; CHECK-LABEL: define void @other_calls(
; CHECK-NEXT:    call i64 (i64, ...) @syscall(i64 202, ptr %variable, i32 137, i32 %old, ptr %time, ptr null, i32 -1)
; CHECK-NEXT:    call i64 (i64, ...) @syscall(i64 39)
; CHECK-NEXT:    ret void
define void @other_calls(ptr %variable, i32 %old, ptr %time) {
  %1 = call i64 (i64, ...) @syscall(i64 202, ptr %variable, i32 129, i32 1)
  %2 = call i64 (i64, ...) @syscall(i64 202, ptr %variable, i32 137, i32 %old, ptr %time, ptr null, i32 -1)
  %3 = call i64 (i64, ...) @syscall(i64 39)
  ret void
}

; A semaphore is taken where it is free.
declare i32 @sem_wait(ptr)

; CHECK-LABEL: define i32 @semaphore(
; CHECK-NEXT:    [[ERROR:%.*]] = call i32 @sem_trywait(ptr %semaphore)
; CHECK-NEXT:    icmp ne i32 [[ERROR]], 0
; CHECK:         ret i32 0
define i32 @semaphore(ptr %semaphore) {
  %error = call i32 @sem_wait(ptr %semaphore)
  ret i32 %error
}
