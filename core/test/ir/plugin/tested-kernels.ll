; The request of a test becomes a switch over the kernels that have the parameters; each gets the derivative that is asked for.
; RUN: %opt -passes=assay-tested-kernels %s | %check %s
target triple = "nvptx64-nvidia-cuda"

%struct.Filter = type { float, i32 }

; scale(float*, float)
; CHECK: define ptx_kernel void @_Z5scalePff(ptr %x, float %a) [[TESTED:#[0-9]+]]
define ptx_kernel void @_Z5scalePff(ptr %x, float %a) {
  ret void
}

; Types of LLVM are the same, those of C++ are not: shift(double*, float).
; CHECK: define ptx_kernel void @_Z5shiftPdf(ptr %x, float %a) {
define ptx_kernel void @_Z5shiftPdf(ptr %x, float %a) {
  ret void
}

; filtered(float*, Filter)
define ptx_kernel void @_Z8filteredPf6Filter(ptr %x, ptr byval(%struct.Filter) align 4 %filter) {
  %a = load float, ptr %filter
  store float %a, ptr %x
  ret void
}

declare void @_Z21__assay_tested_kernelIPffEvT_T0_(ptr, float)
declare void @_Z21__assay_tested_kernelIPf6FilterEvT_T0_(ptr, ptr byval(%struct.Filter) align 4)
declare void @__assay_kernel_derivative(i64, ptr, ptr, i32, i32, i32, i32, i64, i32)

; x is duplicated (2), a active (1): 2 + 4 * 1.
; CHECK-LABEL: define ptx_kernel void @reverse(i64 %kernel, ptr %slots)
; CHECK:         switch i64 %kernel, label %missing [
; CHECK-NEXT:      i64 {{-?[0-9]+}}, label %differentiate
; CHECK-NEXT:    ]
; CHECK:       missing:
; CHECK:         store i32 1
; CHECK:       differentiate:
; CHECK-NEXT:    call void @reverse._Z5scalePff(ptr %slots)
define ptx_kernel void @reverse(i64 %kernel, ptr %slots) {
  call void @__assay_kernel_derivative(i64 %kernel, ptr %slots, ptr @_Z21__assay_tested_kernelIPffEvT_T0_, i32 1, i32 1, i32 0, i32 0, i64 6, i32 2)
  ret void
}

; CHECK-LABEL: define ptx_kernel void @forward(i64 %kernel, ptr %slots)
; CHECK:         call void @forward._Z8filteredPf6Filter(ptr %slots)
define ptx_kernel void @forward(i64 %kernel, ptr %slots) {
  call void @__assay_kernel_derivative(i64 %kernel, ptr %slots, ptr @_Z21__assay_tested_kernelIPf6FilterEvT_T0_, i32 0, i32 4, i32 0, i32 1, i64 10, i32 2)
  ret void
}

; The object is copied by the function that is differentiated, so that its shadow is not.
; CHECK-LABEL: define internal void @_Z8filteredPf6Filter.body(ptr %x, ptr align 4 "assay.copied-object"="8" %filter)
; CHECK:         load float, ptr %filter

; CHECK-LABEL: define internal void @forward._Z8filteredPf6Filter(ptr %0)
; CHECK:         call void @__enzyme_fwddiff_forward._Z8filteredPf6Filter(ptr @_Z8filteredPf6Filter.body

; CHECK-LABEL: define internal void @reverse._Z5scalePff(ptr %0)
; CHECK:         call float @__enzyme_autodiff_reverse._Z5scalePff(ptr @_Z5scalePff.body
; CHECK:         atomicrmw fadd

; CHECK: attributes [[TESTED]] = { "assay-tested" }
