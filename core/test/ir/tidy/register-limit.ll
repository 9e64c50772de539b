; Large kernels with adjoints have at most 128 registers a thread, unless the program says how they are launched.
; RUN: awk -f %S/Inputs/many-instructions.awk %s > %t.ll
; RUN: %opt -passes="assay-tidy<register-limit>" %t.ll | %check %s
target triple = "nvptx64-nvidia-cuda"

; CHECK: define ptx_kernel void @sums(ptr %dx, double %number) #[[LIMITED:[0-9]+]] {
define ptx_kernel void @sums(ptr %dx, double %number) {
  ; large
  %1 = atomicrmw fadd ptr %dx, double %number monotonic, !assay.adjoint_sum !0
  ret void
}

; CHECK: define ptx_kernel void @clears(ptr %dx) #[[LIMITED]] {
define ptx_kernel void @clears(ptr %dx) {
  ; large
  store double 0.0, ptr %dx, !assay.adjoint_clear !0
  ret void
}

; CHECK: define ptx_kernel void @bounded(ptr %dx, double %number) #[[BOUNDED:[0-9]+]] {
define ptx_kernel void @bounded(ptr %dx, double %number) "nvvm.maxntid"="256" {
  ; large
  %1 = atomicrmw fadd ptr %dx, double %number monotonic, !assay.adjoint_sum !0
  ret void
}

; CHECK: define ptx_kernel void @primal(ptr %x, double %number) {
define ptx_kernel void @primal(ptr %x, double %number) {
  ; large
  store double %number, ptr %x
  ret void
}

; CHECK: define ptx_kernel void @small(ptr %dx, double %number) {
define ptx_kernel void @small(ptr %dx, double %number) {
  %1 = atomicrmw fadd ptr %dx, double %number monotonic, !assay.adjoint_sum !0
  ret void
}

; CHECK: define void @function(ptr %dx, double %number) {
define void @function(ptr %dx, double %number) {
  ; large
  %1 = atomicrmw fadd ptr %dx, double %number monotonic, !assay.adjoint_sum !0
  ret void
}

; CHECK: attributes #[[LIMITED]] = { "nvvm.maxnreg"="128" }
; CHECK: attributes #[[BOUNDED]] = { "nvvm.maxntid"="256" }
!0 = !{}
