; A call that says where the thread's tapes lie gets a derivative of its own, which cuts them off that memory.
; RUN: %opt -passes=assay %s | %check %s
target triple = "nvptx64-nvidia-cuda"

@enzyme_tape_memory = external addrspace(1) global i32
@enzyme_dup = external addrspace(1) global i32

declare void @__enzyme_autodiff(ptr, ...)
declare void @__enzyme_autodiff_on_heap(ptr, ...)

define void @f(ptr noalias %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr double, ptr %x, i64 %i
  %a = load double, ptr %place
  %b = fmul double %a, %a
  store double %b, ptr %place
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define void @with_memory(
; CHECK:         call void @diffe.f.own.tape({{.*}}, ptr %tapes)
define void @with_memory(ptr %x, ptr %dx, i64 %n, ptr %tapes) {
  %memory = load i32, ptr addrspacecast (ptr addrspace(1) @enzyme_tape_memory to ptr)
  %dup = load i32, ptr addrspacecast (ptr addrspace(1) @enzyme_dup to ptr)
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, i32 %memory, ptr %tapes, i32 %dup, ptr %x, ptr %dx, i64 %n)
  ret void
}

; CHECK-LABEL: define void @on_heap(
; CHECK:         call void @diffe.f({{.*}})
define void @on_heap(ptr %x, ptr %dx, i64 %n) {
  %dup = load i32, ptr addrspacecast (ptr addrspace(1) @enzyme_dup to ptr)
  call void (ptr, ...) @__enzyme_autodiff_on_heap(ptr @f, i32 %dup, ptr %x, ptr %dx, i64 %n)
  ret void
}

; CHECK-LABEL: define internal void @diffe.f(
; CHECK-NOT:     assay.tape
; CHECK:         call {{.*}}@malloc(
; CHECK:         call void @free(
; The thread's words have those of other lanes between them, and the heap's do not.
; CHECK-LABEL: define internal void @diffe.f.own.tape(
; CHECK:         [[FITS:%.*]] = icmp ule i64
; CHECK:         br i1 [[FITS]]
; CHECK:         [[START:%.*]] = mul i64 %{{.*}}, 32
; CHECK:         getelementptr inbounds i8, ptr %{{.*}}, i64 [[START]]
; CHECK:         call {{.*}}@malloc(
; CHECK:         [[STRIDE:%.*]] = select i1 %{{.*}}, i64 256, i64 8
; CHECK:         [[WORDS:%.*]] = addrspacecast ptr %{{.*}} to ptr addrspace(1)
; CHECK:         [[OFFSET:%.*]] = mul nuw nsw i64 %iteration, [[STRIDE]]
; CHECK:         [[PLACE:%.*]] = getelementptr inbounds i8, ptr addrspace(1) [[WORDS]], i64 [[OFFSET]]
; CHECK:         store double %a, ptr addrspace(1) [[PLACE]]
; CHECK:         [[BACK:%.*]] = mul nuw nsw i64 %iteration{{.*}}, [[STRIDE]]
; CHECK:         [[KEPT:%.*]] = getelementptr inbounds i8, ptr addrspace(1) [[WORDS]], i64 [[BACK]]
; CHECK:         load double, ptr addrspace(1) [[KEPT]]
