; A loop that updates a number by compare-and-swap becomes one atomic operation.
; RUN: %opt -passes='assay-prepare<atomic-loops>' %s | %check %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define double @sum(
; CHECK-NOT:     cmpxchg
; CHECK:         atomicrmw fadd ptr %p, double %v monotonic, align 8
; CHECK-NOT:     cmpxchg
define double @sum(ptr %p, double %v) {
  %first = load i64, ptr %p, align 8
  br label %try

try:
  %assumed = phi i64 [ %first, %0 ], [ %old, %try ]
  %number = bitcast i64 %assumed to double
  %total = fadd double %v, %number
  %bits = bitcast double %total to i64
  %pair = cmpxchg ptr %p, i64 %assumed, i64 %bits monotonic monotonic, align 8
  %old = extractvalue { i64, i1 } %pair, 0
  %same = icmp eq i64 %assumed, %old
  br i1 %same, label %done, label %try

done:
  ret double %number
}

; A comparison keeps a NaN that an atomic maximum would replace.
; CHECK-LABEL: define void @maximum(
; CHECK-NOT:     atomicrmw
; CHECK:         cmpxchg
define void @maximum(ptr %p, float %v) {
  %first = load i32, ptr %p, align 4
  %bits = bitcast float %v to i32
  br label %ask

ask:
  %assumed = phi i32 [ %first, %0 ], [ %old, %try ]
  %number = bitcast i32 %assumed to float
  %beats = fcmp ogt float %v, %number
  br i1 %beats, label %try, label %done

try:
  %pair = cmpxchg ptr %p, i32 %assumed, i32 %bits monotonic monotonic, align 4
  %old = extractvalue { i32, i1 } %pair, 0
  %same = icmp eq i32 %assumed, %old
  br i1 %same, label %done, label %ask

done:
  ret void
}

; What is added depends on what is there.
; CHECK-LABEL: define void @grows(
; CHECK-NOT:     atomicrmw
; CHECK:         cmpxchg
define void @grows(ptr %p, double %v) {
  br label %try

try:
  %assumed = load i64, ptr %p, align 8
  %number = bitcast i64 %assumed to double
  %more = fmul double %number, %v
  %total = fadd double %more, %number
  %bits = bitcast double %total to i64
  %pair = cmpxchg ptr %p, i64 %assumed, i64 %bits monotonic monotonic, align 8
  %done = extractvalue { i64, i1 } %pair, 1
  br i1 %done, label %end, label %try

end:
  ret void
}

; The loop goes on after a success.
; CHECK-LABEL: define void @counts(
; CHECK-NOT:     atomicrmw
; CHECK:         cmpxchg
define void @counts(ptr %p, double %v, i32 %n) {
  br label %try

try:
  %k = phi i32 [ 0, %0 ], [ %next, %try ]
  %assumed = load i64, ptr %p, align 8
  %number = bitcast i64 %assumed to double
  %total = fadd double %v, %number
  %bits = bitcast double %total to i64
  %pair = cmpxchg ptr %p, i64 %assumed, i64 %bits monotonic monotonic, align 8
  %next = add i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %try, label %end

end:
  ret void
}
