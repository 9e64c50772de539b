; A function whose exceptions are caught, and that is not inlined, returns them; one that is not caught stays.
; RUN: %opt -passes='assay-prepare<caught-calls>' %s | %check %s

declare i32 @__gxx_personality_v0(...)
declare ptr @__cxa_begin_catch(ptr)
declare void @__cxa_end_catch()
declare void @__cxa_throw(ptr, ptr, ptr)
declare void @may_throw()

define noundef double @throws(ptr %p, double noundef %x) personality ptr @__gxx_personality_v0 {
  store double %x, ptr %p
  invoke void @may_throw() to label %done unwind label %cleanup
done:
  call void @may_throw()
  ret double %x
cleanup:
  %pad = landingpad { ptr, i32 } cleanup
  store double 0.0, ptr %p
  resume { ptr, i32 } %pad
}

; CHECK-LABEL: define double @catches(
; CHECK:         %exception = alloca i64
; CHECK:         %r = call double @throws.returning_exceptions(ptr %exception, ptr %p, double noundef %x)
; CHECK:         %[[E:[0-9]+]] = load i64, ptr %exception
; CHECK:         %[[NONE:[0-9]+]] = icmp eq i64 %[[E]], 0
; CHECK:         br i1 %[[NONE]], label %done, label %raise
; CHECK:       raise:
; CHECK:         invoke void @assay.primal.exception.raise(i64 %[[E]])
; CHECK-NEXT:      to label %lost unwind label %handler
define double @catches(ptr %p, double %x) personality ptr @__gxx_personality_v0 {
  %r = invoke double @throws(ptr %p, double noundef %x) to label %done unwind label %handler
done:
  ret double %r
handler:
  %pad = landingpad { ptr, i32 } catch ptr null
  %e = extractvalue { ptr, i32 } %pad, 0
  %o = call ptr @__cxa_begin_catch(ptr %e)
  call void @__cxa_end_catch()
  ret double 0.0
}

; CHECK-LABEL: define double @only_cleans(
; CHECK:         invoke double @throws(
define double @only_cleans(ptr %p, double %x) personality ptr @__gxx_personality_v0 {
  %r = invoke double @throws(ptr %p, double %x) to label %done unwind label %cleanup
done:
  ret double %r
cleanup:
  %pad = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %pad
}

; CHECK-LABEL: define internal double @throws.returning_exceptions(ptr %0, ptr %p, double noundef %x)
; CHECK:         store i64 0, ptr %0
; CHECK:         invoke void @may_throw()
; CHECK-NEXT:      to label %done unwind label %cleanup
; CHECK:         invoke void @may_throw()
; CHECK-NEXT:      to label %{{.*}} unwind label %thrown
; CHECK:       cleanup:
; CHECK-NEXT:    %pad = landingpad { ptr, i32 }
; CHECK-NEXT:      cleanup
; CHECK-NEXT:      catch ptr null
; CHECK-NEXT:    store double 0
; CHECK:         store i64 %{{.*}}, ptr %0
; CHECK-NEXT:    ret double 0
; CHECK:       thrown:
; CHECK:         catch ptr null
; CHECK:         store i64 %{{.*}}, ptr %0
; CHECK-NEXT:    ret double 0
