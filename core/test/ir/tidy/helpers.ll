; Helpers that are a few instructions become a part of the derivative; long ones stay calls.
; RUN: %opt -passes='assay-tidy<helpers>' %s | %check %s

define internal double @assay.lowered_power.llvm.double(double %x, double %y, double %r) {
  %q = fdiv double %r, %x
  ret double %q
}
declare double @assay.digamma.llvm.double(double)

; CHECK-LABEL: define double @short(
; CHECK-NEXT:    [[Q:%.*]] = fdiv double %r, %x
; CHECK-NEXT:    ret double [[Q]]
define double @short(double %x, double %r) {
  %q = call double @assay.lowered_power.llvm.double(double %x, double 2.0, double %r)
  ret double %q
}

; CHECK-LABEL: define double @long(
; CHECK-NEXT:    call double @assay.digamma.llvm.double(double %x)
define double @long(double %x) {
  %y = call double @assay.digamma.llvm.double(double %x)
  ret double %y
}

; What earlier passes were to leave alone is inlined here, or second derivatives would not see what it computes.
; CHECK-LABEL: define double @left_alone_so_far(
; CHECK-NEXT:    [[Q:%.*]] = fmul double %x, %x
; CHECK-NEXT:    ret double [[Q]]
define double @left_alone_so_far(double %x) {
  %q = call double @assay.complex.part(double %x)
  ret double %q
}
define internal double @assay.complex.part(double %x) noinline {
  %q = fmul double %x, %x
  ret double %q
}

; The number of an exception on its way is a variable's, which optimisers must not know.
; CHECK-LABEL: define ptr @on_its_way(
; CHECK-NEXT:    call ptr @assay.primal.exception.number()
define ptr @on_its_way() {
  %p = call ptr @assay.primal.exception.number()
  ret ptr %p
}
define internal ptr @assay.primal.exception.number() noinline {
  ret ptr null
}

; The sum of the body belongs to the group of the plan that the call belonged to; others do not.
; CHECK-LABEL: define void @grouped(
; CHECK:         atomicrmw fadd ptr %p, float %x monotonic, align 4, !assay.sum_group !
; CHECK:         atomicrmw fadd ptr %p, float %x monotonic, align 4, !assay.adjoint_sum !
define void @grouped(ptr %p, float %x) {
  call void @assay.device.add.float(ptr %p, float %x), !assay.sum_group !1
  call void @assay.device.add.float(ptr %p, float %x)
  ret void
}
define internal void @assay.device.add.float(ptr %place, float %number) alwaysinline {
  %local = icmp eq ptr %place, null
  br i1 %local, label %own, label %common
own:
  ret void
common:
  %1 = atomicrmw fadd ptr %place, float %number monotonic, align 4, !assay.adjoint_sum !0
  ret void
}

!0 = !{}
!1 = distinct !{}
