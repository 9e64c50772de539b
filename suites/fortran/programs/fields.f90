! Objects with an array and a number: several at a time, operators of theirs, and temporaries in parentheses.
! ASSAY_CHECK(fields::second_of_two, "int=3", "double[n]:(0.5,2)")
! ASSAY_CHECK(fields::in_parentheses, "int=3", "double[n]:(0.5,2)")
! ASSAY_CHECK(fields::diffused, "int=5", "double[n]:(0.5,2)")
module fields
  implicit none
  type :: field
    real(8), allocatable :: v(:)
    real(8) :: h = 0.1d0
  contains
    procedure :: laplacian
    procedure, private :: added
    procedure, private, pass(b) :: scaled
    generic :: operator(+) => added
    generic :: operator(*) => scaled
  end type
contains
  function laplacian(this) result(r)
    class(field), intent(in) :: this
    type(field) :: r
    r%h = this%h
    allocate(r%v(size(this%v)))
    r%v = cshift(this%v, 1) - 2 * this%v + cshift(this%v, -1)
    r%v = r%v / this%h**2
  end function
  function added(a, b) result(c)
    class(field), intent(in) :: a
    type(field), intent(in) :: b
    type(field) :: c
    c%h = a%h
    c%v = a%v + b%v
  end function
  function scaled(s, b) result(c)
    real(8), intent(in) :: s
    class(field), intent(in) :: b
    type(field) :: c
    c%h = b%h
    c%v = s * b%v
  end function
  real(8) function second_of_two(n, x)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    type(field) :: one, other
    one%v = x
    other%v = x
    second_of_two = sum(other%v**2)
  end function
  real(8) function in_parentheses(n, x)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    type(field) :: u
    u%v = x
    u = (u)
    in_parentheses = sum(u%v**2)
  end function
  real(8) function diffused(n, x)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    type(field) :: u
    integer :: k
    u%v = x
    do k = 1, 3
      u = u + (0.001d0 * u%laplacian())
      u%v(2:n - 1) = u%v(2:n - 1) * u%v(1:n - 2)
    end do
    diffused = sum(u%v**2) + maxval(u%v) * minval(x)
  end function
end module
