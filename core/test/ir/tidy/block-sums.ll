; Sums of a kernel at places that all threads of a block mean.
; RUN: %opt -passes='assay-tidy<block-sums>' %s | %check %s
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @reads(ptr)
@dynamic = external addrspace(3) global [0 x float]
@large = internal addrspace(3) global [12000 x float] poison

; CHECK: @assay.block.place.float = internal addrspace(3) global [256 x i64] poison
; CHECK: @assay.block.sum.float = internal addrspace(3) global [256 x float] poison

; Summed up in the block where it has two warps or more; returns are one behind the last barrier.
; CHECK-LABEL: define ptx_kernel void @weight(
; CHECK:         [[THREADS:%.*]] = mul i32
; CHECK:         icmp uge i32 {{%.*}}, 64
; CHECK:         [[USE:%.*]] = freeze i1
; CHECK:         br i1 [[USE]]
; CHECK:         call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
; CHECK:         [[LANES:%.*]] = call i32 @llvm.nvvm.activemask()
; CHECK:         [[SEVERAL:%.*]] = icmp ne i32
; CHECK:         [[CONDITION:%.*]] = and i1 [[USE]], [[SEVERAL]]
; CHECK:         br i1 [[CONDITION]], label %[[BLOCK:.*]], label %[[MEMORY:.*]]
; CHECK:       [[BLOCK]]:
; CHECK-NEXT:    [[PLACE:%.*]] = addrspacecast ptr %dw to ptr addrspace(1)
; CHECK-NEXT:    call void @assay.block.add.float(ptr addrspace(1) [[PLACE]], float %number)
; CHECK:       [[MEMORY]]:
; CHECK-NEXT:    atomicrmw fadd ptr %dw
; CHECK:       end:
; CHECK:         call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
; CHECK:         ret void
; CHECK-NOT:     ret void
; CHECK:       }
define ptx_kernel void @weight(ptr %dw, float %number, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %absent = icmp sge i32 %t, %n
  br i1 %absent, label %early, label %add
early:
  ret void
add:
  %1 = atomicrmw fadd ptr %dw, float %number monotonic, !assay.adjoint_sum !0
  ret void
}

; The same place for all threads of a block, by its number.
; CHECK-LABEL: define ptx_kernel void @of_block(
; CHECK:         call void @assay.block.add.float
define ptx_kernel void @of_block(ptr %dw, float %number) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %place = getelementptr float, ptr %dw, i32 %b
  %1 = atomicrmw fadd ptr %place, float %number monotonic, !assay.adjoint_sum !0
  ret void
}

; Another pointer that is written behind may be the same.
; CHECK-LABEL: define ptx_kernel void @written(
; CHECK:         icmp ne ptr %dw, %dy
; CHECK:         call void @assay.block.add.float
define ptx_kernel void @written(ptr %dw, ptr %dy, float %number) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %place = getelementptr float, ptr %dy, i32 %t
  store float 0.0, ptr %place
  %1 = atomicrmw fadd ptr %dw, float %number monotonic, !assay.adjoint_sum !0
  ret void
}

