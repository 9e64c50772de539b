! ASSAY_CHECK(printed::with_a_local_array, "int=4", "double[n]:(0.5,2)")
! Output, whose functions may leave by an exception as far as the compiler knows, between a number's uses.
module printed
  implicit none
contains
  real(8) function with_a_local_array(n, x)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8) :: local(n)
    local = x * x
    print *, n
    with_a_local_array = local(1) * sum(local)
  end function
end module
