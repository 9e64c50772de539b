! The markers of the convention for programs of Fortran: compile this file once, with the program, and USE ASSAY where
! a derivative is called. docs/fortran.md shows how.
module assay
  use iso_c_binding, only: c_int
  implicit none
  integer(c_int), bind(c, name="enzyme_const") :: enzyme_const
  integer(c_int), bind(c, name="enzyme_dup") :: enzyme_dup
  integer(c_int), bind(c, name="enzyme_dupnoneed") :: enzyme_dupnoneed
  integer(c_int), bind(c, name="enzyme_out") :: enzyme_out
  integer(c_int), bind(c, name="enzyme_width") :: enzyme_width
  integer(c_int), bind(c, name="enzyme_runtime_activity") :: enzyme_runtime_activity
end module
