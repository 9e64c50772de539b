; A call of a memory resource asks whether it is the library's that allocates with new.
; RUN: %opt -passes='assay-prepare<default-resource>' %s | %check %s

; CHECK-LABEL: define ptr @allocates(
; CHECK:         [[DEFAULT:%.*]] = call ptr @_ZNSt3pmr19new_delete_resourceEv()
; CHECK-NEXT:    [[IS:%.*]] = icmp eq ptr %resource, [[DEFAULT]]
; CHECK-NEXT:    br i1 [[IS]]
; CHECK:         call ptr @assay.default_resource.allocate(ptr %resource, i64 %bytes, i64 8)
; CHECK:         call ptr %callee(ptr %resource, i64 %bytes, i64 8)
define ptr @allocates(ptr %resource, i64 %bytes) {
  %table = load ptr, ptr %resource
  %slot = getelementptr inbounds ptr, ptr %table, i64 2
  %callee = load ptr, ptr %slot
  %memory = call ptr %callee(ptr %resource, i64 %bytes, i64 8)
  ret ptr %memory
}

; CHECK-LABEL: define i1 @compares(
; CHECK:         call i1 @assay.default_resource.is_equal(ptr %resource, ptr %other)
; CHECK:         call i1 %callee(ptr %resource, ptr %other)
define i1 @compares(ptr %resource, ptr %other) {
  %table = load ptr, ptr %resource
  %slot = getelementptr inbounds ptr, ptr %table, i64 4
  %callee = load ptr, ptr %slot
  %same = call i1 %callee(ptr %resource, ptr %other)
  ret i1 %same
}

; CHECK-LABEL: define void @calls_something_else(
; CHECK-NOT:     br i1
; CHECK:         ret void
define void @calls_something_else(ptr %object, ptr %argument) {
  %table = load ptr, ptr %object
  %slot = getelementptr inbounds ptr, ptr %table, i64 2
  %callee = load ptr, ptr %slot
  call void %callee(ptr %object, ptr %argument)
  ret void
}

declare ptr @_ZNSt3pmr20get_default_resourceEv()
