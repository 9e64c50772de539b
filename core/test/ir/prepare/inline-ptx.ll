; Inline PTX becomes instructions: arithmetic of halves, shuffles with a predicate, guarded sums.
; RUN: %opt -passes='assay-prepare<inline-ptx>' %s | %check %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define i16 @product(
; CHECK-NEXT:    [[X:%.*]] = bitcast i16 %x to half
; CHECK-NEXT:    [[Y:%.*]] = bitcast i16 %y to half
; CHECK-NEXT:    [[P:%.*]] = fmul half [[X]], [[Y]]
; CHECK-NEXT:    [[R:%.*]] = bitcast half [[P]] to i16
; CHECK-NEXT:    ret i16 [[R]]
define i16 @product(i16 %x, i16 %y) {
  %r = call i16 asm "{mul.f16 $0,$1,$2;\0A}", "=h,h,h"(i16 %x, i16 %y)
  ret i16 %r
}

; CHECK-LABEL: define float @conversion(
; CHECK-NEXT:    [[X:%.*]] = bitcast i16 %x to bfloat
; CHECK-NEXT:    [[R:%.*]] = fpext bfloat [[X]] to float
define float @conversion(i16 %x) {
  %r = call float asm "{ cvt.f32.bf16 $0, $1;}\0A", "=f,h"(i16 %x)
  ret float %r
}

; A comparison gives an integer.
; CHECK-LABEL: define i16 @comparison(
; CHECK:         [[C:%.*]] = fcmp ogt half %{{.*}}, %{{.*}}
; CHECK-NEXT:    [[R:%.*]] = select i1 [[C]], i16 1, i16 0
; CHECK-NEXT:    ret i16 [[R]]
define i16 @comparison(i16 %x, i16 %y) {
  %c = call i16 asm "{ .reg .pred p;\0A setp.gt.f16  p, $1, $2;\0A selp.u16 $0, 1, 0, p;}\0A", "=h,h,h"(i16 %x, i16 %y)
  ret i16 %c
}

; CHECK-LABEL: define i16 @integers(
; CHECK-NEXT:    [[R:%.*]] = add i16 %x, %y
; CHECK-NEXT:    ret i16 [[R]]
define i16 @integers(i16 %x, i16 %y) {
  %r = call i16 asm "add.s16 $0,$1,$2;", "=h,h,h"(i16 %x, i16 %y)
  ret i16 %r
}

; An instruction that is not known.
; CHECK-LABEL: define i16 @high_half(
; CHECK-NEXT:    call i16 asm
define i16 @high_half(i16 %x, i16 %y) {
  %r = call i16 asm "mul.hi.s16 $0,$1,$2;", "=h,h,h"(i16 %x, i16 %y)
  ret i16 %r
}

; A step of a reduction of CUB: a sum that is guarded by whether the source lane is in range.
; CHECK-LABEL: define float @guarded_sum(
; CHECK:         [[S:%.*]] = call float @llvm.nvvm.shfl.sync.down.f32(i32 %members, float %x, i32 %by, i32 %bounds)
; CHECK:         [[LANE:%.*]] = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
; CHECK:         [[FROM:%.*]] = add i32 [[LANE]], %{{.*}}
; CHECK-NEXT:    [[P:%.*]] = icmp sle i32 [[FROM]], %{{.*}}
; CHECK:         [[SUM:%.*]] = fadd float [[S]], %x
; CHECK-NEXT:    [[R:%.*]] = select i1 [[P]], float [[SUM]], float [[S]]
; CHECK:         ret float [[R]]
define float @guarded_sum(float %x, i32 %by, i32 %bounds, i32 %members) {
  %r = call float asm sideeffect "{ .reg .f32 r0; .reg .pred p; shfl.sync.down.b32 r0|p, $1, $2, $3, $4; @p add.f32 r0, r0, $1; mov.f32 $0, r0;}", "=f,f,r,r,r"(float %x, i32 %by, i32 %bounds, i32 %members)
  ret float %r
}

; CHECK-LABEL: define i32 @unless(
; CHECK:         [[P:%.*]] = icmp ult i32 %x, %y
; CHECK:         [[S:%.*]] = sub i32 %x, %y
; CHECK-NEXT:    [[R:%.*]] = select i1 [[P]], i32 %x, i32 [[S]]
; CHECK-NEXT:    ret i32 [[R]]
define i32 @unless(i32 %x, i32 %y) {
  %r = call i32 asm "{ .reg .pred p; .reg .u32 r; mov.u32 r, $1; setp.lt.u32 p, $1, $2; @!p sub.u32 r, r, $2; mov.u32 $0, r; }", "=r,r,r"(i32 %x, i32 %y)
  ret i32 %r
}

; CHECK-LABEL: define i32 @lanes_below(
; CHECK:         call i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
define i32 @lanes_below() {
  %r = call i32 asm "mov.u32 $0, %lanemask_lt;", "=r"()
  ret i32 %r
}

; A guarded load is made where the guard holds.
; CHECK-LABEL: define i32 @guarded_load(
; CHECK:         [[P:%.*]] = icmp ne i32 %x, 0
; CHECK-NEXT:    br i1 [[P]], label %[[INSIDE:.*]], label %[[OUTSIDE:.*]]
; CHECK:         [[V:%.*]] = load i32, ptr %p, align 4
; CHECK:         [[R:%.*]] = phi i32 [ [[V]], %[[INSIDE]] ], [ 0, %{{.*}} ]
; CHECK-NEXT:    ret i32 [[R]]
define i32 @guarded_load(ptr %p, i32 %x) {
  %r = call i32 asm "{ .reg .pred p; setp.ne.u32 p, $2, 0; mov.u32 $0, 0; @p ld.global.u32 $0, [$1]; }", "=r,l,r"(ptr %p, i32 %x)
  ret i32 %r
}

; Not known behind a guarded access: nothing is left of that.
; CHECK-LABEL: define i32 @begun_and_left(
; CHECK:         br i1 false
; CHECK-NOT:     load
; CHECK:         call i32 asm
define i32 @begun_and_left(ptr %p, i32 %x) {
  %r = call i32 asm "{ .reg .pred p; setp.ne.u32 p, $2, 0; mov.u32 $0, 0; @p ld.global.u32 $0, [$1]; bfind.u32 $0, $0; }", "=r,l,r"(ptr %p, i32 %x)
  ret i32 %r
}

; An asynchronous copy takes place at once, through the pointer that its address was made of; groups are nothing then.
; CHECK-LABEL: define void @asynchronous_copy(
; CHECK:         [[TO:%.*]] = getelementptr i8, ptr addrspace(3) %to, i64 %{{.*}}
; CHECK-NEXT:    call void @llvm.memcpy.p3.p0.i64(ptr addrspace(3) align 16 [[TO]], ptr align 16 %from, i64 16, i1 false)
; CHECK-NOT:     asm
; CHECK:         ret void
define void @asynchronous_copy(ptr addrspace(3) %to, ptr %from, i32 %offset) {
  %word = ptrtoint ptr addrspace(3) %to to i64
  %base = trunc i64 %word to i32
  %place = add i32 %base, %offset
  call void asm sideeffect "cp.async.cg.shared.global [$0], [$1], 16;\0A", "r,l"(i32 %place, ptr %from)
  call void asm sideeffect "cp.async.commit_group;", ""()
  call void asm sideeffect "cp.async.wait_group $0;", "n"(i32 0)
  ret void
}

; Beyond the size of the source there are zeros.
; CHECK-LABEL: define void @filled_copy(
; CHECK:         [[SIZE:%.*]] = zext i32 %size to i64
; CHECK-NEXT:    call void @llvm.memcpy.p3.p0.i64(ptr addrspace(3) align 16 %to, ptr align 16 %from, i64 [[SIZE]], i1 false)
; CHECK:         call void @llvm.memset.p3.i64(
define void @filled_copy(ptr addrspace(3) %to, ptr %from, i32 %size) {
  %word = ptrtoint ptr addrspace(3) %to to i32
  call void asm sideeffect "cp.async.ca.shared.global [$0], [$1], 16, $2;", "r,l,r"(i32 %word, ptr %from, i32 %size)
  ret void
}

; As the toolkit's <cuda_pipeline.h> writes it, with immediates of several widths.
; CHECK-LABEL: define void @whole_copy(
; CHECK:         call void @llvm.memcpy.p3.p0.i64(ptr addrspace(3) align 16 %to, ptr align 16 %from, i64 16, i1 false)
; CHECK-NEXT:    ret void
define void @whole_copy(ptr addrspace(3) %to, ptr %from) {
  %word = ptrtoint ptr addrspace(3) %to to i32
  call void asm sideeffect "cp.async.cg.shared.global [$0], [$1], $2, $3;", "r,l,n,n,~{memory}"(i32 %word, ptr %from, i32 16, i64 16)
  ret void
}

; An address that a loop counts on is a pointer that it counts on.
; CHECK-LABEL: define void @counted_address(
; CHECK:         phi ptr [ %{{.*}}, %entry ], [ %{{.*}}, %loop ]
; CHECK-NOT:     asm
; CHECK:         ret void
define void @counted_address(ptr addrspace(3) %to, ptr %from, i32 %count) {
entry:
  %word = ptrtoint ptr addrspace(3) %to to i32
  br label %loop
loop:
  %place = phi i32 [ %word, %entry ], [ %next, %loop ]
  %step = phi i32 [ 0, %entry ], [ %after, %loop ]
  call void asm sideeffect "cp.async.ca.shared.global [$0], [$1], 4;", "r,l"(i32 %place, ptr %from)
  %next = add i32 %place, 4
  %after = add i32 %step, 1
  %more = icmp slt i32 %after, %count
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; An address that is no pointer's stays.
; CHECK-LABEL: define void @number_as_address(
; CHECK:         call void asm
define void @number_as_address(i32 %place, ptr %from) {
  call void asm sideeffect "cp.async.ca.shared.global [$0], [$1], 4;", "r,l"(i32 %place, ptr %from)
  ret void
}

; Orders and scopes of atomic accesses, and fences.
; CHECK-LABEL: define i32 @orders(
; CHECK:         atomicrmw fadd ptr %p, float %x syncscope("block") release, align 4
; CHECK:         load atomic i32, ptr %q syncscope("device") acquire, align 4
; CHECK:         cmpxchg ptr %q, i32 %{{.*}}, i32 1 syncscope("device") acq_rel acquire, align 4
; CHECK:         call void @llvm.nvvm.membar.gl()
define i32 @orders(ptr %p, ptr %q, float %x) {
  call void asm sideeffect "red.release.cta.global.add.f32 [$0], $1;", "l,f"(ptr %p, float %x)
  %seen = call i32 asm sideeffect "ld.acquire.gpu.b32 $0,[$1];", "=r,l"(ptr %q)
  %before = call i32 asm sideeffect "atom.cas.acq_rel.gpu.b32 $0,[$1],$2,$3;", "=r,l,r,r"(ptr %q, i32 %seen, i32 1)
  call void asm sideeffect "fence.acq_rel.gpu;", ""()
  ret i32 %before
}

; Four numbers at once, beside an offset.
; CHECK-LABEL: define float @four_numbers(
; CHECK:         [[P:%.*]] = getelementptr i8, ptr %p, i64 16
; CHECK-NEXT:    load <4 x float>, ptr [[P]], align 16
define float @four_numbers(ptr %p) {
  %v = call { float, float, float, float } asm sideeffect "ld.global.nc.L1::no_allocate.v4.f32 {$0,$1,$2,$3}, [$4+16];", "=f,=f,=f,=f,l"(ptr %p)
  %r = extractvalue { float, float, float, float } %v, 2
  ret float %r
}
