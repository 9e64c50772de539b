! Reaction rates in single precision with Arrhenius factors, an implicit step with matmul, transpose, reshape, spread.
! ASSAY_CHECK(kinetics::implicit_step, "float[3]:(0.5,1.5)", "float:(0.8,1.2)", "float:(0.01,0.1)")
module kinetics
  implicit none
  real, parameter :: a(2) = [1.0, 0.5], e(2) = [1.0, 2.0]
contains
  pure function rates(t) result(k)
    real, intent(in) :: t
    real :: k(2)
    k = a * t**0.5 * exp(-e / t)
  end function
  subroutine implicit_step(c, t, dt)
    real, intent(inout) :: c(3)
    real, intent(in) :: t, dt
    real :: k(2), j(3, 3), m(3, 3), inverse(3, 3), ones(3)
    integer :: i
    k = rates(t)
    j = reshape([-k(1), k(1), 0.0, 0.0, -k(2), k(2), 0.0, 0.0, 0.0], [3, 3])
    m = -dt * j
    do i = 1, 3
      m(i, i) = m(i, i) + 1
    end do
    inverse = spread([1.0, 0.0, 0.0], 2, 3) * 0.0
    do i = 1, 3
      inverse(i, i) = 1
    end do
    do i = 1, 8
      inverse = matmul(inverse, 2 * identity() - matmul(m, inverse))
    end do
    c = matmul(inverse, c)
    ones = 1
    c = c + 0.01 * matmul(transpose(m), ones) * product(c)
  end subroutine
  pure function identity() result(one)
    real :: one(3, 3)
    integer :: i
    one = 0
    forall (i = 1:3) one(i, i) = 1
  end function
end module
