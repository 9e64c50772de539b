! Adaptive quadrature of an internal procedure, recursively, and a root by bisection and Newton.
! ASSAY_CHECK(numerics::area, "double:(0.5,2)", "double:(0.1,1)")
! ASSAY_CHECK(numerics::level, "double:(1,3)")
module numerics
  implicit none
  abstract interface
    real(8) function integrand(x)
      real(8), intent(in) :: x
    end function
  end interface
contains
  recursive real(8) function simpson(f, a, b, fa, fm, fb, whole, depth) result(total)
    procedure(integrand) :: f
    real(8), intent(in) :: a, b, fa, fm, fb, whole
    integer, intent(in) :: depth
    real(8) :: m, fl, fr, left, right
    m = 0.5d0 * (a + b)
    fl = f(0.5d0 * (a + m))
    fr = f(0.5d0 * (m + b))
    left = (m - a) / 6 * (fa + 4 * fl + fm)
    right = (b - m) / 6 * (fm + 4 * fr + fb)
    if (depth <= 0) then
      total = left + right + (left + right - whole) / 15
    else
      total = simpson(f, a, m, fa, fl, fm, left, depth - 1) + simpson(f, m, b, fm, fr, fb, right, depth - 1)
    end if
  end function
  real(8) function integral(f, a, b)
    procedure(integrand) :: f
    real(8), intent(in) :: a, b
    real(8) :: fa, fm, fb
    fa = f(a)
    fm = f(0.5d0 * (a + b))
    fb = f(b)
    integral = simpson(f, a, b, fa, fm, fb, (b - a) / 6 * (fa + 4 * fm + fb), 3)
  end function
  real(8) function area(upper, rate)
    real(8), intent(in) :: upper, rate
    area = integral(decay, 0d0, upper)
  contains
    real(8) function decay(t)
      real(8), intent(in) :: t
      decay = exp(-rate * t) * cos(upper * t)
    end function
  end function
  real(8) function level(v)
    real(8), intent(in) :: v
    real(8) :: x
    integer :: k
    x = 1
    do k = 1, 6
      x = x - g(x) / (exp(x) + 1)
    end do
    level = x
  contains
    real(8) function g(y)
      real(8), intent(in) :: y
      g = exp(y) + y - v
    end function
  end function
end module
