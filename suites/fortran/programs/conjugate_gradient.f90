! Conjugate gradients on a sparse matrix in a derived type with allocatable components.
! ASSAY_CHECK(sparse::solve, "int=5", "double[n]:positive", "double[n]", "double[n]")
module sparse
  implicit none
  type matrix
    integer :: rows = 0
    integer, allocatable :: first(:), column(:)
    real(8), allocatable :: value(:)
  contains
    procedure :: times
  end type
contains
  function times(a, x) result(y)
    class(matrix), intent(in) :: a
    real(8), intent(in) :: x(:)
    real(8), allocatable :: y(:)
    integer :: i, k
    allocate(y(a%rows))
    do i = 1, a%rows
      y(i) = 0
      do k = a%first(i), a%first(i + 1) - 1
        y(i) = y(i) + a%value(k) * x(a%column(k))
      end do
    end do
  end function
  function laplacian(n, c) result(a)
    integer, intent(in) :: n
    real(8), intent(in) :: c(n)
    type(matrix) :: a
    integer :: i, k
    a%rows = n
    allocate(a%first(n + 1), a%column(3 * n), a%value(3 * n))
    k = 1
    do i = 1, n
      a%first(i) = k
      if (i > 1) then
        a%column(k) = i - 1
        a%value(k) = -1
        k = k + 1
      end if
      a%column(k) = i
      a%value(k) = 2 + c(i)
      k = k + 1
      if (i < n) then
        a%column(k) = i + 1
        a%value(k) = -1
        k = k + 1
      end if
    end do
    a%first(n + 1) = k
  end function
  subroutine solve(n, c, b, x)
    integer, intent(in) :: n
    real(8), intent(in) :: c(n), b(n)
    real(8), intent(out) :: x(n)
    type(matrix) :: a
    real(8), allocatable :: r(:), p(:), ap(:)
    real(8) :: alpha, rr, before
    integer :: k
    a = laplacian(n, c)
    x = 0
    r = b
    p = r
    rr = dot_product(r, r)
    do k = 1, 4
      ap = a%times(p)
      alpha = rr / dot_product(p, ap)
      x = x + alpha * p
      r = r - alpha * ap
      before = rr
      rr = dot_product(r, r)
      p = r + rr / before * p
    end do
  end subroutine
end module
