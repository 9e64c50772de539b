! Reductions with masks and dimensions, pack and unpack, shifts with boundaries, locations of extrema.
! ASSAY_CHECK(statistics::summary, "int=4", "int=3", "double[n x m]", "double[12]")
! ASSAY_CHECK(statistics::shifts, "int=5", "double[n]", "double[n]")
! ASSAY_CHECK(statistics::single, "int=5", "float[n]", "float[4]")
! ASSAY_CHECK(statistics::single_sums, "int=6", "float[n x n]", "float[n]")
! ASSAY_CHECK(statistics::places, "int=5", "double[n x n]", "double[n]")
module statistics
  implicit none
contains
  subroutine summary(n, m, x, s)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n, m)
    real(8), intent(out) :: s(12)
    real(8) :: mean(m)
    integer :: at(2)
    mean = sum(x, dim=1) / n
    s(1) = sum((x - spread(mean, 1, n))**2)
    s(2) = sum(x, mask=x > 0)
    s(3) = product(1 + 0.1d0 * x)
    s(4) = maxval(x)
    s(5) = minval(x, mask=x > -0.5d0)
    s(6) = norm2(x)
    at = maxloc(x)
    s(7) = x(at(1), at(2))**2
    s(8) = sum(maxval(x, dim=2))
    s(9) = sum(pack(x, x > 0)**2)
    s(10) = sum(unpack(pack(x, x > 0), x > 0, x * x))
    s(11) = count(x > 0) * x(1, 1)
    s(12) = dot_product(x(:, 1), x(:, 2)) + sum(product(x, dim=1)) + sum(minval(x, 1))
  end subroutine
  subroutine shifts(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(2, n)
    a(1, :) = eoshift(x, 1, boundary=x(1))
    a(2, :) = eoshift(x, -2)
    a = cshift(a, [1, -1], dim=2)
    y = cshift(x, -1) * a(1, :) + a(2, n:1:-1) * x
    y(1:n - 1) = y(2:n)
    y(::2) = y(::2) * x(::2)
  end subroutine
  subroutine single(n, x, s)
    integer, intent(in) :: n
    real, intent(in) :: x(n)
    real, intent(out) :: s(4)
    s(1) = sum(x)
    s(2) = norm2(x)
    s(3) = dot_product(x, cshift(x, 1))
    s(4) = product(x) + maxval(x) * minval(x)
  end subroutine
  subroutine single_sums(n, x, s)
    integer, intent(in) :: n
    real, intent(in) :: x(n, n)
    real, intent(inout) :: s(n)
    s = s * sum(x, dim=2) + sum(x * x, dim=1)
    s(1) = s(1) + real(sum(cmplx(x, 2 * x)))
  end subroutine
  subroutine places(n, x, s)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n, n)
    real(8), intent(inout) :: s(n)
    integer :: rows(n), columns(n), k
    rows = maxloc(x, dim=2)
    columns = minloc(x, dim=1, mask=x > -1, back=.true.)
    do k = 1, n
      s(k) = s(k) * x(k, rows(k)) + k * x(max(columns(k), 1), k)**2
    end do
    s(maxloc(s, 1)) = s(1) * s(n)
    k = minloc(nint(100 * s), 1)
    s(k) = 2 * s(k)
  end subroutine
end module
