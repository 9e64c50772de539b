; Resources of the C++ library are those of the engine where the module has them; other functions stay.
; RUN: %opt -passes='assay-prepare<own-resources>' %s | %check %s

@_ZTVNSt3pmr25monotonic_buffer_resourceE = external constant { [7 x ptr] }
@_ZTVassay.monotonic = internal constant { [7 x ptr] } zeroinitializer

; CHECK-LABEL: define void @constructs(
; CHECK-NEXT:    store ptr getelementptr inbounds (i8, ptr @_ZTVassay.monotonic, i64 16), ptr %resource
; CHECK-NEXT:    call void @assay.monotonic.release(ptr %resource)
; CHECK-NEXT:    call void @_ZNSt3pmr28unsynchronized_pool_resourceD1Ev(ptr %pool)
define void @constructs(ptr %resource, ptr %pool) {
  store ptr getelementptr inbounds (i8, ptr @_ZTVNSt3pmr25monotonic_buffer_resourceE, i64 16), ptr %resource
  call void @_ZNSt3pmr25monotonic_buffer_resourceD1Ev(ptr %resource)
  call void @_ZNSt3pmr28unsynchronized_pool_resourceD1Ev(ptr %pool)
  ret void
}

define internal void @assay.monotonic.release(ptr %resource) {
  ret void
}
declare void @_ZNSt3pmr25monotonic_buffer_resourceD1Ev(ptr)
declare void @_ZNSt3pmr28unsynchronized_pool_resourceD1Ev(ptr)
