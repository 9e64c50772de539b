; What is thrown and caught in one function branches to its handler, which has the object itself.
; RUN: %opt -passes='assay-prepare<local-throws>' %s | %check %s

@_ZTVN10__cxxabiv117__class_type_infoE = external global [0 x ptr]
@_ZTVN10__cxxabiv119__pointer_type_infoE = external global [0 x ptr]
@_ZTS1E = linkonce_odr constant [3 x i8] c"1E\00"
@_ZTI1E = linkonce_odr constant { ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv117__class_type_infoE, i64 2), ptr @_ZTS1E }
@_ZTIP1E = linkonce_odr constant { ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv119__pointer_type_infoE, i64 2), ptr @_ZTS1E }
@_ZTIi = external constant ptr
@_ZTISt9exception = external constant ptr

declare ptr @__cxa_allocate_exception(i64)
declare void @__cxa_throw(ptr, ptr, ptr)
declare ptr @__cxa_begin_catch(ptr)
declare void @__cxa_end_catch()
declare void @__cxa_rethrow()
declare i32 @__gxx_personality_v0(...)
declare i32 @llvm.eh.typeid.for.p0(ptr)

; CHECK-LABEL: define double @caught(
; CHECK-NOT:     __cxa_allocate_exception
; CHECK-NOT:     __cxa_throw
; CHECK:         %thrown = alloca [8 x i8], align 16
; CHECK:         store double %x, ptr %thrown
; CHECK:         store ptr null, ptr %destructor
; CHECK:         store ptr %thrown, ptr %object
; CHECK:         call i32 @llvm.eh.typeid.for.p0(ptr @_ZTI1E)
; CHECK:         ret double
define double @caught(double %x) personality ptr @__gxx_personality_v0 {
entry:
  %e = call ptr @__cxa_allocate_exception(i64 8)
  store double %x, ptr %e, align 8
  invoke void @__cxa_throw(ptr %e, ptr @_ZTI1E, ptr null) to label %never unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr @_ZTIi catch ptr @_ZTI1E
  %exception = extractvalue { ptr, i32 } %lp, 0
  %selector = extractvalue { ptr, i32 } %lp, 1
  %id = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTI1E)
  %is = icmp eq i32 %selector, %id
  br i1 %is, label %handler, label %resume
handler:
  %p = call ptr @__cxa_begin_catch(ptr %exception)
  %v = load double, ptr %p, align 8
  call void @__cxa_end_catch()
  ret double %v
resume:
  resume { ptr, i32 } %lp
never:
  unreachable
}

; A handler of a class of the library: who derives from whom is not seen.
; CHECK-LABEL: define double @of_a_class_that_is_not_seen(
; CHECK:         invoke void @__cxa_throw(ptr %e, ptr @_ZTISt9exception
define double @of_a_class_that_is_not_seen(double %x) personality ptr @__gxx_personality_v0 {
entry:
  %e = call ptr @__cxa_allocate_exception(i64 8)
  invoke void @__cxa_throw(ptr %e, ptr @_ZTISt9exception, ptr null) to label %never unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr @_ZTI1E
  %exception = extractvalue { ptr, i32 } %lp, 0
  %p = call ptr @__cxa_begin_catch(ptr %exception)
  call void @__cxa_end_catch()
  ret double %x
never:
  unreachable
}

; A pointer is caught by its value, and not by its place.
; CHECK-LABEL: define double @pointer(
; CHECK:         invoke void @__cxa_throw(ptr %e, ptr @_ZTIP1E
define double @pointer(ptr %x) personality ptr @__gxx_personality_v0 {
entry:
  %e = call ptr @__cxa_allocate_exception(i64 8)
  store ptr %x, ptr %e, align 8
  invoke void @__cxa_throw(ptr %e, ptr @_ZTIP1E, ptr null) to label %never unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr @_ZTIP1E
  %exception = extractvalue { ptr, i32 } %lp, 0
  %p = call ptr @__cxa_begin_catch(ptr %exception)
  %v = load double, ptr %p, align 8
  call void @__cxa_end_catch()
  ret double %v
never:
  unreachable
}

; CHECK-LABEL: define void @thrown_again(
; CHECK:         invoke void @__cxa_throw(
define void @thrown_again(double %x) personality ptr @__gxx_personality_v0 {
entry:
  %e = call ptr @__cxa_allocate_exception(i64 8)
  store double %x, ptr %e, align 8
  invoke void @__cxa_throw(ptr %e, ptr @_ZTI1E, ptr null) to label %never unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr @_ZTI1E
  %exception = extractvalue { ptr, i32 } %lp, 0
  %p = call ptr @__cxa_begin_catch(ptr %exception)
  call void @__cxa_rethrow()
  unreachable
never:
  unreachable
}

; Who keeps the address of the exception, to throw it again, needs one.
; CHECK-LABEL: define ptr @returned(
; CHECK:         invoke void @__cxa_throw(
define ptr @returned(double %x) personality ptr @__gxx_personality_v0 {
entry:
  %e = call ptr @__cxa_allocate_exception(i64 8)
  store double %x, ptr %e, align 8
  invoke void @__cxa_throw(ptr %e, ptr @_ZTI1E, ptr null) to label %never unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr null
  %exception = extractvalue { ptr, i32 } %lp, 0
  ret ptr %exception
never:
  unreachable
}

declare void @may_throw()

; A handler that may get what a call has thrown: that object has no shadow.
; CHECK-LABEL: define double @beside_a_call(
; CHECK:         invoke void @__cxa_throw(
define double @beside_a_call(double %x) personality ptr @__gxx_personality_v0 {
entry:
  %e = call ptr @__cxa_allocate_exception(i64 8)
  store double %x, ptr %e, align 8
  invoke void @__cxa_throw(ptr %e, ptr @_ZTI1E, ptr null) to label %never unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr @_ZTI1E
  %exception = extractvalue { ptr, i32 } %lp, 0
  %p = call ptr @__cxa_begin_catch(ptr %exception)
  call void @__cxa_end_catch()
  invoke void @may_throw() to label %done unwind label %other.pad
other.pad:
  %other.lp = landingpad { ptr, i32 } catch ptr @_ZTI1E
  %other = extractvalue { ptr, i32 } %other.lp, 0
  %q = call ptr @__cxa_begin_catch(ptr %other)
  %v = load double, ptr %q, align 8
  call void @__cxa_end_catch()
  ret double %v
done:
  ret double %x
never:
  unreachable
}
