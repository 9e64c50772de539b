; Functions of the device's library are known to do nothing but compute a number: equal calls become one.
; RUN: %opt -passes=assay-protect %s | %check %s
target triple = "nvptx64-nvidia-cuda"

; CHECK: declare double @__nv_exp(double) [[PURE:#[0-9]+]]
declare double @__nv_exp(double)
; One that writes through a pointer is not.
; CHECK: declare double @__nv_modf(double, ptr){{$}}
declare double @__nv_modf(double, ptr)
; Nor is one of the program's own.
; CHECK: declare double @nv_exp(double){{$}}
declare double @nv_exp(double)

declare double @__enzyme_autodiff(ptr, double)
define double @f(double %x) {
  %part = alloca double
  %a = call double @__nv_exp(double %x)
  %b = call double @__nv_modf(double %a, ptr %part)
  %c = call double @nv_exp(double %b)
  ret double %c
}
define double @gradient(double %x) {
  %d = call double @__enzyme_autodiff(ptr @f, double %x)
  ret double %d
}
; CHECK: attributes [[PURE]] = { nounwind willreturn memory(none) }
