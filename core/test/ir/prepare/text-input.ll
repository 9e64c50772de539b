; A number that is read from text goes into a variable of its own first, so that it is known whether one was read.
; RUN: %opt -passes='assay-prepare<text-input>' %s | %check %s

@one = private constant [4 x i8] c"%lf\00"
@count = private constant [3 x i8] c"%d\00"
declare i32 @sscanf(ptr, ptr, ...)

; CHECK-LABEL: define i32 @reads_a_number(
; CHECK-NEXT:    %number.read = alloca double
; CHECK-NEXT:    store double {{.*}}, ptr %number.read
; CHECK-NEXT:    %n = call i32 (ptr, ptr, ...) @sscanf(ptr %text, ptr @one, ptr %number.read)
; CHECK-NEXT:    [[READ:%.*]] = load double, ptr %number.read
; CHECK:         [[IS_UNREAD:%.*]] = icmp eq i64
; CHECK-NEXT:    [[BEFORE:%.*]] = load double, ptr %x
; CHECK-NEXT:    [[AFTER:%.*]] = select i1 [[IS_UNREAD]], double [[BEFORE]], double [[READ]]
; CHECK-NEXT:    store double [[AFTER]], ptr %x
define i32 @reads_a_number(ptr %text, ptr %x) {
  %n = call i32 (ptr, ptr, ...) @sscanf(ptr %text, ptr @one, ptr %x)
  ret i32 %n
}

; CHECK-LABEL: define i32 @reads_an_integer(
; CHECK-NEXT:    call i32 (ptr, ptr, ...) @sscanf(ptr %text, ptr @count, ptr %x)
define i32 @reads_an_integer(ptr %text, ptr %x) {
  %n = call i32 (ptr, ptr, ...) @sscanf(ptr %text, ptr @count, ptr %x)
  ret i32 %n
}

; CHECK-LABEL: define i32 @reads_by_an_unknown_format(
; CHECK-NEXT:    call i32 (ptr, ptr, ...) @sscanf(ptr %text, ptr %format, ptr %x)
define i32 @reads_by_an_unknown_format(ptr %text, ptr %format, ptr %x) {
  %n = call i32 (ptr, ptr, ...) @sscanf(ptr %text, ptr %format, ptr %x)
  ret i32 %n
}

; A tail call sees no variable of its caller.
; CHECK-LABEL: define i32 @reads_in_a_tail_call(
; CHECK:         %n = call i32 (ptr, ptr, ...) @sscanf(ptr %text, ptr @one, ptr %number.read)
define i32 @reads_in_a_tail_call(ptr %text, ptr %x) {
  %n = tail call i32 (ptr, ptr, ...) @sscanf(ptr %text, ptr @one, ptr %x)
  ret i32 %n
}