; What all lanes of a warp have needs no question for lanes.
; CHECK-LABEL: define ptx_kernel void @of_warp(
; CHECK-NOT:     activemask
; CHECK:         call void @assay.block.add.float
define ptx_kernel void @of_warp(ptr %dw, float %number) {
  %1 = atomicrmw fadd ptr %dw, float %number monotonic, !assay.adjoint_sum !0, !assay.sum_of_warp !0
  ret void
}

; Behind a barrier another thread may read what was added, by a pointer into the same memory.
; CHECK-LABEL: define ptx_kernel void @read_behind_a_barrier(
; CHECK-NOT:     assay.block
; CHECK:         ret void
define ptx_kernel void @read_behind_a_barrier(ptr %dw, ptr %dy, float %number) {
  %1 = atomicrmw fadd ptr %dw, float %number monotonic, !assay.adjoint_sum !0
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %2 = load float, ptr %dy
  store float 0.0, ptr %dy, !assay.adjoint_clear !0
  ret void
}

; A function that is not inlined may do so.
; CHECK-LABEL: define ptx_kernel void @read_in_a_call(
; CHECK-NOT:     assay.block
; CHECK:         ret void
define ptx_kernel void @read_in_a_call(ptr %dw, ptr %dy, float %number) {
  %1 = atomicrmw fadd ptr %dw, float %number monotonic, !assay.adjoint_sum !0
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @reads(ptr %dy)
  ret void
}

; Before it, none can.
; CHECK-LABEL: define ptx_kernel void @read_before_a_barrier(
; CHECK:         call void @assay.block.add.float
define ptx_kernel void @read_before_a_barrier(ptr %dw, ptr %dy, float %number) {
  %1 = load float, ptr %dy
  store float 0.0, ptr %dy, !assay.adjoint_clear !0
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %2 = atomicrmw fadd ptr %dw, float %1 monotonic, !assay.adjoint_sum !0
  ret void
}

; A place for each thread.
; CHECK-LABEL: define ptx_kernel void @of_thread(
; CHECK-NOT:     assay.block
; CHECK:         ret void
define ptx_kernel void @of_thread(ptr %dw, float %number) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %place = getelementptr float, ptr %dw, i32 %t
  %1 = atomicrmw fadd ptr %place, float %number monotonic, !assay.adjoint_sum !0
  ret void
}

; What is read in the kernel cannot wait for its end.
; CHECK-LABEL: define ptx_kernel void @read(
; CHECK-NOT:     assay.block
; CHECK:         ret void
define ptx_kernel void @read(ptr %dw, float %number) {
  %before = load float, ptr %dw
  %more = fadd float %before, %number
  %1 = atomicrmw fadd ptr %dw, float %more monotonic, !assay.adjoint_sum !0
  ret void
}

; Where a pointer leads that was loaded from memory, nobody knows.
; CHECK-LABEL: define ptx_kernel void @unknown(
; CHECK-NOT:     assay.block
; CHECK:         ret void
define ptx_kernel void @unknown(ptr %dw, ptr %pointers, float %number) {
  %pointer = load ptr, ptr %pointers
  store float 0.0, ptr %pointer
  %1 = atomicrmw fadd ptr %dw, float %number monotonic, !assay.adjoint_sum !0
  ret void
}

; What the derivative puts into the program's memory again is no shadow.
; CHECK-LABEL: define ptx_kernel void @done_again(
; CHECK:         call void @assay.block.add.float
define ptx_kernel void @done_again(ptr %dw, ptr %log, float %number) {
  %pointer = load ptr, ptr %log
  store float 0.0, ptr %pointer, !assay.done_again !0
  %1 = atomicrmw fadd ptr %dw, float %number monotonic, !assay.adjoint_sum !0
  ret void
}

; Of a struct by value, the pointer is compared where the kernel begins.
; CHECK-LABEL: define ptx_kernel void @of_struct(
; CHECK:         [[FIELD:%.*]] = getelementptr i8, ptr %buffers, i64 8
; CHECK:         [[OUT:%.*]] = load ptr, ptr [[FIELD]]
; CHECK:         icmp ne ptr %dw, [[OUT]]
; CHECK:         call void @assay.block.add.float
define ptx_kernel void @of_struct(ptr %dw, ptr byval({ptr, ptr}) %buffers, float %number) {
  %field = getelementptr i8, ptr %buffers, i64 8
  %out = load ptr, ptr %field
  store float 0.0, ptr %out
  %1 = atomicrmw fadd ptr %dw, float %number monotonic, !assay.adjoint_sum !0
  ret void
}

; Threads that return early would wait where the others do not.
; CHECK-LABEL: define ptx_kernel void @early(
; CHECK-NOT:     assay.block
; CHECK:       }
define ptx_kernel void @early(ptr %dw, float %number, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %absent = icmp sge i32 %t, %n
  br i1 %absent, label %early, label %add
early:
  ret void
add:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %1 = atomicrmw fadd ptr %dw, float %number monotonic, !assay.adjoint_sum !0
  ret void
}

; All threads of a block take the same way by its number.
; CHECK-LABEL: define ptx_kernel void @blocks(
; CHECK:         call void @assay.block.add.float
define ptx_kernel void @blocks(ptr %dw, float %number, i32 %n) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %absent = icmp sge i32 %b, %n
  br i1 %absent, label %early, label %add
early:
  ret void
add:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %1 = atomicrmw fadd ptr %dw, float %number monotonic, !assay.adjoint_sum !0
  ret void
}

; How much shared memory a launch gives, the code does not say.
; CHECK-LABEL: define ptx_kernel void @of_any_size(
; CHECK-NOT:     assay.block
; CHECK:         ret void
define ptx_kernel void @of_any_size(ptr %dw, float %number) {
  store float 0.0, ptr addrspace(3) @dynamic
  %1 = atomicrmw fadd ptr %dw, float %number monotonic, !assay.adjoint_sum !0
  ret void
}

; No room is left.
; CHECK-LABEL: define ptx_kernel void @of_much(
; CHECK-NOT:     assay.block
; CHECK:         ret void
define ptx_kernel void @of_much(ptr %dw, float %number) {
  store float 0.0, ptr addrspace(3) @large
  %1 = atomicrmw fadd ptr %dw, float %number monotonic, !assay.adjoint_sum !0
  ret void
}

!0 = !{}
