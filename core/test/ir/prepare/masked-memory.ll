; Masked accesses become accesses of single lanes; lanes with a constant mask need no branch.
; RUN: %opt -passes='assay-prepare<masked-memory>' %s | %check %s

declare <2 x double> @llvm.masked.load.v2f64.p0(ptr, <2 x i1>, <2 x double>)
declare void @llvm.masked.store.v2f64.p0(<2 x double>, ptr, <2 x i1>)
declare <vscale x 2 x double> @llvm.masked.load.nxv2f64.p0(ptr, <vscale x 2 x i1>, <vscale x 2 x double>)

; CHECK-LABEL: define <2 x double> @one_lane(
; CHECK-NOT:     @llvm.masked
; CHECK-NOT:     br
; CHECK:         load double, ptr
; CHECK-NOT:     load
; CHECK:         ret <2 x double>
define <2 x double> @one_lane(ptr %p) {
  %y = call <2 x double> @llvm.masked.load.v2f64.p0(ptr align 8 %p, <2 x i1> <i1 false, i1 true>, <2 x double> zeroinitializer)
  ret <2 x double> %y
}

; CHECK-LABEL: define void @any_lanes(
; CHECK-NOT:     @llvm.masked
; CHECK:         br i1
; CHECK:         store double
; CHECK:         br i1
; CHECK:         store double
define void @any_lanes(ptr %p, <2 x i1> %mask, <2 x double> %v) {
  call void @llvm.masked.store.v2f64.p0(<2 x double> %v, ptr align 8 %p, <2 x i1> %mask)
  ret void
}

; CHECK-LABEL: define <vscale x 2 x double> @unknown_number_of_lanes(
; CHECK-NEXT:    call <vscale x 2 x double> @llvm.masked.load
define <vscale x 2 x double> @unknown_number_of_lanes(ptr %p, <vscale x 2 x i1> %mask) {
  %y = call <vscale x 2 x double> @llvm.masked.load.nxv2f64.p0(ptr align 8 %p, <vscale x 2 x i1> %mask, <vscale x 2 x double> poison)
  ret <vscale x 2 x double> %y
}

; CHECK-LABEL: define <2 x double> @plain(
; CHECK-NEXT:    load <2 x double>, ptr %p
define <2 x double> @plain(ptr %p) {
  %y = load <2 x double>, ptr %p
  ret <2 x double> %y
}

declare void @llvm.x86.avx512.mask.scatter.dpd.512(ptr, <8 x i1>, <8 x i32>, <8 x double>, i32)

; CHECK-LABEL: define void @scattered(
; CHECK-NOT:     @llvm.x86
; CHECK:         store double
; CHECK:         ret void
define void @scattered(ptr %p, <8 x i1> %mask, <8 x i32> %places, <8 x double> %v) {
  call void @llvm.x86.avx512.mask.scatter.dpd.512(ptr %p, <8 x i1> %mask, <8 x i32> %places, <8 x double> %v, i32 8)
  ret void
}
