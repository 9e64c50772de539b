! A shallow-water model on a periodic grid: modules, saved state, cshift.
! ASSAY_CHECK(run, "int=2", "double[4x3]:(0.9,1.1)", "double[4x3]", "double[4x3]", "double")
module parameters
  implicit none
  integer, parameter :: dp = kind(1d0), nx = 4, ny = 3
  real(dp), parameter :: g = 9.81_dp, dx = 1.0_dp, dt = 0.01_dp
end module
module fields
  use parameters
  implicit none
  real(dp), save :: h(nx, ny), u(nx, ny), v(nx, ny)
  real(dp), allocatable, save :: fx(:, :), fy(:, :)
contains
  subroutine start(h0, u0, v0)
    real(dp), intent(in) :: h0(nx, ny), u0(nx, ny), v0(nx, ny)
    h = h0
    u = u0
    v = v0
    if (.not. allocated(fx)) allocate(fx(nx, ny))
    if (.not. allocated(fy)) allocate(fy(nx, ny))
  end subroutine
end module
module dynamics
  use parameters
  use fields
  implicit none
contains
  function ddx(a) result(d)
    real(dp), intent(in) :: a(:, :)
    real(dp) :: d(size(a, 1), size(a, 2))
    d = (cshift(a, 1, dim=1) - cshift(a, -1, dim=1)) / (2 * dx)
  end function
  function ddy(a) result(d)
    real(dp), intent(in) :: a(:, :)
    real(dp) :: d(size(a, 1), size(a, 2))
    d = (cshift(a, 1, dim=2) - cshift(a, -1, dim=2)) / (2 * dx)
  end function
  subroutine step
    fx = h * u
    fy = h * v
    u = u - dt * (u * ddx(u) + v * ddy(u) + g * ddx(h))
    v = v - dt * (u * ddx(v) + v * ddy(v) + g * ddy(h))
    h = h - dt * (ddx(fx) + ddy(fy))
  end subroutine
  subroutine run(steps, h0, u0, v0, energy)
    integer, intent(in) :: steps
    real(dp), intent(in) :: h0(nx, ny), u0(nx, ny), v0(nx, ny)
    real(dp), intent(out) :: energy
    integer :: k
    call start(h0, u0, v0)
    do k = 1, steps
      call step
    end do
    energy = 0.5_dp * sum(h * (u**2 + v**2)) + 0.5_dp * g * sum(h**2)
  end subroutine
end module
