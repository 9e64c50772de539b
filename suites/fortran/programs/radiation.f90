! Long-wave radiation through a column: two streams, a band table, scratch arrays, optional output.
! ASSAY_CHECK(fluxes, "int=6", "double[n]:(200,300)", "double[n]:positive", "double:(200,300)", "double[n+1]", "double[n+1]", "double")
module radiation
  implicit none
  private
  public :: fluxes
  integer, parameter :: bands = 3
  real(8), parameter :: sigma = 5.670374d-8
  real(8), parameter :: absorption(bands) = [0.1d0, 1.0d0, 10.0d0], weight(bands) = [0.3d0, 0.5d0, 0.2d0]
contains
  pure elemental real(8) function transmission(tau)
    real(8), intent(in) :: tau
    transmission = exp(-1.66d0 * tau)
  end function
  pure elemental real(8) function planck(t, band)
    real(8), intent(in) :: t
    integer, intent(in) :: band
    planck = weight(band) * sigma * t**4
  end function
  subroutine fluxes(n, t, path, ts, up, down, heating)
    integer, intent(in) :: n
    real(8), intent(in) :: t(n), path(n), ts
    real(8), intent(out) :: up(0:n), down(0:n)
    real(8), intent(out), optional :: heating
    real(8) :: trans(n), source(n), u, d
    integer :: b, k
    up = 0
    down = 0
    do b = 1, bands
      trans = transmission(absorption(b) * path)
      source = planck(t, b)
      d = 0
      do k = n, 1, -1
        d = d * trans(k) + source(k) * (1 - trans(k))
        down(k - 1) = down(k - 1) + d
      end do
      u = planck(ts, b)
      up(0) = up(0) + u
      do k = 1, n
        u = u * trans(k) + source(k) * (1 - trans(k))
        up(k) = up(k) + u
      end do
    end do
    if (present(heating)) heating = maxval(up - down) - minval(up(1:n) - down(:n - 1))
  end subroutine
end module
