; What joins the object of a by-value parameter with other memory is a load of each.
; RUN: %opt -passes='assay-prepare<copied-objects>' %s | %check %s

; CHECK-LABEL: define double @joined(
; CHECK:       entry:
; CHECK-NEXT:    br i1 %first, label %near, label %entry.end_crit_edge
; CHECK:       entry.end_crit_edge:
; CHECK-NEXT:    [[B:%.*]] = load double, ptr %b
; CHECK:       near:
; CHECK-NEXT:    [[A:%.*]] = load double, ptr %a
; CHECK:       end:
; CHECK-NEXT:    %x = phi double [ [[B]], %entry.end_crit_edge ], [ [[A]], %near ]
; CHECK-NEXT:    ret double %x
define double @joined(ptr %a, ptr "assay.copied-object"="copied" %b, i1 %first) {
entry:
  br i1 %first, label %near, label %end
near:
  br label %end
end:
  %p = phi ptr [ %b, %entry ], [ %a, %near ]
  %x = load double, ptr %p
  ret double %x
}

; The memory may have changed, or the pointer goes on.
; CHECK-LABEL: define double @written_before(
; CHECK:         phi ptr
define double @written_before(ptr %a, ptr "assay.copied-object"="copied" %b, i1 %first) {
entry:
  br i1 %first, label %near, label %end
near:
  br label %end
end:
  %p = phi ptr [ %b, %entry ], [ %a, %near ]
  store double 0.0, ptr %a
  %x = load double, ptr %p
  ret double %x
}

; CHECK-LABEL: define ptr @returned(
; CHECK:         phi ptr
define ptr @returned(ptr %a, ptr "assay.copied-object"="copied" %b, i1 %first) {
entry:
  br i1 %first, label %near, label %end
near:
  br label %end
end:
  %p = phi ptr [ %b, %entry ], [ %a, %near ]
  ret ptr %p
}

; Other memory is joined as the program joins it.
; CHECK-LABEL: define double @others(
; CHECK:         phi ptr
define double @others(ptr %a, ptr %b, i1 %first) {
entry:
  br i1 %first, label %near, label %end
near:
  br label %end
end:
  %p = phi ptr [ %b, %entry ], [ %a, %near ]
  %x = load double, ptr %p
  ret double %x
}
