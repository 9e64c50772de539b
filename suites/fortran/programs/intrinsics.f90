! Intrinsic functions of numbers.
! ASSAY_CHECK(smooth, "double:(0.1,0.9)", "double:(0.5,2)", "double[20]")
! ASSAY_CHECK(scaled, "double:(0.1,3)")
! ASSAY_CHECK(pieces, "double:(-3,3)", "double:(0.5,2)", "double[12]")
subroutine smooth(x, y, r)
  implicit none
  real(8), intent(in) :: x, y
  real(8), intent(out) :: r(20)
  r(1) = sin(x) * cos(y) + tan(x)
  r(2) = asin(x) + acos(x) + atan(y)
  r(3) = atan2(x, y)
  r(4) = sinh(x) + cosh(y) + tanh(x)
  r(5) = asinh(x) + acosh(y + 1) + atanh(x)
  r(6) = exp(x) + log(y) + log10(y)
  r(7) = sqrt(y) + hypot(x, y)
  r(8) = gamma(y) + log_gamma(y + 1)
  r(9) = erf(x) + erfc(y)
  r(10) = x**y + y**3 + y**(-2) + 2d0**x
  r(11) = bessel_j0(x) + bessel_j1(x) + bessel_jn(2, x)
  r(12) = bessel_y0(y)
  r(13) = real(cmplx(x, y, 8)**2)
  r(14) = dble(real(x, 4)) * y
  r(15) = dim(y, x) + max(x, y, 0.3d0)
  r(16) = dprod(real(x), real(y))
  r(17) = scale(x, 3) + fraction(0.75d0) * y
  r(18) = y**0.5 + x**2.5d0
  r(19) = abs(cmplx(x, y, 8))
  r(20) = sum([x, y, x * y]**2)
end subroutine
real(8) function scaled(x)
  implicit none
  real(8), intent(in) :: x
  scaled = erfc_scaled(x) * x
end function
subroutine pieces(x, y, r)
  implicit none
  real(8), intent(in) :: x, y
  real(8), intent(out) :: r(12)
  r(1) = abs(x)
  r(2) = sign(y, x)
  r(3) = mod(x, y)
  r(4) = modulo(x, y)
  r(5) = aint(x) * y
  r(6) = anint(x) * y
  r(7) = nint(x) * y
  r(8) = floor(x) * y + ceiling(x) * x
  r(9) = min(x, y)
  r(10) = max(x, y)
  r(11) = merge(x, y, x > y)
  r(12) = dim(x, y)
end subroutine
