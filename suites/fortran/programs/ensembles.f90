! Assumed shapes, pointers to sections, allocatable functions, blocks, do concurrent and nested derived types.
! ASSAY_CHECK(ensembles::analysis, "double[3x4]", "double[3]", "double[3]")
! ASSAY_CHECK(ensembles::sections, "int=6", "double[n]")
! ASSAY_CHECK(ensembles::growth, "int=4", "double[n]")
module ensembles
  implicit none
  type :: moments
    real(8) :: mean, variance
  end type
  type :: report
    type(moments) :: each(2)
    real(8) :: total
  end type
contains
  subroutine analysis(members, observed, update)
    real(8), intent(in) :: members(:, :), observed(:)
    real(8), intent(out) :: update(:)
    real(8) :: mean(size(members, 1)), p(size(members, 1), size(members, 1))
    real(8), allocatable :: deviation(:, :)
    integer :: k
    mean = sum(members, 2) / size(members, 2)
    allocate(deviation, source=members)
    do concurrent (k = 1:size(members, 2))
      deviation(:, k) = deviation(:, k) - mean
    end do
    p = matmul(deviation, transpose(deviation)) / (size(members, 2) - 1)
    update = mean + matmul(p, (observed - mean)) / (1 + trace(p))
  end subroutine
  pure real(8) function trace(a)
    real(8), intent(in) :: a(:, :)
    integer :: i
    trace = sum([(a(i, i), i = 1, size(a, 1))])
  end function
  function statistics_of(x) result(r)
    real(8), intent(in), target :: x(:)
    type(report) :: r
    real(8), pointer :: half(:)
    integer :: k
    do k = 1, 2
      half => x(k::2)
      r%each(k)%mean = sum(half) / size(half)
      r%each(k)%variance = sum((half - r%each(k)%mean)**2)
    end do
    r%total = sum(r%each%mean) + product(r%each%variance)
  end function
  real(8) function sections(n, x)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    type(report) :: r, copy
    r = statistics_of(x)
    copy = r
    copy%each(1) = r%each(2)
    sections = copy%total * copy%each(1)%mean + copy%each(2)%variance
  end function
  real(8) function growth(n, x)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), allocatable :: a(:), b(:)
    integer :: k
    allocate(a(0))
    do k = 1, n
      a = [a, x(k) * k]
    end do
    b = a(n:1:-1)
    call move_alloc(b, a)
    growth = sum(a * x) + sum(squares(a))
  end function
  function squares(a) result(b)
    real(8), intent(in) :: a(:)
    real(8), allocatable :: b(:)
    block
      real(8) :: scaled(size(a))
      scaled = a / size(a)
      b = scaled**2
    end block
  end function
end module
