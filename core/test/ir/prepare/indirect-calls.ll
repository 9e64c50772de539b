; A call through a pointer becomes a choice among the functions of its type whose address is taken.
; RUN: %opt -passes='assay-prepare<indirect-calls>' %s | %check %s

define internal double @one(double %x) {
  ret double %x
}
define internal double @other(double %x) {
  %y = fneg double %x
  ret double %y
}
@table = global [2 x ptr] [ptr @one, ptr @other]

; CHECK-LABEL: define double @through_a_table(
; CHECK:         icmp eq ptr %f, @one
; CHECK-DAG:     call double @one(double %x)
; CHECK-DAG:     call double @other(double %x)
; CHECK-NOT:     call double %f
; CHECK:         ret double
define double @through_a_table(i64 %i, double %x) {
  %place = getelementptr ptr, ptr @table, i64 %i
  %f = load ptr, ptr %place
  %y = call double %f(double %x)
  ret double %y
}

; CHECK-LABEL: define float @without_candidates(
; CHECK-NEXT:    call float %f(float %x)
define float @without_candidates(ptr %f, float %x) {
  %y = call float %f(float %x)
  ret float %y
}

; CHECK-LABEL: define double @direct(
; CHECK-NEXT:    call double @one(double %x)
define double @direct(double %x) {
  %y = call double @one(double %x)
  ret double %y
}

; References say how large their objects are. A C++ program cannot mean a function that takes a reference to a larger
; object than the call says, except that the object of a member function may be that of a base or derived class. A call
; may say more than its prototype, as inlining leaves it.

define internal double @_Z5smallRK1Sd(ptr nonnull align 8 dereferenceable(8) %s, double %x) {
  ret double %x
}
define internal double @_Z5largeR1Ld(ptr nonnull align 8 dereferenceable(72) %l, double %x) {
  ret double %x
}
define internal double @_Z7pointerP1Ld(ptr %l, double %x) {
  ret double %x
}
define internal double @_ZN1L6memberEd(ptr nonnull align 8 dereferenceable(72) %l, double %x) {
  ret double %x
}
@referring = global [4 x ptr] [ptr @_Z5smallRK1Sd, ptr @_Z5largeR1Ld, ptr @_Z7pointerP1Ld, ptr @_ZN1L6memberEd]

; CHECK-LABEL: define double @of_a_small_object(
; CHECK-NOT:     @_Z5largeR1Ld
; CHECK-DAG:     icmp eq ptr %f, @_Z5smallRK1Sd
; CHECK-DAG:     icmp eq ptr %f, @_Z7pointerP1Ld
; CHECK-DAG:     icmp eq ptr %f, @_ZN1L6memberEd
; CHECK-NOT:     @_Z5largeR1Ld
; CHECK:         ret double
define double @of_a_small_object(ptr %f, ptr %s, double %x) {
  %y = call double %f(ptr nonnull align 8 dereferenceable(8) %s, double %x)
  ret double %y
}

; CHECK-LABEL: define double @of_a_large_object(
; CHECK-DAG:     icmp eq ptr %f, @_Z5smallRK1Sd
; CHECK-DAG:     icmp eq ptr %f, @_Z5largeR1Ld
; CHECK:         ret double
define double @of_a_large_object(ptr %f, ptr %l, double %x) {
  %y = call double %f(ptr nonnull align 8 dereferenceable(80) %l, double %x)
  ret double %y
}

; CHECK-LABEL: define double @of_anything(
; CHECK-DAG:     icmp eq ptr %f, @_Z5smallRK1Sd
; CHECK-DAG:     icmp eq ptr %f, @_Z5largeR1Ld
; CHECK:         ret double
define double @of_anything(ptr %f, ptr %s, double %x) {
  %y = call double %f(ptr %s, double %x)
  ret double %y
}

; A coroutine that hands over to another one calls it in place of its own frame. The library's coroutine that does
; nothing takes no frame.
define internal fastcc void @resumed(ptr %frame) {
  store double 1.0, ptr %frame
  ret void
}
define internal void @nothing() {
  ret void
}
define internal void @other_of_no_frame() {
  ret void
}
@coroutines = global [2 x ptr] [ptr @resumed, ptr @other_of_no_frame]
@frame_of_nothing = global { ptr, ptr, i8 } { ptr @nothing, ptr @nothing, i8 0 }

; CHECK-LABEL: define fastcc void @hands_over(
; CHECK:         icmp eq ptr %resume, @resumed
; CHECK-NOT:     musttail
; CHECK:         call fastcc void @resumed(ptr %frame)
; CHECK:         icmp eq ptr %resume, @nothing
; CHECK:         call fastcc void @nothing.as.coroutine(ptr %frame)
; CHECK-NOT:     @other_of_no_frame
; CHECK:       }
define fastcc void @hands_over(ptr %frame) {
  %place = getelementptr ptr, ptr @coroutines, i64 1
  %resume = load ptr, ptr %place
  musttail call fastcc void %resume(ptr %frame)
  ret void
}
