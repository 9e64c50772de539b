; Bytes that are cut out of a number are copied from memory that holds it, and bytes that become one to such memory.
; RUN: %opt -passes='assay-prepare<number-bytes>' %s | %check %s

; CHECK-LABEL: define void @cuts_by_shifts(
; CHECK:         [[PLACE:%[a-z0-9.]+]] = alloca double
; CHECK-NEXT:    store double %x, ptr [[PLACE]]
; CHECK:         call void @llvm.memcpy.p0.p0.i64(ptr align 1 %to, ptr align 1 [[PLACE]], i64 1, i1 false), !assay.type [[BYTES:![0-9]+]]
; CHECK:         [[SECOND:%.*]] = getelementptr inbounds i8, ptr [[PLACE]], i64 1
; CHECK-NEXT:    call void @llvm.memcpy.p0.p0.i64(ptr align 1 %to.1, ptr align 1 [[SECOND]], i64 1, i1 false), !assay.type [[BYTES]]
; CHECK-NOT:     store i8
; CHECK:         ret void
define void @cuts_by_shifts(double %x, ptr %to) {
  %bits = bitcast double %x to i64
  %low = trunc i64 %bits to i8
  store i8 %low, ptr %to
  %shifted = lshr i64 %bits, 8
  %next = trunc i64 %shifted to i8
  %to.1 = getelementptr i8, ptr %to, i64 1
  store i8 %next, ptr %to.1
  ret void
}

; CHECK-LABEL: define void @a_loop_chooses_the_byte(
; CHECK:         store double %x, ptr [[PLACE:%[a-z0-9.]+]],
; CHECK:       loop:
; CHECK:         [[OFFSET:%.*]] = lshr i64 %shift, 3
; CHECK-NEXT:    [[BYTE:%.*]] = getelementptr i8, ptr [[PLACE]], i64 [[OFFSET]]
; CHECK-NEXT:    call void @llvm.memcpy.p0.p0.i64(ptr align 1 %target, ptr align 1 [[BYTE]], i64 1, i1 false), !assay.type [[BYTES]]
define void @a_loop_chooses_the_byte(double %x, ptr %to, i64 %n) {
entry:
  %bits = bitcast double %x to i64
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw nsw i64 %i, 1
  %shift = shl i64 %i, 3
  %shifted = lshr i64 %bits, %shift
  %byte = trunc i64 %shifted to i8
  %target = getelementptr inbounds i8, ptr %to, i64 %i
  store i8 %byte, ptr %target
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; CHECK-LABEL: define float @reads_in_the_reversed_order(
; CHECK:         call void @llvm.memcpy.p0.p0.i64(ptr align 4 {{%.*}}, ptr align 1 %from, i64 4, i1 false), !assay.type [[REVERSED:![0-9]+]]
; CHECK:         call void @llvm.memcpy.p0.p0.i64({{.*}}, i64 1, i1 false), !assay.type [[BYTES]]
; CHECK:         [[NUMBER:%.*]] = load float
; CHECK-NEXT:    ret float [[NUMBER]]
define float @reads_in_the_reversed_order(ptr %from) {
  %loaded = load i32, ptr %from, align 1
  %bits = call i32 @llvm.bswap.i32(i32 %loaded)
  %number = bitcast i32 %bits to float
  ret float %number
}

; CHECK-LABEL: define double @is_itself_after_two_changes(
; CHECK-NOT:     memcpy
; CHECK:         ret double
define double @is_itself_after_two_changes(double %x) {
  %bits = bitcast double %x to i64
  %once = call i64 @llvm.bswap.i64(i64 %bits)
  %twice = call i64 @llvm.bswap.i64(i64 %once)
  %number = bitcast i64 %twice to double
  ret double %number
}

; What is computed from a number's bits is an integer.
; CHECK-LABEL: define void @stores_a_hash(
; CHECK:         store i8 %hash, ptr %to
define void @stores_a_hash(double %x, ptr %to) {
  %bits = bitcast double %x to i64
  %product = mul i64 %bits, 1099511628211
  %high = lshr i64 %product, 56
  %hash = trunc i64 %high to i8
  store i8 %hash, ptr %to
  ret void
}

; What is computed of a number's bits is stored as a number, flags in its lowest bits included.
; CHECK-LABEL: define void @keeps_the_mantissa(
; CHECK:         [[NUMBER:%.*]] = bitcast i64 %half to double
; CHECK-NEXT:    store double [[NUMBER]], ptr %to
; CHECK:         [[TAGGED:%.*]] = bitcast i64 %tagged to double
; CHECK-NEXT:    store double [[TAGGED]], ptr %to.8
; CHECK-NOT:     memcpy
; CHECK:         ret void
define void @keeps_the_mantissa(double %x, i64 %flag, ptr %to) {
  %bits = bitcast double %x to i64
  %mantissa = and i64 %bits, -9218868437227405313
  %half = or i64 %mantissa, 4602678819172646912
  store i64 %half, ptr %to
  %place = and i64 %bits, -16
  %low = and i64 %flag, 7
  %tagged = or i64 %place, %low
  %to.8 = getelementptr i8, ptr %to, i64 8
  store i64 %tagged, ptr %to.8
  ret void
}

; CHECK-DAG: [[BYTES]] = !{!"bytes"}
; CHECK-DAG: [[REVERSED]] = !{!"bytes reversed of float"}
declare i32 @llvm.bswap.i32(i32)
declare i64 @llvm.bswap.i64(i64)
