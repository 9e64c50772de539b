; The reverse sweep on a device reads which operand a maximum took: a byte on the tape, not two numbers.
; RUN: %opt -passes=assay %s | %check %s
target triple = "nvptx64-nvidia-cuda"

@enzyme_dup = external addrspace(1) global i32
declare void @__enzyme_autodiff(ptr, ...)
declare double @llvm.maxnum.f64(double, double)

define void @running_maximum(ptr noalias %x, ptr noalias %out, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %most = phi double [ 0.0, %entry ], [ %larger, %loop ]
  %place = getelementptr double, ptr %x, i64 %i
  %number = load double, ptr %place
  %larger = call double @llvm.maxnum.f64(double %most, double %number)
  store double 1.0, ptr %place
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  store double %larger, ptr %out
  ret void
}

; At a tie the first one is taken.
; CHECK-LABEL: define internal void @diffe.running_maximum(
; CHECK:         [[LARGER:%.*]] = call double @llvm.maxnum.f64(double [[MOST:%.*]], double [[NUMBER:%.*]])
; CHECK:         [[AT_LEAST:%.*]] = fcmp uge double [[MOST]], [[NUMBER]]
; CHECK:         [[IS_NUMBER:%.*]] = fcmp ord double [[MOST]], 0.0
; CHECK:         [[CHOICE:%.*]] = and i1 [[AT_LEAST]], [[IS_NUMBER]]
; CHECK:         store i1 [[CHOICE]], ptr addrspace(1)
; CHECK-NOT:     store double [[MOST]]
; CHECK:         [[FIRST:%.*]] = load i1, ptr addrspace(1)
; CHECK:         select i1 [[FIRST]], double [[SEED:%.*]], double 0.0
; CHECK:         select i1 [[FIRST]], double 0.000000e+00, double [[SEED]]
define void @gradient(ptr %x, ptr %dx, ptr %out, ptr %dout, i64 %n) {
  %dup = load i32, ptr addrspace(1) @enzyme_dup
  call void (ptr, ...) @__enzyme_autodiff(ptr @running_maximum, i32 %dup, ptr %x, ptr %dx, i32 %dup, ptr %out, ptr %dout, i64 %n)
  ret void
}
