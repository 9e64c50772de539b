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
