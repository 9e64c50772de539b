; Sums at one place of shadow memory of a device.
; RUN: %opt -passes='assay-tidy<joined-sums>' %s | %check %s
target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; What clears the place and the sum behind it are one store.
; CHECK-LABEL: define void @after_clearing(
; CHECK-NEXT:    store double %x, ptr %p
; CHECK-NEXT:    ret void
define void @after_clearing(ptr %p, double %x) {
  store double 0.000000e+00, ptr %p
  %1 = atomicrmw fadd ptr %p, double %x monotonic, !assay.adjoint_sum !0
  ret void
}

; Between barriers other threads may add.
; CHECK-LABEL: define void @after_a_barrier(
; CHECK:         store double 0.0
; CHECK:         atomicrmw
define void @after_a_barrier(ptr %p, double %x) {
  store double 0.000000e+00, ptr %p
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %1 = atomicrmw fadd ptr %p, double %x monotonic, !assay.adjoint_sum !0
  ret void
}

; The program's own sum stays.
; CHECK-LABEL: define void @of_the_program(
; CHECK:         store double 0.0
; CHECK:         atomicrmw
define void @of_the_program(ptr %p, double %x) {
  store double 0.000000e+00, ptr %p
  %1 = atomicrmw fadd ptr %p, double %x monotonic
  ret void
}

; CHECK-LABEL: define void @two(
; CHECK:         [[SUM:%.*]] = fadd double %x, %y
; CHECK:         atomicrmw fadd ptr %p, double [[SUM]]
; CHECK-NOT:     atomicrmw
; CHECK:         ret void
define void @two(ptr %p, ptr noalias %q, double %x, double %y, i1 %c) {
  %1 = atomicrmw fadd ptr %p, double %x monotonic, !assay.adjoint_sum !0
  br i1 %c, label %then, label %join
then:
  store double %x, ptr %q
  br label %join
join:
  %2 = atomicrmw fadd ptr %p, double %y monotonic, !assay.adjoint_sum !0
  ret void
}

; The second one runs only sometimes; what is read in between may be the place.
; CHECK-LABEL: define double @apart(
; CHECK-COUNT-3: atomicrmw
define double @apart(ptr %p, ptr %q, double %x, i1 %c) {
  %1 = atomicrmw fadd ptr %p, double %x monotonic, !assay.adjoint_sum !0
  %read = load double, ptr %q
  %2 = atomicrmw fadd ptr %p, double %x monotonic, !assay.adjoint_sum !0
  br i1 %c, label %then, label %join
then:
  %3 = atomicrmw fadd ptr %p, double %x monotonic, !assay.adjoint_sum !0
  br label %join
join:
  ret double %read
}

!0 = !{}
