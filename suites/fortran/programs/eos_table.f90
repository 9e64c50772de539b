! An equation of state by bilinear interpolation in a table of logarithms, and a Newton iteration for the temperature.
! ASSAY_CHECK(eos::pressure, "double:(0.2,8)", "double:(0.2,8)", "double")
! ASSAY_CHECK(eos::temperature, "double:(1,5)", "double:(3,9)")
module eos
  implicit none
  integer, parameter :: nr = 8, nt = 8
  real(8), save :: table(nr, nt)
  logical, save :: ready = .false.
  real(8), parameter :: low = -2d0, step = 0.6d0
contains
  subroutine fill
    integer :: i, j
    do j = 1, nt
      do i = 1, nr
        table(i, j) = log(exp(low + (i - 1) * step) * exp(low + (j - 1) * step) + 0.1d0 * exp(4 * (low + (j - 1) * step) / 5))
      end do
    end do
    ready = .true.
  end subroutine
  subroutine locate(x, i, f)
    real(8), intent(in) :: x
    integer, intent(out) :: i
    real(8), intent(out) :: f
    i = int((log(x) - low) / step) + 1
    i = max(1, min(i, nr - 1))
    f = (log(x) - low) / step - (i - 1)
  end subroutine
  subroutine pressure(rho, t, p)
    real(8), intent(in) :: rho, t
    real(8), intent(out) :: p
    integer :: i, j
    real(8) :: f, g
    if (.not. ready) call fill
    call locate(rho, i, f)
    call locate(t, j, g)
    p = exp((1 - f) * (1 - g) * table(i, j) + f * (1 - g) * table(i + 1, j) &
          + (1 - f) * g * table(i, j + 1) + f * g * table(i + 1, j + 1))
  end subroutine
  real(8) function temperature(rho, energy)
    real(8), intent(in) :: rho, energy
    integer :: k
    real(8) :: t, e, slope
    t = 1
    do k = 1, 50
      e = 1.5d0 * t + 0.2d0 * t**3 / rho - energy
      slope = 1.5d0 + 0.6d0 * t**2 / rho
      t = t - e / slope
      if (abs(e) < 1d-13 * energy) exit
    end do
    temperature = t
  end function
end module
