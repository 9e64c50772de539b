; The address of a by-value parameter of a kernel is that of no other object, as long as nothing else knows it.
; RUN: %opt -passes="assay-tidy<parameter-addresses>" %s | %check %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @asks(
; CHECK-NOT: icmp
; CHECK: select i1 false
; CHECK: select i1 true
define ptx_kernel void @asks(ptr byval({ double, ptr }) align 8 %object, ptr %shadow, ptr %out) {
  %field = getelementptr i8, ptr %object, i64 8
  %pointer = load ptr, ptr %field
  %own = icmp eq ptr %shadow, %object
  %other = icmp ne ptr %field, %pointer
  %a = select i1 %own, double 0.0, double 1.0
  %b = select i1 %other, double %a, double 2.0
  store double %b, ptr %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @is_known_elsewhere(
; CHECK: icmp eq ptr %shadow, %object
define ptx_kernel void @is_known_elsewhere(ptr byval({ double, ptr }) align 8 %object, ptr %shadow, ptr %out) {
  store ptr %object, ptr %out
  %own = icmp eq ptr %shadow, %object
  %a = select i1 %own, double 0.0, double 1.0
  store double %a, ptr %shadow
  ret void
}

; CHECK-LABEL: define ptx_kernel void @compares_with_itself(
; CHECK: icmp eq ptr %chosen, %object
define ptx_kernel void @compares_with_itself(ptr byval({ double, ptr }) align 8 %object, ptr %shadow, i1 %which) {
  %chosen = select i1 %which, ptr %object, ptr %shadow
  %own = icmp eq ptr %chosen, %object
  %a = select i1 %own, double 0.0, double 1.0
  store double %a, ptr %shadow
  ret void
}

; CHECK-LABEL: define void @is_no_kernel(
; CHECK: icmp eq ptr %shadow, %object
define void @is_no_kernel(ptr byval({ double, ptr }) align 8 %object, ptr %shadow) {
  %own = icmp eq ptr %shadow, %object
  %a = select i1 %own, double 0.0, double 1.0
  store double %a, ptr %shadow
  ret void
}
