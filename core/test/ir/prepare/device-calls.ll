; Functions of the device's library and intrinsics that do what plain instructions do.
; RUN: %opt -passes='assay-prepare<device-calls>' %s | %check %s
target triple = "nvptx64-nvidia-cuda"

declare void @__nv_sincosf(float, ptr, ptr)
declare double @__nv_modf(double, ptr)
declare i64 @__nv_double_as_longlong(double)
declare i32 @__nv_double2hiint(double)
declare double @__nv_hiloint2double(i32, i32)
declare float @__nv_double2float_rn(double)
declare float @__nv_double2float_rz(double)
declare i32 @llvm.nvvm.d2i.lo(double)

declare float @__nv_rnormf(i32, ptr)

; CHECK-LABEL: define float @reciprocal_length(
; CHECK-NEXT:    [[COUNT:%.*]] = call i32 @llvm.smax.i32(i32 %n, i32 1)
; CHECK-NEXT:    [[R:%.*]] = call float @assay.device.rnormf(i32 [[COUNT]], ptr %p)
; CHECK-NEXT:    ret float [[R]]
define float @reciprocal_length(i32 %n, ptr %p) {
  %r = call float @__nv_rnormf(i32 %n, ptr %p)
  ret float %r
}

; CHECK-LABEL: define void @sine_and_cosine(
; CHECK-NEXT:    [[S:%.*]] = call float @__nv_sinf(float %x)
; CHECK-NEXT:    [[C:%.*]] = call float @__nv_cosf(float %x)
; CHECK-NEXT:    store float [[S]], ptr %s
; CHECK-NEXT:    store float [[C]], ptr %c
define void @sine_and_cosine(float %x, ptr %s, ptr %c) {
  call void @__nv_sincosf(float %x, ptr %s, ptr %c)
  ret void
}

; CHECK-LABEL: define double @parts(
; CHECK-NOT:     @__nv_modf
; CHECK:         [[W:%.*]] = call double @llvm.trunc.f64(double %x)
; CHECK:         store double [[W]], ptr %whole
define double @parts(double %x, ptr %whole) {
  %f = call double @__nv_modf(double %x, ptr %whole)
  ret double %f
}

; CHECK-LABEL: define i64 @bits(
; CHECK-NEXT:    [[B:%.*]] = bitcast double %x to i64
; CHECK-NEXT:    ret i64 [[B]]
define i64 @bits(double %x) {
  %b = call i64 @__nv_double_as_longlong(double %x)
  ret i64 %b
}

; CHECK-LABEL: define double @halves(
; CHECK-NOT:     call
; CHECK:         ret double
define double @halves(double %x) {
  %high = call i32 @__nv_double2hiint(double %x)
  %low = call i32 @llvm.nvvm.d2i.lo(double %x)
  %y = call double @__nv_hiloint2double(i32 %high, i32 %low)
  ret double %y
}

; CHECK-LABEL: define float @nearest(
; CHECK-NEXT:    [[F:%.*]] = fptrunc double %x to float
define float @nearest(double %x) {
  %f = call float @__nv_double2float_rn(double %x)
  ret float %f
}

; Another rounding than that of the instruction.
; CHECK-LABEL: define float @towards_zero(
; CHECK-NEXT:    [[F:%.*]] = call float @__nv_double2float_rz(double %x)
define float @towards_zero(double %x) {
  %f = call float @__nv_double2float_rz(double %x)
  ret float %f
}
