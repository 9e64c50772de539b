; What is wider than a word of a device's tape lies in several, by its parts; what is smaller shares one.
; RUN: %opt -passes=assay %s | %check %s
target triple = "nvptx64-nvidia-cuda"

@enzyme_tape_memory = external addrspace(1) global i32
@enzyme_dup = external addrspace(1) global i32

declare void @__enzyme_autodiff(ptr, ...)

define void @vectors(ptr noalias %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr <3 x float>, ptr %x, i64 %i
  %a = load <3 x float>, ptr %place, align 16
  %b = fmul <3 x float> %a, %a
  store <3 x float> %b, ptr %place, align 16
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define void @floats(ptr noalias %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr float, ptr %x, i64 %i
  %a = load float, ptr %place
  %b = fmul float %a, %a
  store float %b, ptr %place
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define void @gradients(ptr %x, ptr %dx, i64 %n, ptr %tapes) {
  %memory = load i32, ptr addrspacecast (ptr addrspace(1) @enzyme_tape_memory to ptr)
  %dup = load i32, ptr addrspacecast (ptr addrspace(1) @enzyme_dup to ptr)
  call void (ptr, ...) @__enzyme_autodiff(ptr @vectors, i32 %memory, ptr %tapes, i32 %dup, ptr %x, ptr %dx, i64 %n)
  call void (ptr, ...) @__enzyme_autodiff(ptr @floats, i32 %memory, ptr %tapes, i32 %dup, ptr %x, ptr %dx, i64 %n)
  ret void
}

; CHECK-LABEL: define internal void @diffe.vectors.own.tape(
; CHECK:         [[STRIDE:%.*]] = select i1 %{{.*}}, i64 256, i64 8
; CHECK:       loop:
; CHECK:         [[VECTOR:%.*]] = load <3 x float>
; CHECK:         [[FIRST:%.*]] = getelementptr inbounds nuw i8, ptr addrspace(1) %{{.*}}, i64 %{{.*}}
; CHECK:         [[X:%.*]] = extractelement <3 x float> [[VECTOR]], i64 0
; CHECK:         store float [[X]], ptr addrspace(1) [[FIRST]], align 4
; CHECK:         [[Y:%.*]] = extractelement <3 x float> [[VECTOR]], i64 1
; CHECK:         [[SECOND:%.*]] = getelementptr inbounds nuw i8, ptr addrspace(1) [[FIRST]], i64 4
; CHECK:         store float [[Y]], ptr addrspace(1) [[SECOND]], align 4
; CHECK:         [[Z:%.*]] = extractelement <3 x float> [[VECTOR]], i64 2
; CHECK:         [[THIRD:%.*]] = getelementptr inbounds i8, ptr addrspace(1) [[FIRST]], i64 [[STRIDE]]
; CHECK:         store float [[Z]], ptr addrspace(1) [[THIRD]], align 4

; Two numbers of 4 bytes lie in each word.
; CHECK-LABEL: define internal void @diffe.floats.own.tape(
; CHECK:         [[STRIDE:%.*]] = select i1 %{{.*}}, i64 256, i64 8
; CHECK:       loop:
; CHECK:         [[NUMBER:%.*]] = load float
; CHECK:         [[BYTES:%.*]] = shl nuw nsw i64 %iteration, 2
; CHECK:         [[WORD:%.*]] = lshr i64 %iteration, 1
; CHECK:         [[OFFSET:%.*]] = mul i64 [[WORD]], [[STRIDE]]
; CHECK:         [[PLACE:%.*]] = getelementptr inbounds i8, ptr addrspace(1) %{{.*}}, i64 [[OFFSET]]
; CHECK:         [[REST:%.*]] = and i64 [[BYTES]], 4
; CHECK:         [[HALF:%.*]] = getelementptr inbounds nuw i8, ptr addrspace(1) [[PLACE]], i64 [[REST]]
; CHECK:         store float [[NUMBER]], ptr addrspace(1) [[HALF]], align 4
