; Adjoints that a derivative on a device reads and clears.
; RUN: %opt -passes='assay-tidy<conditional-clears>' %s | %check %s
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [32 x double] undef

; The store waits for what was read.
; CHECK-LABEL: define double @read_and_cleared(
; CHECK:         [[READ:%.*]] = load double, ptr %p
; CHECK-NEXT:    [[DIFFERS:%.*]] = fcmp une double [[READ]], 0.0
; CHECK-NEXT:    br i1 [[DIFFERS]],
; CHECK:         store double 0.000000e+00, ptr %p
define double @read_and_cleared(ptr %p) {
  %read = load double, ptr %p
  store double 0.000000e+00, ptr %p, !assay.adjoint_clear !0
  ret double %read
}

; CHECK-LABEL: define <2 x float> @vector(
; CHECK:         [[DIFFERS:%.*]] = fcmp une <2 x float>
; CHECK-NEXT:    [[ANY:%.*]] = call i1 @llvm.vector.reduce.or.v2i1(<2 x i1> [[DIFFERS]])
; CHECK-NEXT:    br i1 [[ANY]],
define <2 x float> @vector(ptr %p) {
  %read = load <2 x float>, ptr %p
  store <2 x float> zeroinitializer, ptr %p, !assay.adjoint_clear !0
  ret <2 x float> %read
}

; The program's own store leaves a positive zero.
; CHECK-LABEL: define double @of_the_program(
; CHECK-NOT:     br
; CHECK:         ret double
define double @of_the_program(ptr %p) {
  %read = load double, ptr %p
  store double 0.000000e+00, ptr %p
  ret double %read
}

; What was read is no longer there.
; CHECK-LABEL: define double @written_between(
; CHECK-NOT:     br
; CHECK:         ret double
define double @written_between(ptr %p, ptr %q) {
  %read = load double, ptr %p
  store double 1.000000e+00, ptr %q
  store double 0.000000e+00, ptr %p, !assay.adjoint_clear !0
  ret double %read
}

; Shared memory answers in order.
; CHECK-LABEL: define double @shared(
; CHECK-NOT:     br
; CHECK:         ret double
define double @shared() {
  %read = load double, ptr addrspacecast (ptr addrspace(3) @tile to ptr)
  store double 0.000000e+00, ptr addrspacecast (ptr addrspace(3) @tile to ptr), !assay.adjoint_clear !0
  ret double %read
}

!0 = !{}
