! Finite volumes with slope limiters chosen by a procedure pointer, where constructs and ghost cells.
! ASSAY_CHECK(advance, "int=6", "double[n]", "double:(0.1,0.6)", "int=1..3", "double[n]")
module limiters
  implicit none
  abstract interface
    pure real(8) function limiter(a, b)
      real(8), intent(in) :: a, b
    end function
  end interface
contains
  pure real(8) function minmod(a, b)
    real(8), intent(in) :: a, b
    minmod = 0.5d0 * (sign(1d0, a) + sign(1d0, b)) * min(abs(a), abs(b))
  end function
  pure real(8) function van_leer(a, b)
    real(8), intent(in) :: a, b
    van_leer = merge(2 * a * b / (a + b), 0d0, a * b > 0)
  end function
  pure real(8) function superbee(a, b)
    real(8), intent(in) :: a, b
    superbee = 0
    if (a * b > 0) superbee = sign(max(min(2 * abs(a), abs(b)), min(abs(a), 2 * abs(b))), a)
  end function
end module
subroutine advance(n, u, cfl, scheme, flux_out)
  use limiters
  implicit none
  integer, intent(in) :: n, scheme
  real(8), intent(inout) :: u(n)
  real(8), intent(in) :: cfl
  real(8), intent(out) :: flux_out(n)
  real(8) :: w(-1:n + 2), slope(0:n + 1), flux(0:n)
  procedure(limiter), pointer :: phi
  integer :: i, step
  select case (scheme)
  case (1)
    phi => minmod
  case (2)
    phi => van_leer
  case default
    phi => superbee
  end select
  do step = 1, 2
    w(1:n) = u
    w(-1:0) = u(n - 1:n)
    w(n + 1:n + 2) = u(1:2)
    do i = 0, n + 1
      slope(i) = phi(w(i) - w(i - 1), w(i + 1) - w(i))
    end do
    flux = w(0:n) + 0.5d0 * (1 - cfl) * slope(0:n)
    u = u - cfl * (flux(1:n) - flux(0:n - 1))
  end do
  where (flux(1:n) > 0)
    flux_out = flux(1:n)**2
  elsewhere
    flux_out = -flux(1:n)
  end where
end subroutine
