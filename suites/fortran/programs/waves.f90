! Complex arithmetic: a transfer matrix, powers, conjugates, a reflection coefficient.
! ASSAY_CHECK(reflection, "int=3", "double[n]:(1,2)", "double[n]:(0.1,1)", "double:(1,3)", "double[2]")
! ASSAY_CHECK(mandel, "double[2]:(-0.4,0.4)", "int=5", "double[2]")
subroutine reflection(n, index, thickness, k, r)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: index(n), thickness(n), k
  complex(8), intent(out) :: r
  complex(8) :: m(2, 2), layer(2, 2), i
  real(8) :: phase
  integer :: l
  i = (0d0, 1d0)
  m = reshape([(1d0, 0d0), (0d0, 0d0), (0d0, 0d0), (1d0, 0d0)], [2, 2])
  do l = 1, n
    phase = k * index(l) * thickness(l)
    layer(1, 1) = cos(phase)
    layer(2, 2) = layer(1, 1)
    layer(1, 2) = i * sin(phase) / index(l)
    layer(2, 1) = i * index(l) * sin(phase)
    m = matmul(m, layer)
  end do
  r = (m(1, 1) + m(1, 2) - m(2, 1) - m(2, 2)) / sum(m)
  r = r * conjg(r) + cmplx(abs(r), aimag(r), 8)
end subroutine
complex(8) function mandel(c, n) result(z)
  implicit none
  complex(8), intent(in) :: c
  integer, intent(in) :: n
  integer :: k
  z = c
  do k = 1, n
    z = z**3 + sqrt(z) + exp(c) * z**2 + dot_product([z, c], [c, z])
  end do
end function
